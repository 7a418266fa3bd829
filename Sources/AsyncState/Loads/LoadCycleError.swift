// SPDX-License-Identifier: MIT
/// Thrown when the operations of resources would await each other for ever, or an operation its own resource.
public struct LoadCycleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The keys, each of which awaits the next one. The last one is the first again. A resource without a key is named by
  /// the type of its value.
  public let path: [String]

  /// A text with the keys that await each other.
  public var description: String {
    """
    Operations await each other: \(path.joined(separator: " → ")). None of them could ever end. One of them, or an \
    interceptor of its options, has to get what it needs without loading the next one.
    """
  }
}
