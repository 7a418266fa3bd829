// SPDX-License-Identifier: MIT
/// One way of doing a work.
public struct Contender: Sendable {
  /// Whose way it is.
  public enum Side: String, CaseIterable, Sendable {
    /// The library's.
    case asyncState = "AsyncState"
    /// What one would write for this one case, with the same calls on the same objects.
    case byHand = "by hand"
    /// A pipeline of OpenCombine.
    case openCombine = "OpenCombine"
    /// A class that is `@Observable`.
    case observation = "Observation"
    /// A sequence of swift-async-algorithms.
    case asyncAlgorithms = "swift-async-algorithms"
    /// A `Task` that is awaited, and nothing else.
    case bareTask = "a bare Task"
    /// The library's own way in a simpler case.
    case simplerCase = "the simpler case"
  }

  /// Whose way it is.
  public let side: Side

  /// Makes the work, on the actor that it is to live on.
  public let make: @Sendable () -> any Work

  init(_ side: Side, _ make: @escaping @Sendable () -> any Work) {
    self.side = side
    self.make = make
  }
}
