// SPDX-License-Identifier: MIT
/// When a load is to be made.
public struct LoadCondition: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case always
    case ifOpen
    case stale
    case olderThan(Duration)
  }

  let kind: Kind

  /// Always: the default.
  public static var always: LoadCondition { LoadCondition(kind: .always) }

  /// Only if the ``LoadGate`` of the options is open. Otherwise the load fails at once with ``LoadGateClosed``, where an
  /// entry of a family displays what is stored before; beside a load that runs or waits, only this call fails.
  public static var ifOpen: LoadCondition { LoadCondition(kind: .ifOpen) }

  /// Only if the data is stale, as ``AsyncData/isStale`` says.
  public static var stale: LoadCondition { LoadCondition(kind: .stale) }

  /// Only if the data is stale, with this limit in the place of `staleAfter`. An answer of exactly this age is stale.
  public static func olderThan(_ age: Duration) -> LoadCondition { LoadCondition(kind: .olderThan(age)) }
}

extension LoadCondition: CustomStringConvertible {
  /// The condition in words: `always`, `stale`, `older than 5.0 seconds`.
  public var description: String {
    switch kind {
    case .always: "always"
    case .ifOpen: "if open"
    case .stale: "stale"
    case .olderThan(let age): "older than \(age)"
    }
  }
}
