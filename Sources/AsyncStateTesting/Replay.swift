// SPDX-License-Identifier: MIT
public import AsyncStateJournal
public import AsyncState

/// Repeats what a journal has recorded: turns a report into a test.
///
/// ```swift
/// let replay = Replay(try StateJournal.entries(of: report))
/// replay.attach(query, name: "query") { _ in "swift" }
/// replay.attach(results, name: "results") { _ in ["one", "two"] }
/// #expect(replay.run(through: 4) == nil)
/// ```
///
/// Attach what was attached to the journal, by the same names: new objects, with the code that observes them in the app.
/// A replay carries out what came from outside (what a user did, how requests were answered), in order. What was led to
/// by another entry must follow by itself, except for a load that has waited for the end of another one or for the delay
/// of its key. All that happens is recorded in ``journal`` and compared with the recording.
///
/// A journal has no values, so the test gives them: each closure is called with the entry that needs one. Operations of
/// loads are not called while a replay runs: it answers the loads itself, and ``run(through:isolation:)`` suspends
/// nowhere.
///
/// | entry | is repeated by |
/// |---|---|
/// | load started, no key, value set, reset and so on | the same call, if it has not happened by itself |
/// | answered, failed, yielded, progress, pages | answering the request that runs |
/// | patched, patch confirmed, patch removed | a change to the value that the test gives |
/// | written | a write of the value that the test gives; several inputs at once if it was a `batch(_:)` |
/// | appearing, visible, disappearing, gone | the life-cycle call |
/// | will transition | a request for the state |
/// | a child's end of an animation | the end of the animation, if the container has the replay's ``animator`` |
/// | status loading, first of a host | the `start()` of the host |
///
/// What a family, a tag board or a store did is not repeated, and neither is a release. Times are not compared, and
/// warnings are left out.
///
/// A replay belongs to the actor of its subjects.
public final class Replay {
  /// The journal of the replay.
  public let journal = StateJournal(capacity: .max, limits: .init(restarts: .max, statusChangesPerSecond: .max))

  /// Ends each animation when the recording says so. For containers and hosts whose animations took time.
  public var animator: any TransitionAnimator { animations }

  let animations = ReplayedAnimations()
  /// The steps that are expected.
  private let steps: [StateJournal.Entry]
  /// The places of the steps, by their numbers.
  private let places: [Int: Int]
  private let replacesObservers: Bool
  private var subjects: [String: ReplayedSubject] = [:]

  /// How many steps have happened.
  private var place = 0
  /// The entries that have been added after them.
  private var news: ArraySlice<StateJournal.Entry> = []
  /// The numbers in ``journal``, by those of the steps that have happened.
  private var numbers: [Int: Int] = [:]
  private var end = Int.max
  private var isRunning = false
  private var failure: String?
  private var token: ObservedToken?

  /// A replay of a recording.
  ///
  /// - Parameters:
  ///   - entries: Entries of one journal, in order. Leave out what belongs to subjects that the test does not have, as in
  ///     `entries.filter { $0.subject != "screen" }`: what such entries led to counts as from outside.
  ///   - replacesObservers: Whether the replay also does what observers did in the recording: for a test that has the
  ///     data, and not the code that observed them.
  public init(_ entries: some Sequence<StateJournal.Entry>, replacesObservers: Bool = false) {
    let steps = entries.filter { if case .warning = $0.event { false } else { true } }
    self.steps = steps
    places = Dictionary(steps.indices.map { (steps[$0].number, $0) }) { first, _ in first }
    self.replacesObservers = replacesObservers
  }

  /// Adds a subject.
  func attach(_ subject: ReplayedSubject, _ name: String) {
    subjects[StateJournal.text(of: name)] = subject
  }

  func input(named name: String) -> ReplayedInput? {
    subjects[name] as? ReplayedInput
  }

  /// The subjects that are of a type.
  func subjects<Subject>(of type: Subject.Type = Subject.self) -> [Subject] {
    subjects.values.compactMap { $0 as? Subject }
  }

  // MARK: Running

  /// Carries out what came from outside, and compares what happens with the recording.
  ///
  /// - Parameters:
  ///   - number: The last entry to carry out and to compare; nil: all of them. A later call continues there.
  ///   - isolation: The actor of the subjects.
  /// - Returns: The first difference with its surroundings, or what cannot be repeated; nil if everything has happened
  ///   as it was recorded. After a difference nothing more is carried out.
  public func run(through number: Int? = nil, isolation: isolated any Actor = #isolation) -> String? {
    end = number ?? .max
    if token == nil, failure == nil { begin(isolation) }
    isRunning = true
    defer { isRunning = false }
    compareNews()
    while failure == nil, let step = next {
      // The test has the subjects, and releases them.
      if step.event == .released { place += 1 } else { carryOut(step, isolation) }
      compareNews()
    }
    return failure
  }

  private func begin(_ isolation: isolated any Actor) {
    failure = missingSubjects
    guard failure == nil else { return }
    for (name, subject) in subjects {
      let own = steps.filter { $0.subject == name }
      // Otherwise the recording says when.
      if own.first?.isAttachment != true { subject.attach(to: journal, name, before: own, isolation: isolation) }
    }
    token = journal.observe { [weak self] in self?.note($0, isolation) }
  }

  /// The next step; nil if none is left to be carried out now.
  private var next: StateJournal.Entry? {
    place < steps.count && steps[place].number <= end ? steps[place] : nil
  }

  /// The steps that have happened.
  var past: ArraySlice<StateJournal.Entry> { steps[..<place] }

  /// The steps after the next one.
  var following: ArraySlice<StateJournal.Entry> { steps.dropFirst(place + 1) }

  /// The entry that has led to a step; nil if it came from outside.
  private func cause(of step: StateJournal.Entry) -> StateJournal.Entry? {
    guard let cause = step.cause, numbers[cause] != nil, let place = places[cause] else { return nil }
    return steps[place]
  }

  private func carryOut(_ step: StateJournal.Entry, _ isolation: isolated any Actor) {
    guard let subject = subjects[step.subject] else { return }
    let action = subject.action(of: step, in: self)
    let last = journal.lastNumber
    var problem: String?
    if step.isAttachment {
      subject.attach(to: journal, step.subject, before: [step], isolation: isolation)
    } else if let cause = cause(of: action), !subject.isAnswer(action, to: cause, in: self) {
      guard replacesObservers || subject.hasWaited(action, since: cause, in: self), let number = numbers[cause.number]
      else {
        failure = missing(step, "It was led to by #\(cause.number), and has not followed by itself: \(Self.advice)")
        return
      }
      journal.notifying(of: number) { problem = subject.carryOut(action, in: self, isolation: isolation) }
    } else {
      problem = carryOutTogether(action) ?? subject.carryOut(action, in: self, isolation: isolation)
    }
    if failure == nil, journal.lastNumber == last {
      failure = missing(step, problem ?? "Repeating it changes nothing.")
    }
  }

  /// Something has happened.
  private func note(_ entry: StateJournal.Entry, _ isolation: isolated any Actor) {
    news.append(entry)
    guard isRunning else { return }
    compareNews()
    // The act of an observer in the recording, if that was the next that happened.
    guard replacesObservers, failure == nil, journal.lastNumber == entry.number, let step = next,
      let subject = subjects[step.subject]
    else { return }
    let action = subject.action(of: step, in: self)
    guard let cause = cause(of: action), !subject.isAnswer(action, to: cause, in: self),
      subject.isByObserver(action, of: cause)
    else { return }
    carryOut(step, isolation)
  }

  // MARK: Comparing

  private func compareNews() {
    while failure == nil, let entry = news.first {
      while let step = next, step.event == .released, entry.event != .released { place += 1 }
      guard place < steps.count else {
        failure = difference("The recording ends before this.")
        return
      }
      guard let step = next else { return }
      guard isSame(entry, step) else {
        failure = difference(nil)
        return
      }
      numbers[step.number] = entry.number
      place += 1
      news.removeFirst()
    }
  }

  private func isSame(_ entry: StateJournal.Entry, _ step: StateJournal.Entry) -> Bool {
    // As texts: a recording that was read from a text has no more.
    guard entry.subject == step.subject, "\(entry.event)" == "\(step.event)" else { return false }
    guard let cause = step.cause else { return entry.cause == nil || step.isAttachment }
    guard let number = numbers[cause] else { return true }
    return entry.cause == number || step.isAttachment
  }

  // MARK: Texts

  private static let advice = """
    make the code that did this a part of the test, or create the replay with `replacesObservers: true`.
    """

  private var missingSubjects: String? {
    let missing = steps.filter { subjects[$0.subject] == nil }
    guard !missing.isEmpty else { return nil }
    let counts = Dictionary(missing.map { ($0.subject, 1) }, uniquingKeysWith: +)
    let names = counts.keys.sorted().map { "\($0) (\(counts[$0] ?? 0))" }.joined(separator: ", ")
    return """
      The recording has entries of subjects that were not attached to the replay: \(names). Nothing was carried out. \
      Attach them, or leave their entries out: `Replay(entries.filter { $0.subject != "\(missing[0].subject)" })`.
      """
  }

  /// A step has not happened.
  private func missing(_ step: StateJournal.Entry, _ reason: String) -> String {
    difference("#\(step.number) \(step.subject): \(step.event). \(reason)")
  }

  private func difference(_ reason: String?) -> String {
    let expected = steps.map(\.description)
    // The numbers are those of the recording.
    let recordedNumbers = Dictionary(numbers.map { ($1, $0) }) { first, _ in first }
    let others = news.map { entry in
      let cause = entry.cause.map { " ← \(recordedNumbers[$0].map { "#\($0)" } ?? "something new")" } ?? ""
      return "\(entry.subject): \(entry.event)\(cause)"
    }
    let difference = TraceDifference(expected: expected, recorded: expected[..<place] + others)
    let text = difference?.text(names: ("recorded:\n  ", "replayed:\n  "), context: 4, separator: "\n  ") {
      ">>\($0 ?? "end")<<"
    }
    let what: String? = difference.flatMap { difference in
      switch difference.parts {
      case (.some(let expected), .some(let other)): "Expected is \(expected). What has happened is \(other)."
      case (.some(let expected), .none): "This has not happened: \(expected)."
      case (.none, .some(let other)): "This is not in the recording: \(other)."
      case (.none, .none): nil
      }
    }
    let first = "The replay differs from the recording after \(place) entries."
    return [first, what, text, reason].compactMap { $0 }.joined(separator: "\n")
  }
}

extension StateJournal.Entry {
  var isAttachment: Bool {
    if case .attached = event { true } else { false }
  }
}

extension Replay: CustomStringConvertible {
  /// How many entries have happened.
  public var description: String { "Replay: \(place) of \(steps.count) entries\(failure == nil ? "" : ", failed")" }
}
