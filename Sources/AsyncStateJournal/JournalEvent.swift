// SPDX-License-Identifier: MIT
package import AsyncState

extension StateJournal {
  /// An event of a subject. Texts are descriptions, taken when the entry was written.
  package enum Event: Hashable, Sendable {
    /// The subject was attached to the journal: data is of this kind, anything else of none.
    case attached(DataKind?)
    /// The subject was deallocated.
    case released

    // MARK: Data

    /// A load started.
    case loadStarted(LoadMode)
    /// The load published a value before its answer.
    case loadYielded
    /// The load reported how far it is, in 0...1; nil: unknown.
    case loadProgressed(Double?)
    /// The load waits for its gate to open.
    case loadWaits
    /// The gate has opened, and the load continues.
    case loadContinues
    /// An attempt failed, and another one follows.
    case loadRetries(failures: Int, error: String)
    /// The load succeeded. Its answer may be out of date already.
    case loadAnswered(isOutdated: Bool)
    /// The load failed.
    case loadFailed(String)
    /// The load was cancelled.
    case loadCancelled
    /// Something newer took the place of the load.
    case loadSuperseded
    /// What was stored is fresh enough, so the load ended without a request.
    case loadFoundFresh
    /// A further element of a live value arrived.
    case elementArrived(isOutdated: Bool)
    /// The stream of a live value ended.
    case streamEnded
    /// A value was set by hand.
    case valueSet
    /// An error was set by hand.
    case errorSet(String)
    /// The error was removed by hand.
    case errorRemoved
    /// Everything but the seed was removed.
    case reset
    /// The data belongs to another key from now on, and what belonged to the previous one was removed.
    case keyChanged
    /// The data belongs to no key from now on, and what belonged to the previous one was removed.
    case keyRemoved
    /// A request found no key to request the value for.
    case keyMissing
    /// The family has forgotten the key, and everything was removed.
    case forgotten
    /// The value was marked stale.
    case invalidated
    /// A stored value arrived. It may be out of date already.
    case restored(isOutdated: Bool)
    /// The data became what several others are together.
    case combined(DataKind)
    /// An optimistic change is displayed.
    case patched
    /// The optimistic change was confirmed. That may have made the data out of date, because an answer came meanwhile.
    case patchConfirmed(isOutdated: Bool)
    /// The optimistic change was removed: it failed, was cancelled, or the value was set otherwise. That may have made the
    /// data out of date.
    case patchRemoved(isOutdated: Bool)
    /// The value was changed as something had changed it already. The data is out of date where there was no value to change.
    case updated(isOutdated: Bool)
    /// A change that is not displayed any more has ended, and it is not known whether the value contains it.
    case patchDoubted
    /// A page was requested.
    case pageStarted(Edge)
    /// The request for a page waits for its gate to open.
    case pageWaits(Edge)
    /// The gate has opened, and the request for a page continues.
    case pageContinues(Edge)
    /// The page arrived. That may have made the list out of date, because of changes meanwhile.
    case pageArrived(Edge, isOutdated: Bool)
    /// The request for the page failed.
    case pageFailed(Edge, String)
    /// The request for the page was cancelled.
    case pageCancelled(Edge)
    /// A load, or a value that was set, took the place of the request for the page.
    case pageSuperseded(Edge)

    // MARK: Mutations

    /// An input was performed, and waits for its turn, or has it.
    case inputPerformed
    /// The input waits for the delay of the mutation.
    case inputDelayed
    /// The input waits at its gate until fewer requests run.
    case inputQueued
    /// The input waits for its gate to open.
    case inputWaits
    /// The operation was called with the input.
    case inputSent
    /// The operation reported how far it is, in 0...1; nil: unknown.
    case inputProgressed(Double?)
    /// An attempt failed, and another one follows.
    case inputRetries(failures: Int, error: String)
    /// The input has an answer.
    case inputSucceeded
    /// The input has failed.
    case inputFailed(String)
    /// The input was cancelled.
    case inputCancelled
    /// A newer input took the place of this one, which is never sent.
    case inputSuperseded

    // MARK: Stores and families

    /// The store of a family was read.
    case storeRead(isFound: Bool)
    /// The value was stored.
    case storeWritten
    /// The stored value was removed.
    case storeRemoved
    /// The store could not be read, written or cleared.
    case storeFailed(String)
    /// The family removed the entry.
    case evicted
    /// Tags were invalidated.
    case tagsInvalidated(String)

    // MARK: Inputs, hosts and containers

    /// The input was written.
    case written
    /// The host determined another status, or the same one with another value or error.
    case statusChanged(String)
    /// The container is visible, or on its way.
    case appearance(Appearance)
    /// A transition begins. The text is the state that it leads to.
    case willTransition(String, animated: Bool)
    /// The transition has ended. The text is the state that was left: `nothing` before the first one.
    case didTransition(String, animated: Bool)
    /// A child is about to appear.
    case childWillAppear(String)
    /// A child has appeared.
    case childDidAppear(String)
    /// A child is about to disappear.
    case childWillDisappear(String)
    /// A child has disappeared.
    case childDidDisappear(String)
    /// The children are others, or in another order: from bottom to top.
    case arranged([String])

    // MARK: Warnings

    /// Something looks like a fault. The text names the entries that led to it.
    case warning(String)
  }
}

extension StateJournal.Event {
  /// The description of an error arrived.
  mutating func describe(error text: String) {
    switch self {
    case .loadFailed: self = .loadFailed(text)
    case .loadRetries(let failures, _): self = .loadRetries(failures: failures, error: text)
    case .inputFailed: self = .inputFailed(text)
    case .inputRetries(let failures, _): self = .inputRetries(failures: failures, error: text)
    case .errorSet: self = .errorSet(text)
    case .pageFailed(let edge, _): self = .pageFailed(edge, text)
    case .storeFailed: self = .storeFailed(text)
    case .attached, .released, .loadStarted, .loadYielded, .loadProgressed, .loadWaits, .loadContinues, .loadAnswered,
      .loadCancelled, .loadSuperseded, .loadFoundFresh, .elementArrived, .streamEnded, .valueSet, .errorRemoved, .reset,
      .forgotten, .keyChanged, .keyRemoved, .keyMissing, .invalidated, .restored, .combined, .patched, .patchConfirmed,
      .patchRemoved, .updated, .patchDoubted, .pageStarted, .pageWaits, .pageContinues, .pageArrived,
      .pageCancelled,
      .pageSuperseded,
      .inputPerformed, .inputDelayed, .inputQueued, .inputWaits, .inputSent, .inputProgressed, .inputSucceeded,
      .inputCancelled, .inputSuperseded,
      .storeRead,
      .storeWritten, .storeRemoved, .evicted, .tagsInvalidated, .written, .statusChanged, .appearance, .willTransition,
      .didTransition,
      .childWillAppear, .childDidAppear, .childWillDisappear, .childDidDisappear, .arranged, .warning:
      assertionFailure("Only failures have errors.")
    }
  }
}

// MARK: - Beginnings and ends

extension StateJournal.Event {
  /// A span with a beginning and an end.
  package enum Span: Hashable {
    case load
    case page(StateJournal.Edge)
    /// An optimistic change.
    case change
    case transition
    /// A performed input.
    case input
  }

  /// The statement of an entry about the spans of its subject.
  package enum Role: Hashable {
    case begins(Span)
    case ends(Span)
    /// Of the one that runs.
    case reports(Span)
    case other
  }

  /// The statement of the entry about the spans of its subject.
  package var role: Role {
    switch self {
    case .loadStarted: .begins(.load)
    case .loadYielded, .loadProgressed, .loadWaits, .loadContinues, .loadRetries: .reports(.load)
    case .loadAnswered, .loadFailed, .loadCancelled, .loadSuperseded, .loadFoundFresh: .ends(.load)
    case .patched: .begins(.change)
    case .patchConfirmed, .patchRemoved: .ends(.change)
    case .pageStarted(let edge): .begins(.page(edge))
    case .pageWaits(let edge), .pageContinues(let edge): .reports(.page(edge))
    case .pageArrived(let edge, _), .pageFailed(let edge, _), .pageCancelled(let edge), .pageSuperseded(let edge):
      .ends(.page(edge))
    case .willTransition: .begins(.transition)
    case .didTransition: .ends(.transition)
    case .inputPerformed: .begins(.input)
    case .inputDelayed, .inputQueued, .inputWaits, .inputSent, .inputProgressed, .inputRetries: .reports(.input)
    case .inputSucceeded, .inputFailed, .inputCancelled, .inputSuperseded: .ends(.input)
    case .attached, .released, .elementArrived, .streamEnded, .valueSet, .errorSet, .errorRemoved, .reset, .forgotten,
      .keyChanged, .keyRemoved, .keyMissing, .invalidated, .restored, .combined, .updated, .patchDoubted, .storeRead,
      .storeWritten,
      .storeRemoved, .storeFailed, .evicted, .tagsInvalidated, .written, .statusChanged, .appearance, .childWillAppear,
      .childDidAppear, .childWillDisappear, .childDidDisappear, .arranged, .warning:
      .other
    }
  }
}

extension StateJournal.Event: CustomStringConvertible {
  /// The event in words: `load started (refresh)`.
  public var description: String {
    switch self {
    case .attached(let kind): kind.map { "attached: \($0)" } ?? "attached"
    case .released: "released"
    case .loadStarted(let mode): "load started (\(mode))"
    case .loadYielded: "yielded"
    case .loadProgressed(let progress): "progress \(progress.map { "\(Int($0 * 100)) %" } ?? "unknown")"
    case .loadWaits: "waits for its gate"
    case .loadContinues: "gate open"
    case .loadRetries(let failures, let error): "attempt \(failures) failed, retrying: \(error)"
    case .loadAnswered(let isOutdated): isOutdated ? "answered, out of date" : "answered"
    case .loadFailed(let error): "failed: \(error)"
    case .loadCancelled: "cancelled"
    case .loadSuperseded: "superseded"
    case .loadFoundFresh: "found fresh"
    case .elementArrived(let isOutdated): isOutdated ? "element arrived, out of date" : "element arrived"
    case .streamEnded: "stream ended"
    case .valueSet: "value set"
    case .errorSet(let error): "error set: \(error)"
    case .errorRemoved: "error removed"
    case .reset: "reset"
    case .forgotten: "forgotten"
    case .keyChanged: "key changed"
    case .keyRemoved: "key removed"
    case .keyMissing: "no key"
    case .invalidated: "invalidated"
    case .restored(let isOutdated): isOutdated ? "restored, out of date" : "restored"
    case .combined(let kind): "combined: \(kind)"
    case .patched: "patched"
    case .patchConfirmed(let isOutdated): isOutdated ? "patch confirmed, out of date" : "patch confirmed"
    case .patchRemoved(let isOutdated): isOutdated ? "patch removed, out of date" : "patch removed"
    case .updated(let isOutdated): isOutdated ? "updated, out of date" : "updated"
    case .patchDoubted: "patch in doubt"
    case .pageStarted(let edge): "\(edge) page requested"
    case .pageWaits(let edge): "\(edge) page waits for its gate"
    case .pageContinues(let edge): "\(edge) page: gate open"
    case .pageArrived(let edge, let isOutdated):
      isOutdated ? "\(edge) page arrived, out of date" : "\(edge) page arrived"
    case .pageFailed(let edge, let error): "\(edge) page failed: \(error)"
    case .pageCancelled(let edge): "\(edge) page cancelled"
    case .pageSuperseded(let edge): "\(edge) page superseded"
    case .inputPerformed: "performed"
    case .inputDelayed: "delayed"
    case .inputQueued: "queued"
    case .inputWaits: "waits for its gate"
    case .inputSent: "sent"
    case .inputProgressed(let progress): "progress \(progress.map { "\(Int($0 * 100)) %" } ?? "unknown")"
    case .inputRetries(let failures, let error): "attempt \(failures) failed, retrying: \(error)"
    case .inputSucceeded: "succeeded"
    case .inputFailed(let error): "failed: \(error)"
    case .inputCancelled: "cancelled"
    case .inputSuperseded: "superseded"
    case .storeRead(let isFound): isFound ? "read from the store" : "not in the store"
    case .storeWritten: "stored"
    case .storeRemoved: "removed from the store"
    case .storeFailed(let error): "store failed: \(error)"
    case .evicted: "evicted"
    case .tagsInvalidated(let tags): "invalidated \(tags)"
    case .written: "written"
    case .statusChanged(let status): "status \(status)"
    case .appearance(let appearance): "\(appearance)"
    case .willTransition(let state, let animated): "will transition to \(state.asState)\(animated ? ", animated" : "")"
    case .didTransition(let state, let animated): "did transition from \(state.asState)\(animated ? ", animated" : "")"
    case .childWillAppear(let child): "\(child.asChild) will appear"
    case .childDidAppear(let child): "\(child.asChild) did appear"
    case .childWillDisappear(let child): "\(child.asChild) will disappear"
    case .childDidDisappear(let child): "\(child.asChild) did disappear"
    case .arranged(let children): "children: \(children.asChildren)"
    case .warning(let text): "warning: \(text)"
    }
  }
}

extension StateJournal.DataKind: CustomStringConvertible {
  /// The kind in words: `running, value`.
  public var description: String {
    var words: [String] = []
    if isRunning { words.append("running") }
    if isValueSet { words.append("value") }
    if hasError { words.append("error") }
    if isInvalidated { words.append("invalidated") }
    return words.isEmpty ? "idle" : words.joined(separator: ", ")
  }
}

// MARK: - Folding

extension StateJournal {
  /// The kind of data, from the events that concern it.
  ///
  /// - Parameters:
  ///   - subject: The name of the data.
  ///   - entries: Entries in order.
  ///   - start: What the data was before the first one. Nil where the entries begin with the one by which
  ///     the data was attached.
  /// - Returns: The kind of their snapshot after the last entry; nil if that cannot be known.
  package static func kind(
    of subject: String, after entries: some Sequence<Entry>, from start: DataKind? = nil
  ) -> DataKind? {
    var kind = start
    for entry in entries where entry.subject == subject {
      if case .attached(let first) = entry.event { kind = first }
      kind?.apply(entry.event)
    }
    return kind
  }
}

extension StateJournal.DataKind {
  /// The effect of an event on data of this kind: section 2 of the contract.
  mutating func apply(_ event: StateJournal.Event) {
    switch event {
    case .loadStarted: isRunning = true
    case .loadYielded:
      isValueSet = true
      hasError = false
    case .loadAnswered(let isOutdated):
      self = Self(isValueSet: true, isInvalidated: isOutdated)
    case .elementArrived(let isOutdated):
      isValueSet = true
      hasError = false
      isInvalidated = isOutdated
    case .loadFailed:
      isRunning = false
      hasError = true
    case .loadCancelled, .loadSuperseded: isRunning = false
    case .loadFoundFresh: (isRunning, isInvalidated) = (false, false)
    case .valueSet: self = Self(isValueSet: true)
    case .errorSet: hasError = true
    case .errorRemoved: hasError = false
    case .reset, .forgotten, .keyChanged, .keyRemoved: self = Self()
    case .invalidated: isInvalidated = true
    case .restored(let isOutdated):
      isValueSet = true
      isInvalidated = isOutdated
    case .combined(let kind): self = kind
    case .patchConfirmed(let isOutdated), .patchRemoved(let isOutdated), .updated(let isOutdated),
      .pageArrived(_, let isOutdated):
      if isOutdated { isInvalidated = true }
    case .patchDoubted: isInvalidated = true
    case .attached, .released, .keyMissing, .streamEnded, .loadProgressed, .loadWaits, .loadContinues, .loadRetries,
      .patched, .pageStarted, .pageWaits, .pageContinues, .pageFailed, .pageCancelled, .pageSuperseded,
      .inputPerformed, .inputDelayed, .inputQueued, .inputWaits, .inputSent, .inputProgressed, .inputRetries,
      .inputSucceeded, .inputFailed, .inputCancelled, .inputSuperseded,
      .storeRead, .storeWritten, .storeRemoved, .storeFailed, .evicted, .tagsInvalidated, .written, .statusChanged,
      .appearance, .willTransition,
      .didTransition, .childWillAppear, .childDidAppear, .childWillDisappear, .childDidDisappear, .arranged, .warning:
      break
    }
  }
}
