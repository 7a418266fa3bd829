// SPDX-License-Identifier: MIT
/// Combines several snapshots into one.
///
/// The result has a value when every part has one, and is loading when any part is. Its error is the first in order. When a
/// part has failed without a value and is not loading again, the result is not loading: it cannot have a value. Nor when a
/// reload of a part has failed: its error stays until that part is requested, whatever the others do.
public func zip<each Value>(_ snapshots: repeat AsyncSnapshot<each Value>) -> AsyncSnapshot<(repeat each Value)> {
  var facts = CombinedFacts()
  for snapshot in repeat each snapshots { facts.add(snapshot) }
  return facts.snapshot(value: facts.hasAllValues ? (repeat (each snapshots).value!) : nil)
}

extension AsyncSnapshot {
  /// Combines snapshots of one type as ``zip(_:)`` does for several types. Without snapshots the value is an empty
  /// array.
  ///
  /// - Complexity: O(*n*) for *n* snapshots.
  public static func all(_ snapshots: [AsyncSnapshot]) -> AsyncSnapshot<[Value]> {
    var facts = CombinedFacts()
    for snapshot in snapshots { facts.add(snapshot) }
    return facts.snapshot(value: facts.hasAllValues ? snapshots.map { $0.value! } : nil)
  }
}

/// The common part of several snapshots, apart from their values.
private struct CombinedFacts {
  private(set) var hasAllValues = true
  private var areAllValuesSet = true
  private var isAnyProvisional = false
  private var isAnyInvalidated = false
  private var isUntouched = true
  private var isAnyRequestExpected = false
  private var error: (any Error)?
  private var failedMode: LoadMode?
  private var activities: [LoadActivity] = []
  private var isAnyLoading = false
  /// True if a part has failed without a value, and is not loading again.
  private var isHopeless = false
  /// A reload of a part has failed, and it is not being requested again.
  private var failedReload: (any Error)?

  mutating func add<Value>(_ part: AsyncSnapshot<Value>) {
    hasAllValues = hasAllValues && part.value != nil
    areAllValuesSet = areAllValuesSet && part.isValueSet
    isAnyProvisional = isAnyProvisional || part.isProvisional
    isAnyInvalidated = isAnyInvalidated || part.isInvalidated
    // A part that has ended without an answer is not expected, even if others were not requested yet.
    isUntouched = isUntouched && (part.isUntouched || part.isSettled)
    isAnyRequestExpected = isAnyRequestExpected || part.context.isRequestExpected
    if error == nil { (error, failedMode) = (part.error, part.failedMode) }
    isAnyLoading = isAnyLoading || part.isLoading
    if let activity = part.activity { activities.append(activity) }
    guard let error = part.error, part.activity == nil else { return }
    if part.value == nil { isHopeless = true }
    if part.failedMode == .reload, failedReload == nil { failedReload = error }
  }

  func snapshot<Value>(value: Value?) -> AsyncSnapshot<Value> {
    // Only with all values: otherwise the error would appear and disappear with the requests of the other parts.
    let failedReload = hasAllValues ? failedReload : nil
    var whole = AsyncSnapshot(
      value: value, error: failedReload ?? error, activity: failedReload == nil ? activity : nil,
      isValueSet: areAllValuesSet, failedMode: failedReload == nil ? failedMode : .reload)
    let requested: ValueOrigin.Requested = !isUntouched ? .before : isAnyRequestExpected ? .soon : .notYet
    whole.context.origin =
      areAllValuesSet ? (isAnyProvisional ? .partial : .answer) : .initial(hasSeed: value != nil, requested)
    whole.isInvalidated = isAnyInvalidated
    return whole
  }

  /// The only load with its details; of several the mode, a reload if one is a reload and does not wait, and the wait of all.
  private var activity: LoadActivity? {
    if isHopeless { return nil }
    switch activities.count {
    // A part was not requested yet, beside an old error.
    case 0: return isAnyLoading && error != nil ? LoadActivity(mode: .reload) : nil
    case 1: return activities[0]
    default:
      // A load that waits for its gate hides nothing.
      let areWaiting = activities.allSatisfy(\.isWaiting)
      let isReload = activities.contains { $0.mode == .reload && (areWaiting || !$0.isWaiting) }
      return LoadActivity(mode: isReload ? .reload : .refresh, isWaiting: areWaiting)
    }
  }
}
