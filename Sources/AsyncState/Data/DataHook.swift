// SPDX-License-Identifier: MIT
// The connection from changes of data to a journal. Data uses this protocol, and does not depend on the journal.

/// Is notified of each change of data, on its actor. The data holds it.
package protocol DataHook: AnyObject {
  /// Called when an event has happened, before any observer is notified. Must not call user code.
  ///
  /// - Parameter record: The record after the event.
  /// - Returns: The number of the event; zero if it is not recorded.
  func dataDidChange(_ event: DataEvent, _ record: DataRecord) -> Int

  /// Called when everything is consistent again: from here on user code may be called.
  func didBecomeConsistent()

  /// Calls `body`, which notifies the observers of the change with this number.
  func notifying(of number: Int, _ body: () -> Void)

  /// Calls `body`, which follows from a change that was made before.
  func following(_ origin: DataOrigin, _ body: () -> Void)

  /// The store of a family was used.
  func storeDidReturn(_ use: StoreUse)

  /// The family has removed the entry that the data belongs to. Must not call user code.
  func familyDidRemoveEntry()
}

/// The origins of a change when no notification leads to it directly.
package enum DataOrigin {
  /// The end of the load that the next one has waited for.
  case end
  case invalidation
  case keyChange
  case streamEnd
}

/// The result of a use of a store.
package enum StoreUse {
  case read(isFound: Bool)
  case written
  case removed
  case readFailed(any Error)
  case writeFailed(any Error)
  case removalFailed(any Error)
}

/// Passes each event to a journal, and the number of the event during the notifications that it causes.
private final class JournalFeature: DataFeature, DeliveryCaller {
  let hook: any DataHook

  init(_ hook: any DataHook) {
    self.hook = hook
  }

  var place: FeaturePlace { .journal }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    step.number = hook.dataDidChange(event, record)
    if step.number != 0 { step.caller = self }
  }

  func didBecomeConsistent() { hook.didBecomeConsistent() }

  func notifying(of number: Int, _ body: () -> Void) { hook.notifying(of: number, body) }
}

extension AsyncData {
  /// The hook that is notified of each change.
  package var hook: (any DataHook)? { features.feature(at: .journal, as: JournalFeature.self)?.hook }

  /// Attaches a hook in the place of another.
  ///
  /// - Returns: The record of the data, and the optimistic changes that are not decided.
  package func attach(_ hook: any DataHook) -> (record: DataRecord, undecided: [Int]) {
    state.core.features.set(JournalFeature(hook))
    state.core.removeCallers()
    return (state.core.record, undecidedChanges)
  }

  /// Calls `body`, whose changes follow from one that was made before.
  func following(_ origin: DataOrigin, _ body: () -> Void) {
    guard let hook else { return body() }
    hook.following(origin, body)
  }
}
