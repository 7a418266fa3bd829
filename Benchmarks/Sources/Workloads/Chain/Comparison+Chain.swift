// SPDX-License-Identifier: MIT
extension Comparison {
  // Nothing to compare with: pipelines recurse, and a million deep the stack is not.

  /// A transition, requested in `didTransitionFrom` of the one before.
  static let transitionChain = Comparison(
    "chain of transitions", crowd: 1_000_000,
    [Contender(.asyncState) { TransitionChain() }])

  /// A value, set in the delegate's callback of the one before.
  static let factChain = Comparison(
    "chain of data", crowd: 1_000_000,
    [Contender(.asyncState) { DataChain() }])

  /// A write, made by the observer of the one before.
  static let writeChain = Comparison(
    "chain of writes", crowd: 1_000_000,
    [Contender(.asyncState) { WriteChain() }])

  /// All that are to run in constant stack.
  public static let chains: [Comparison] = [.transitionChain, .factChain, .writeChain]
}
