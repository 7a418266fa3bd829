// SPDX-License-Identifier: MIT
// The age of an answer, and the age at which it is stale.

extension AsyncData {
  /// The time since the last answer, by the data's clock: a load that succeeded, or a value that was set. Nil if there
  /// was none.
  ///
  /// Yielded values, further pages and optimistic changes are not answers.
  public var age: Duration? {
    state.core.noteRead(.freshness)
    return state.core.record.answeredAt.map { now - $0 }
  }

  /// True if there is a reason to load again: there was no answer, the data was invalidated, an error was written or a load
  /// failed since the last answer, a load has yielded a value that no answer has replaced, or `staleAfter`, or the time that its source says,
  /// has passed. A live value is fresh as long as its stream is open, and what is made of others is stale while one of them is.
  ///
  /// The age is compared with the clock when this is read. No notification is sent when the value becomes stale.
  public var isStale: Bool {
    state.core.noteRead(.freshness)
    madeOf?.origins.forEach { $0.noteReadOfFreshness() }
    return isOutOfDate
  }

  /// The same; Observation does not track this read.
  var isOutOfDate: Bool {
    if isOutOfDateByItself { return true }
    // Most data has no feature, and this is read by each load that requests nothing.
    if state.core.features.isEmpty { return false }
    return madeOf?.origins.contains(where: \.isOutOfDate) == true
  }

  /// The same, apart from what the value is made of.
  var isOutOfDateByItself: Bool { isStale(state.core.record.timeOfGoodAnswer, after: staleAfter) }

  /// True if the value is fresh enough for a call with this condition, which then requests nothing.
  @usableFromInline
  func isFresh(for condition: LoadCondition) -> Bool {
    condition == .stale && !isOutOfDate
  }

  /// True if a load with this condition is due now.
  func meets(_ condition: LoadCondition) -> Bool { !isFresh(for: condition) }

  /// The age at which the present answer is stale; nil: never by age.
  var staleAfter: Duration? {
    guard let extras = state.extras else { return nil }
    return (extras.lifetime == nil ? nil : lifetimeOfValue) ?? extras.options.staleAfter
  }

  /// True if an answer may be stale by its age.
  var canAge: Bool { state.extras.map { $0.lifetime != nil || $0.options.staleAfter != nil } ?? false }

  // Apart, because it looks up the type of the value, which takes as long as a fresh load otherwise.
  @inline(never)
  private var lifetimeOfValue: Duration? {
    guard let lifetime = state.extras?.lifetime, let value = valueOfKey else { return nil }
    return computing { lifetime(value) }
  }

  /// True if the mark is the only reason to load again.
  var isFreshWithoutMark: Bool {
    !isStale(state.core.record.timeOfUnfailedAnswer, after: staleAfter)
  }

  private func isStale(_ answeredAt: Duration?, after limit: Duration?) -> Bool {
    guard let answeredAt else { return true }
    if !state.core.features.isEmpty, let isStale = features.isStale { return isStale }
    guard let limit else { return false }
    return now - answeredAt >= limit
  }

  /// The time by the data's clock. A clock may be the user's.
  package var now: Duration {
    if let extras = state.extras { extras.options.timeline.now } else { Timeline.continuous.now }
  }

  /// The clock of this data.
  var timeline: Timeline { state.extras?.options.timeline ?? .continuous }
}
