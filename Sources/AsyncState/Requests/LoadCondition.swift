// SPDX-License-Identifier: MIT
/// The condition under which a load is made.
public struct LoadCondition: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case always
    case stale
    case olderThan(Duration)
  }

  let kind: Kind

  /// Always: the default.
  public static var always: LoadCondition { LoadCondition(kind: .always) }

  /// Only if the data is stale, by ``AsyncData/isStale``.
  public static var stale: LoadCondition { LoadCondition(kind: .stale) }

  /// Only if the data is stale, with this limit in the place of `staleAfter`. An answer of exactly this age is stale.
  public static func olderThan(_ age: Duration) -> LoadCondition { LoadCondition(kind: .olderThan(age)) }
}

extension LoadCondition: CustomStringConvertible {
  /// The condition in words: `always`, `stale`, `older than 5.0 seconds`.
  public var description: String {
    switch kind {
    case .always: "always"
    case .stale: "stale"
    case .olderThan(let age): "older than \(age)"
    }
  }
}
