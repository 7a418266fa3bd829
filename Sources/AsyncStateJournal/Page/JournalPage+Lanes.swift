// SPDX-License-Identifier: MIT
extension StateJournal.Event {
  /// The lane of a subject that an event is drawn in.
  enum Track: Int {
    /// What is being requested, as bars.
    case requests
    /// Value, error and age of the data, as a band.
    case content
    case status
    case transitions
    case children
    case other
    /// Where the journal began with the subject.
    case attachment
  }

  /// How an event is drawn.
  enum Tone: Int {
    case plain
    case success
    case failure
    /// What was begun was taken back, or replaced.
    case ended
    case warning
  }

  var track: Track {
    switch self {
    case .loadStarted, .loadYielded, .loadProgressed, .loadWaits, .loadContinues, .loadRetries, .loadAnswered,
      .loadFailed,
      .loadCancelled, .loadSuperseded, .loadFoundFresh, .patched, .patchConfirmed, .patchRemoved,
      .patchDoubted, .pageStarted,
      .pageWaits, .pageContinues, .pageArrived, .pageFailed, .pageCancelled, .pageSuperseded, .keyMissing,
      .inputPerformed, .inputDelayed, .inputQueued, .inputWaits, .inputSent, .inputProgressed, .inputRetries,
      .inputSucceeded, .inputFailed, .inputCancelled, .inputSuperseded:
      .requests
    case .elementArrived, .updated, .streamEnded, .valueSet, .errorSet, .errorRemoved, .reset, .keyChanged, .keyRemoved,
      .forgotten,
      .invalidated, .restored, .combined:
      .content
    case .statusChanged: .status
    case .appearance, .willTransition, .didTransition: .transitions
    case .childWillAppear, .childDidAppear, .childWillDisappear, .childDidDisappear, .arranged: .children
    case .attached: .attachment
    case .released, .storeRead, .storeWritten, .storeRemoved, .storeFailed, .evicted, .tagsInvalidated,
      .written,
      .warning:
      .other
    }
  }

  var tone: Tone {
    switch self {
    case .loadAnswered, .loadFoundFresh, .patchConfirmed, .pageArrived, .elementArrived, .updated,
      .didTransition, .inputSucceeded:
      .success
    case .loadFailed, .loadRetries, .errorSet, .pageFailed, .storeFailed, .patchRemoved, .patchDoubted,
      .inputFailed, .inputRetries:
      .failure
    case .loadCancelled, .loadSuperseded, .pageCancelled, .pageSuperseded, .keyMissing, .evicted, .released,
      .inputCancelled, .inputSuperseded:
      .ended
    case .warning: .warning
    case .attached, .loadStarted, .loadYielded, .loadProgressed, .loadWaits, .loadContinues, .streamEnded, .valueSet,
      .errorRemoved, .reset, .keyChanged, .keyRemoved, .forgotten, .invalidated, .restored, .combined, .patched,
      .pageStarted, .pageWaits, .pageContinues, .storeRead, .storeWritten, .storeRemoved, .tagsInvalidated, .written,
      .statusChanged, .appearance, .willTransition, .childWillAppear, .childDidAppear, .childWillDisappear,
      .childDidDisappear, .arranged, .inputPerformed, .inputDelayed, .inputQueued, .inputWaits, .inputSent,
      .inputProgressed:
      .plain
    }
  }
}
