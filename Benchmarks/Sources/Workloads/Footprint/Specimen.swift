// SPDX-License-Identifier: MIT
/// An object whose weight on the heap is of interest.
public struct Specimen: Sendable {
  /// What is weighed: an object, and what only exists for its sake and is held nowhere else.
  public typealias Body = (AnyObject, Any?)

  /// What it is, and what it has been through.
  public let name: String

  /// Makes ready what is not to be weighed, and gives what makes one body after another, on the actor that they
  /// are to live on.
  public let prepare: @Sendable (isolated any Actor) -> () -> Body

  init(_ name: String, _ prepare: @escaping @Sendable (isolated any Actor) -> () -> Body) {
    self.name = name
    self.prepare = prepare
  }
}
