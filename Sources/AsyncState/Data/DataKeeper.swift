// SPDX-License-Identifier: MIT
/// The family of data, by its entry. The data does not hold it.
protocol DataKeeper: DataFeature, StoredSource {
  /// Anyone but the keeper holds what the data belongs to.
  var isHeld: Bool { get }

  /// A load is wanted by a call that has requested the value before it is needed.
  func isPrefetching(_ load: LoadRun) -> Bool

  /// The data was marked because of what its value was made of: it is requested again where it is in use.
  ///
  /// - Parameter afterLoss: It was removed with what it was made of, which is being requested again.
  /// - Returns: Whether the keeper does that; false: it keeps the data no more.
  func requestAgain(afterLoss: Bool) -> Bool

  /// The value is about to be removed with what it was made of: so is what is stored.
  func removeLost()

  /// The name of the data where operations await each other.
  var label: String { get }
}

/// The keeper, as long as there is one.
private final class Keeping: DataFeature {
  weak var keeper: (any DataKeeper)?

  init(_ keeper: any DataKeeper) {
    self.keeper = keeper
  }

  var place: FeaturePlace { .family }
  func perform(_ verb: DataVerb) -> Bool { keeper?.perform(verb) ?? false }
  func didBecomeConsistent() { keeper?.didBecomeConsistent() }
  func didNotify() { keeper?.didNotify() }
  var isBusy: Bool { keeper?.isBusy == true }
  var source: (any StoredSource)? { keeper }
}

extension AsyncData {
  func setKeeper(_ keeper: any DataKeeper) {
    state.core.features.set(Keeping(keeper))
  }

  var keeper: (any DataKeeper)? { features.feature(at: .family, as: Keeping.self)?.keeper }
}
