/// What several facts mean together.
///
/// There is a value when every part has one, and the whole is loading when any part is. The error is the first in
/// order. A part that has failed, with nothing to show and nothing running, beats parts that are still loading: waiting
/// for them would not help.
public func zip<each Value>(_ snapshots: repeat AsyncSnapshot<each Value>) -> AsyncSnapshot<(repeat each Value)> {
  var facts = CombinedFacts()
  for snapshot in repeat each snapshots { facts.add(snapshot) }
  return facts.snapshot(value: facts.hasAllValues ? (repeat (each snapshots).value!) : nil)
}

extension AsyncSnapshot {
  /// What several facts of one kind mean together, as ``zip(_:)`` says it of several kinds. Of none it is an answer: an
  /// empty array.
  public static func all(_ snapshots: [AsyncSnapshot]) -> AsyncSnapshot<[Value]> {
    var facts = CombinedFacts()
    for snapshot in snapshots { facts.add(snapshot) }
    return facts.snapshot(value: facts.hasAllValues ? snapshots.map { $0.value! } : nil)
  }

  /// The first value that is there, in order: several sources for one thing.
  ///
  /// While there is none, the whole is loading when any part is. It is an error only when all parts have failed, the
  /// first in order, and "there is nothing" when no part is left to hope for and not all have failed.
  public static func first(_ snapshots: [AsyncSnapshot]) -> AsyncSnapshot {
    let running = snapshots.contains(where: \.isRunning)
    if var found = snapshots.first(where: { $0.value != nil }) {
      // What is there is shown, whoever else is still asking.
      found.error = nil
      found.activity = running ? LoadActivity(mode: .refresh) : nil
      return found
    }
    if snapshots.contains(where: \.isLoading) {
      return AsyncSnapshot(activity: running ? LoadActivity(mode: .reload) : nil)
    }
    let errors = snapshots.compactMap(\.error)
    return errors.count == snapshots.count && !errors.isEmpty
      ? AsyncSnapshot(error: errors[0]) : AsyncSnapshot(isValueSet: true)
  }
}

/// The facts of several parts, but for their values.
private struct CombinedFacts {
  private(set) var hasAllValues = true
  private var areAllValuesSet = true
  private var isAnyProvisional = false
  private var isAnyInvalidated = false
  private var error: (any Error)?
  private var activities: [LoadActivity] = []
  private var isAnyLoading = false
  /// A part has failed for good, as far as one can tell.
  private var isHopeless = false

  mutating func add<Value>(_ part: AsyncSnapshot<Value>) {
    hasAllValues = hasAllValues && part.value != nil
    areAllValuesSet = areAllValuesSet && part.isValueSet
    isAnyProvisional = isAnyProvisional || part.isProvisional
    isAnyInvalidated = isAnyInvalidated || part.isInvalidated
    error = error ?? part.error
    isAnyLoading = isAnyLoading || part.isLoading
    if let activity = part.activity { activities.append(activity) }
    if part.error != nil && part.value == nil && part.activity == nil { isHopeless = true }
  }

  func snapshot<Value>(value: Value?) -> AsyncSnapshot<Value> {
    var whole = AsyncSnapshot(value: value, error: error, activity: activity, isValueSet: areAllValuesSet)
    whole.isProvisional = isAnyProvisional
    whole.isInvalidated = isAnyInvalidated
    return whole
  }

  /// One load stands for itself; of several only the mode can be told, and a reload among them hides.
  private var activity: LoadActivity? {
    if isHopeless { return nil }
    switch activities.count {
    case 0: return isAnyLoading && error != nil ? LoadActivity() : nil  // A part not asked yet, beside an old error.
    case 1: return activities[0]
    default: return LoadActivity(mode: activities.contains { $0.mode == .reload } ? .reload : .refresh)
    }
  }
}
