// SPDX-License-Identifier: MIT
extension Comparison {
  /// The data changes, its state is determined, and one child is swapped for another, with all callbacks.
  public static let flip = Comparison(
    "flip",
    [
      Contender(.asyncState) { HostScreen(.counting()) },
      Contender(.byHand) { HandWrittenScreen(.counting(), isAnimated: true) },
      Contender(.openCombine) { OpenCombineScreen(.counting()) },
      Contender(.observation) { ObservationScreen(.counting()) },
      Contender(.asyncAlgorithms) { AsyncAlgorithmsScreen(.counting()) },
    ])

  /// The same without a host, so that the transition is not animated.
  public static let flipAtOnce = Comparison(
    "flip at once",
    [
      Contender(.asyncState) { JoinedScreen(.counting()) },
      Contender(.byHand) { HandWrittenScreen(.counting(), isAnimated: false) },
    ])

  /// Other data replaces data: the transition is notified, and the children stay.
  public static let sameState = Comparison(
    "same state",
    [
      Contender(.asyncState) { SameStateWork(HostScreen(.counting())) },
      Contender(.byHand) { SameStateWork(HandWrittenScreen(.counting(), isAnimated: true)) },
      Contender(.openCombine) { SameStateWork(OpenCombineScreen(.counting())) },
      Contender(.observation) { SameStateWork(ObservationScreen(.counting())) },
    ])
}
