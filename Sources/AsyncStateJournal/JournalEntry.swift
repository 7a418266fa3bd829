// SPDX-License-Identifier: MIT
package import AsyncState

extension StateJournal {
  /// One thing that happened.
  public struct Entry: Hashable, Sendable {
    /// Counts from one, without gaps.
    public let number: Int
    /// When it was written, since the journal was created, by the journal's clock.
    public internal(set) var time = Duration.zero
    /// The name of the data, host, container, input or board, in one line.
    public let subject: String
    /// The event.
    package internal(set) var event: Event
    /// How many notifications were under way.
    package let depth: Int

    // Zero where there is none, so that an entry is small.
    let causeNumber: Int
    let endedNumber: Int

    /// An entry as it is written, without its time; or one that was read from a text.
    package init(
      number: Int, time: Duration = .zero, subject: String, event: Event, causeNumber: Int, depth: Int, endedNumber: Int
    ) {
      self.number = number
      self.time = time
      self.subject = subject
      self.event = event
      self.depth = depth
      self.causeNumber = causeNumber
      self.endedNumber = endedNumber
    }

    /// The number of the entry whose notification, tag or key change led to this one; nil: it came from outside.
    ///
    /// What a load does while no notification is under way, its answer above all, was led to by the load's start, and
    /// the decision about an optimistic change by the change.
    public var cause: Int? { causeNumber == 0 ? nil : causeNumber }

    /// The number of the entry that began what this one ends: the start of a load or a page request, an optimistic
    /// change, the beginning of a transition. Nil if it ends nothing.
    public var ends: Int? { endedNumber == 0 ? nil : endedNumber }

    /// The event in words, as in `answered`, for a log of one's own.
    public var text: String { "\(event)" }

    /// The text of a warning about a likely fault; nil for an event of a subject.
    public var warning: String? { if case .warning(let text) = event { text } else { nil } }
  }

  /// The parts of data that decide what is displayed.
  package struct DataKind: Hashable, Sendable {
    /// A load is running.
    package var isRunning: Bool
    /// A value was set or loaded.
    package var isValueSet: Bool
    /// There is an error.
    package var hasError: Bool
    /// The data was invalidated, and no newer load has succeeded.
    package var isInvalidated: Bool

    /// A kind; of new data without parameters.
    package init(
      isRunning: Bool = false, isValueSet: Bool = false, hasError: Bool = false, isInvalidated: Bool = false
    ) {
      self.isRunning = isRunning
      self.isValueSet = isValueSet
      self.hasError = hasError
      self.isInvalidated = isInvalidated
    }

    /// The kind of a snapshot.
    package init<Value>(_ snapshot: AsyncSnapshot<Value>) {
      self.init(
        isRunning: snapshot.isRunning, isValueSet: snapshot.isValueSet, hasError: snapshot.error != nil,
        isInvalidated: snapshot.isInvalidated)
    }

    init(_ record: borrowing DataRecord) {
      self.init(
        isRunning: record.isRunning, isValueSet: record.isValueSet, hasError: record.hasError,
        isInvalidated: record.isInvalidated)
    }
  }

  /// An end of a list that is loaded in pages.
  package enum Edge: Hashable, Sendable {
    /// After the last page.
    case next
    /// Before the first page.
    case previous

    init(_ edge: PageEdge) {
      switch edge {
      case .next: self = .next
      case .previous: self = .previous
      }
    }
  }
}

extension StateJournal.Entry: CustomStringConvertible {
  /// The number, the subject, the event and the cause: `#4 results: answered ← #3`.
  public var description: String {
    "#\(number) \(subject): \(event)\(cause.map { " ← #\($0)" } ?? "")"
  }
}
