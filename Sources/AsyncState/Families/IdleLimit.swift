// SPDX-License-Identifier: MIT
/// The number of entries that a family keeps though they are not in use, and the time for which it keeps each.
///
/// ```swift
/// let articles = AsyncFamily(keepIdle: 20) { id in try await service.article(id) }
/// let previews = AsyncFamily(keepIdle: .entries(30, for: .seconds(300))) { id in try await service.article(id) }
/// ```
public struct IdleLimit: Sendable, ExpressibleByIntegerLiteral {
  let count: Int
  /// Nil: the number alone decides.
  let lifetime: Duration?

  /// Keeps the most recently used entries.
  ///
  /// - Parameters:
  ///   - count: The number of entries. Less than zero is zero: then a value that is prefetched, restored or written for a key
  ///     is kept only as long as its resource has a holder other than the family.
  ///   - lifetime: The time for which each is kept, from when the family notices that it is not in use; nil: as long as the
  ///     number allows. While none is idle no timer runs.
  public static func entries(_ count: Int = 50, for lifetime: Duration? = nil) -> Self {
    Self(count: max(count, 0), lifetime: lifetime)
  }

  /// Keeps every entry until the family is trimmed or released.
  public static var all: Self { .entries(.max) }

  private init(count: Int, lifetime: Duration?) {
    self.count = count
    self.lifetime = lifetime
  }

  /// Keeps the number of entries that the literal has.
  public init(integerLiteral count: Int) {
    self = .entries(count)
  }
}
