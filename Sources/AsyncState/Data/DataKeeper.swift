// SPDX-License-Identifier: MIT
/// The family of data, by its entry. The data does not hold it.
protocol DataKeeper: DataFeature, StoredSource {
  /// True if the resource of the data has a holder other than the keeper.
  var isHeld: Bool { get }

  /// Requests the data again if it is in use, because what its value is made of has changed.
  ///
  /// - Parameter afterLoss: True if the value was removed with a part, which is being requested again.
  /// - Returns: True if the keeper does that; false if it does not keep the data any more.
  func requestAgain(afterLoss: Bool) -> Bool

  /// Removes the stored value, because the value is about to be removed with a part.
  func removeLost()
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
