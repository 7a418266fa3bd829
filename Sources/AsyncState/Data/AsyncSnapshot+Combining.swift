// SPDX-License-Identifier: MIT
/// Combines several snapshots into one.
///
/// The result has a value when every part has one, and is loading when any part is. Its error is the first in order. When a
/// part has failed without a value and is not loading again, the result is not loading: it cannot have a value. Nor when a
/// reload of a part has failed: its error stays until that part is requested, whatever the others do.
public func zip<each Value>(_ snapshots: repeat AsyncSnapshot<each Value>) -> AsyncSnapshot<(repeat each Value)> {
  combine(repeat each snapshots).snapshot
}

/// The combination, and the place of the part whose error it has.
func combine<each Value>(
  _ snapshots: repeat AsyncSnapshot<each Value>
) -> (snapshot: AsyncSnapshot<(repeat each Value)>, failedPart: Int?) {
  var facts = CombinedFacts()
  for snapshot in repeat each snapshots { facts.add(snapshot) }
  let value = facts.hasAllValues ? (repeat (each snapshots).value!) : nil
  return (facts.snapshot(value: value), facts.failure?.part)
}

/// The common part of several snapshots, apart from their values.
private struct CombinedFacts {
  private(set) var hasAllValues = true
  private var areAllValuesSet = true
  private var isAnyProvisional = false
  private var isAnyInvalidated = false
  private var isUntouched = true
  private var isAnyRequestExpected = false
  private var partCount = 0
  /// The first part that has an error.
  private var failed: Failure?
  private var activities: [LoadActivity] = []
  private var isAnyLoading = false
  /// True if a part has failed without a value, and is not loading again.
  private var isHopeless = false
  /// The first part whose reload has failed, and that is not being requested again.
  private var failedReload: Failure?

  /// The error of a part.
  struct Failure {
    let part: Int
    let error: any Error
    let mode: LoadMode?
  }

  mutating func add<Value>(_ part: AsyncSnapshot<Value>) {
    hasAllValues = hasAllValues && part.value != nil
    areAllValuesSet = areAllValuesSet && part.isValueSet
    isAnyProvisional = isAnyProvisional || part.isProvisional
    isAnyInvalidated = isAnyInvalidated || part.isInvalidated
    // A part that has ended without an answer is not expected, even if others were not requested yet.
    isUntouched = isUntouched && (part.isUntouched || part.isSettled)
    isAnyRequestExpected = isAnyRequestExpected || part.context.isRequestExpected
    isAnyLoading = isAnyLoading || part.isLoading
    if let activity = part.activity { activities.append(activity) }
    partCount += 1
    guard let error = part.error else { return }
    let failure = Failure(part: partCount - 1, error: error, mode: part.failedMode)
    failed = failed ?? failure
    guard part.activity == nil else { return }
    if part.value == nil { isHopeless = true }
    if part.failedMode == .reload { failedReload = failedReload ?? failure }
  }

  /// The reload whose error takes the place of all values. Only with all values: otherwise the error would appear and disappear
  /// with the requests of the other parts.
  private var endedReload: Failure? { hasAllValues ? failedReload : nil }

  /// The error of the combination.
  var failure: Failure? { endedReload ?? failed }

  func snapshot<Value>(value: Value?) -> AsyncSnapshot<Value> {
    var whole = AsyncSnapshot(
      value: value, error: failure?.error, activity: endedReload == nil ? activity : nil, isValueSet: areAllValuesSet,
      failedMode: failure?.mode)
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
    case 0: return isAnyLoading && failed != nil ? LoadActivity(mode: .reload) : nil
    case 1: return activities[0]
    default:
      // A load that waits for its gate hides nothing.
      let areWaiting = activities.allSatisfy(\.isWaiting)
      let isReload = activities.contains { $0.mode == .reload && (areWaiting || !$0.isWaiting) }
      return LoadActivity(mode: isReload ? .reload : .refresh, isWaiting: areWaiting)
    }
  }
}
