// SPDX-License-Identifier: MIT
extension Comparison {
  /// A write is seen through two maps by one observer.
  public static let observed = Comparison(
    "observed",
    [
      Contender(.asyncState) { ObservedMaps(observers: 1) },
      Contender(.byHand) { HandWrittenMaps(observers: 1) },
      Contender(.openCombine) { OpenCombineMaps(observers: 1) },
      Contender(.observation) { ObservationMaps() },
      Contender(.asyncAlgorithms) { AsyncAlgorithmsMaps() },
    ])

  /// A write is seen through two maps that meet again.
  public static let diamond = Comparison(
    "diamond",
    [
      Contender(.asyncState) { ObservedDiamond() },
      Contender(.byHand) { HandWrittenDiamond() },
      Contender(.openCombine) { OpenCombineDiamond() },
    ])

  /// How many observers there are when their number is what matters.
  public static let observerCounts = [10, 1000, 10_000]

  /// A write that is seen through two maps by `count` observers of the same value.
  public static func observers(_ count: Int) -> Comparison {
    Comparison(
      "observers \(count)", batch: max(10, 1000 / count),
      [
        Contender(.asyncState) { ObservedMaps(observers: count) },
        Contender(.byHand) { HandWrittenMaps(observers: count) },
        Contender(.openCombine) { OpenCombineMaps(observers: count) },
      ])
  }

  /// A batch over one input, beside a write.
  public static let batchOverOne = Comparison(
    "a batch over one input", [Contender(.asyncState) { BatchOverOne() }, Contender(.simplerCase) { PlainWrite() }])

  /// A batch over ten inputs and their sum, 28 nodes in all, beside a write.
  public static let batchOverTen = Comparison(
    "a batch over ten inputs", [Contender(.asyncState) { BatchOverTen() }, Contender(.simplerCase) { PlainWrite() }])

  /// `value =` and `reset()` while `isLoading` is observed, beside data that is not observed.
  public static let loadingFlag = Comparison(
    "value with isLoading observed",
    [
      Contender(.asyncState) { LoadingFlag(isObserved: true) },
      Contender(.simplerCase) { LoadingFlag(isObserved: false) },
    ])

  /// A box with one binding, made and released.
  public static let binding = Comparison("a binding", [Contender(.asyncState) { ShortBinding() }])

  /// A write through a map to a property that is bound by its key path, beside one to an observer.
  public static let boundProperty = Comparison(
    "a write to a bound property",
    [Contender(.asyncState) { BoundProperty() }, Contender(.byHand) { HandWrittenMaps(observers: 1) }])
}
