// SPDX-License-Identifier: MIT
/// Thrown when the value of a resource is wanted, and there is no key to request it for: nothing is selected, or no user is
/// logged in.
///
/// A command that gets such a value fails with it, so a screen can say so. A request of a resource whose operation throws
/// it ends without an answer, and is made again when what it got has a key.
public struct NoKeyError: Error, Hashable, CustomStringConvertible {
  /// An error without details.
  public init() {}

  /// Says what is missing.
  public var description: String { "There is no key to request a value for." }
}
