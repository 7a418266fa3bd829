// SPDX-License-Identifier: MIT
// A value from a store, and the value to store.

extension AsyncData {
  /// Displays a stored value: provisional, and as old as its answer.
  ///
  /// - Parameters:
  ///   - age: The time since the answer; nil or less than zero: unknown, so it is stale for every limit.
  ///   - isInvalidated: True if it was out of date when it was stored, or has become so since.
  ///   - isOfStore: True if it was read from the store for this data. Another one may contain a change that is being sent.
  func restore(_ value: Value?, age: Duration?, isInvalidated: Bool, isOfStore: Bool = true) {
    let answeredAt = age.flatMap { $0 < .zero ? nil : now - $0.bounded }
    receive(
      value,
      by: .restored(
        answeredAt: answeredAt, isOutdated: isInvalidated, isOfStore: isOfStore,
        isChanged: value != nil && knownChanges?.list.hasDecidedSinceRequest == true))
  }

  /// The value without changes that are not confirmed; nil if there is no confirmed value.
  var confirmed: Confirmed<Value>? {
    guard state.core.record.isConfirmed else { return nil }
    let value = valueBelowChanges
    let record = state.core.record
    return Confirmed(value: value, answeredAt: record.answeredAt, isInvalidated: record.context.validity != .valid)
  }
}

/// A value that was confirmed, and the time of its answer.
struct Confirmed<Value> {
  let value: Value?
  let answeredAt: Duration?
  let isInvalidated: Bool

  /// The same value, out of date.
  var invalidated: Self { Self(value: value, answeredAt: answeredAt, isInvalidated: true) }
}
