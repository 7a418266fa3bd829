// SPDX-License-Identifier: MIT
/// Thrown when the value of a resource is wanted, and there is no key to request it for: nothing is selected, or no user is
/// logged in.
///
/// A command that reads such a value fails with this error, so a screen can say so. A request of a resource whose operation
/// throws it ends without an answer, and is made again when the value that it read has a key.
public struct NoKeyError: Error, Hashable, CustomStringConvertible {
  /// An error without details.
  public init() {}

  /// A text about the missing key.
  public var description: String { "There is no key to request a value for." }
}
