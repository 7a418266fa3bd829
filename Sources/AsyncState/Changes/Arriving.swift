// SPDX-License-Identifier: MIT
// The values that arrive below the changes: answers, elements, stored values, pushes.

extension AsyncData {
  /// Takes a whole value that was not requested, such as one that the server has pushed: it is fresh, and an error is removed.
  /// Changes that are not confirmed stay displayed, applied to it. A running request continues, and its answer replaces this,
  /// and is stale, as it may be older. As an element of a live value it clears no ``invalidate()``.
  ///
  /// ```swift
  /// messages.receive(all)
  /// ```
  ///
  /// Setting ``value`` is an answer by hand: it supersedes the running request, and removes the displayed changes.
  ///
  /// - Parameter value: The value; nil: there is no data.
  public func receive(_ value: Value?) {
    if !refusesWrites { receive(value, by: .elementArrived(at: now)) }
  }

  /// A value arrives from a load, a store or a stream. Changes that are not decided are applied to it again.
  func receive(_ value: Value?, by event: DataEvent, for request: LoadRun? = nil) {
    let hasValue = value != nil
    guard hasPatches else {
      if let step = begin(event, for: request, hasValue: hasValue) { deliver(step, exchanging: value) }
      return
    }
    let edit = editedPatches {
      let event = $0.receive(value, by: event)
      return (event: event, shown: $0.value)
    }
    guard let step = begin(edit.result.event, for: request, hasValue: hasValue) else { return }
    deliver(step, storing: edit.patches, displaying: edit.result.shown)
  }
}

extension Patches {
  /// - Returns: The event, adapted to these changes.
  fileprivate mutating func receive(_ value: Value?, by event: DataEvent) -> DataEvent {
    switch event {
    case .answered(let now, let isOutdated, let isEqual):
      let isUncertain = rebase(on: value)
      forgetLoad()
      return .answered(at: now, isOutdated: isOutdated || isUncertain, isEqual: isEqual)
    // Newer than the end of each change so far, and not the answer of the running load.
    case .elementArrived: push(value)
    default: rebase(on: value)
    }
    return event
  }
}
