// SPDX-License-Identifier: MIT
// The two ends of an attachment: what a subject holds, and what it records in the journal.

import AsyncState

/// A subject's way to its journal. The subject holds it; it keeps neither the journal nor the actor alive.
class JournalProbe {
  final let name: String
  /// The entries that began what has not ended.
  final var opened = Opened()

  private final weak var attachedJournal: StateJournal?
  private final weak var home: (any Actor)?

  struct Opened {
    var load = 0
    var next = 0
    var previous = 0
    /// The entries of optimistic changes that are not decided, by the number of the change.
    var patches: [Int: Int] = [:]
    /// The entries of performed inputs that have not ended.
    var inputs: [ObjectIdentifier: Int] = [:]
    var transition = 0

    /// A request runs, or an optimistic change is not decided.
    var hasAny: Bool { load != 0 || next != 0 || previous != 0 || !patches.isEmpty }

    /// The edge at which a further page is being loaded; nil: none is.
    var page: StateJournal.Edge? { next != 0 ? .next : previous != 0 ? .previous : nil }

    /// The entry that began a span which has not ended; zero without one. Each optimistic change has one of its own.
    subscript(span: StateJournal.Event.Span) -> Int {
      get {
        switch span {
        case .load: load
        case .page(.next): next
        case .page(.previous): previous
        case .transition: transition
        case .change, .input: 0
        }
      }
      set {
        switch span {
        case .load: load = newValue
        case .page(.next): next = newValue
        case .page(.previous): previous = newValue
        case .transition: transition = newValue
        case .change, .input: assertionFailure("There are several of them at a time.")
        }
      }
    }
  }

  init(_ journal: StateJournal, _ name: String, _ home: any Actor) {
    attachedJournal = journal
    self.name = StateJournal.text(of: name)
    self.home = home
  }

  /// The subject was released, on any thread.
  deinit {
    guard let journal = attachedJournal, let home else { return }
    perform(on: home) { [name, opened] in journal.recordRelease(of: name, opened) }
  }

  /// Nil when the journal was released, or the subject is attached to another one.
  final var journal: StateJournal? { attachedJournal }

  /// Another probe takes the place of this one.
  final func retire() {
    attachedJournal = nil
  }

  /// Adds an entry where everything is consistent.
  @discardableResult
  final func note(
    _ event: StateJournal.Event, ends: Int = 0, origin: Int = 0, because cause: Int? = nil, error: (any Error)? = nil
  ) -> Int {
    guard let journal else { return 0 }
    let number = journal.record(event, of: name, ends: ends, origin: origin, because: cause, error: error)
    journal.complete()
    return number
  }
}

extension StateJournal {
  /// A subject was released. What it had begun has ended.
  fileprivate func recordRelease(of subject: String, _ opened: JournalProbe.Opened) {
    if opened.load != 0 { record(.loadCancelled, of: subject, ends: opened.load) }
    if opened.next != 0 { record(.pageCancelled(.next), of: subject, ends: opened.next) }
    if opened.previous != 0 { record(.pageCancelled(.previous), of: subject, ends: opened.previous) }
    for input in opened.inputs.values.sorted() { record(.inputCancelled, of: subject, ends: input) }
    record(.released, of: subject, ends: opened.transition)
    complete()
  }
}
