// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// Decides which entry of a journal is which mark in which lane, and when there is anything to see at all.
///
/// It takes in one entry after another, and keeps a bounded number of marks: so it continues when the journal has removed
/// the entries that they are made of.
struct JournalLanes {
  /// One side of a subject, which has a lane of its own.
  enum Part: Hashable {
    /// The loads, page requests and optimistic changes of data.
    case requests
    /// The content of data, also while a load is running.
    case content
    /// The status of a host.
    case status
    /// The transitions of a container, from "will" to "did".
    case transitions
    /// All children of a container.
    case children
    /// One child, from its "will appear" to its "did disappear".
    case child(String)
  }

  /// Names a lane.
  struct ID: Hashable {
    let subject: String
    let part: Part

    init(_ subject: String, _ part: Part) {
      (self.subject, self.part) = (subject, part)
    }
  }

  /// A pause longer than this divides what happens into stretches.
  static let longestPause = Duration.milliseconds(400)

  /// Lanes, in the order of their first marks.
  private(set) var ids: [ID] = []
  /// When something happens, in order: from the first entry to the last, without pauses in between.
  private(set) var stretches: [ClosedRange<Duration>] = []
  /// The number of the last entry; zero before the first.
  private(set) var lastNumber = 0
  /// The number of the last entry that made a mark; zero before the first.
  private(set) var lastMarkedNumber = 0

  private let capacity: Int
  private var marks: [ID: [Lane.Mark]] = [:]
  /// The numbers of the entries that began what has not ended.
  private var open: [ID: Set<Int>] = [:]
  /// The states that transitions lead to.
  private var destinations: [ID: String] = [:]
  /// The data that the lane of a name shows the content of, and their kind. Entries of a family have one lane: that of
  /// the entry that was attached last.
  private var contents: [String: (subject: String, kind: StateJournal.DataKind)] = [:]

  /// - Parameter capacity: How many marks of a lane, and how many stretches, are kept at least.
  init(capacity: Int = 200) {
    self.capacity = capacity
  }

  /// Whether a request or a transition has begun and not ended.
  var isBusy: Bool {
    open.contains { id, begun in [.requests, .transitions].contains(id.part) && !begun.isEmpty }
  }

  /// A lane; without marks if nothing has happened there.
  func lane(_ id: ID, named name: String) -> Lane {
    Lane(name: name, marks: marks[id] ?? [])
  }

  /// Takes in the next entry.
  ///
  /// - Parameter isAside: Whether it is of another journal, so that it has marks, and no number that can be selected.
  mutating func add(_ entry: StateJournal.Entry, isAside: Bool = false) {
    let former = lastMarkedNumber
    defer { if isAside { lastMarkedNumber = former } }
    if !isAside { lastNumber = entry.number }
    extend(to: entry.time)
    switch entry.event {
    case .attached(let kind):
      if let kind { attach(entry, kind) }
    case .loadStarted, .pageStarted, .patched: begin(entry, .requests)
    case .loadAnswered, .pageArrived, .patchConfirmed, .patchReplaced: end(entry, .requests, "●", .good)
    case .loadFoundFresh: end(entry, .requests, "●", .faint)
    case .loadFailed, .pageFailed, .patchRemoved: end(entry, .requests, "✗", .bad)
    case .loadCancelled, .pageCancelled: end(entry, .requests, "○", .faint)
    case .loadSuperseded, .pageSuperseded: end(entry, .requests, "⊘", .bad)
    case .loadYielded: add(entry, .requests, "▪", style: .good)
    case .loadWaits, .pageWaits: add(entry, .requests, "⏸", style: .faint)
    case .loadContinues, .pageContinues: add(entry, .requests, "▸", style: .faint)
    case .loadRetries: add(entry, .requests, "✗", style: .bad)
    case .combined(let kind):
      if kind.isRunning { begin(entry, .requests) }
    case .statusChanged(let status): add(entry, .status, "▏", status, style: Self.style(ofStatus: status))
    case .willTransition(let state, _):
      destinations[ID(entry.name, .transitions)] = state
      begin(entry, .transitions, "◇")
    case .didTransition: endTransition(entry)
    case .arranged(let children):
      add(entry, .children, "▏", children.isEmpty ? "none" : children.joined(separator: ", "))
    case .childWillAppear(let child):
      open[ID(entry.name, .child(child)), default: []] = [entry.number]
      add(entry, .child(child))
    case .childDidDisappear(let child):
      open[ID(entry.name, .child(child))] = nil
      add(entry, .child(child), "┤", style: .faint)
    case .released:
      if let begun = entry.ends { open[ID(entry.name, .transitions)]?.remove(begun) }
    case .loadProgressed, .elementArrived, .streamEnded, .updated, .patchDoubted, .valueSet, .errorSet, .errorRemoved,
      .reset, .forgotten,
      .keyChanged, .keyRemoved,
      .keyMissing,
      .invalidated, .restored, .storeRead,
      .storeWritten, .storeRemoved, .storeFailed, .evicted, .tagsInvalidated, .written, .appearance, .childDidAppear,
      .childWillDisappear, .warning:
      break
    }
    updateContent(after: entry)
  }

  // MARK: Marks

  private mutating func extend(to time: Duration) {
    // The entry may be the one that ends what was running until now.
    if let last = stretches.last, isBusy || time - last.upperBound <= Self.longestPause {
      stretches[stretches.count - 1] = last.lowerBound...max(time, last.upperBound)
    } else {
      stretches.append(time...time)
      if stretches.count >= 2 * capacity { stretches.removeFirst(capacity) }
    }
  }

  private mutating func add(
    _ entry: StateJournal.Entry, _ part: Part, _ sign: String = "", _ text: String = "", style: Style = .plain
  ) {
    let id = ID(entry.name, part)
    lastMarkedNumber = entry.number
    if marks[id] == nil { ids.append(id) }
    let isRunning = open[id].map { !$0.isEmpty } ?? false
    marks[id, default: []].append(
      Lane.Mark(time: entry.time, sign: sign, text: text, style: style, isRunning: isRunning))
    if marks[id, default: []].count >= 2 * capacity { marks[id]?.removeFirst(capacity) }
  }

  private mutating func begin(_ entry: StateJournal.Entry, _ part: Part, _ sign: String = "") {
    open[ID(entry.name, part), default: []].insert(entry.number)
    add(entry, part, sign)
  }

  private mutating func end(
    _ entry: StateJournal.Entry, _ part: Part, _ sign: String, _ style: Style = .plain, text: String = ""
  ) {
    if let begun = entry.ends { open[ID(entry.name, part)]?.remove(begun) }
    add(entry, part, sign, text, style: style)
  }

  /// The "did" stands beside its "will" where both are at the same time.
  private mutating func endTransition(_ entry: StateJournal.Entry) {
    let id = ID(entry.name, .transitions)
    let will = marks[id]?.last
    let isImmediate = will?.sign == "◇" && will.map { entry.time - $0.time < .milliseconds(10) } == true
    if isImmediate { marks[id]?.removeLast() }
    end(entry, .transitions, isImmediate ? "◇◆" : "◆", text: destinations[id] ?? "")
  }

  // MARK: The content of data

  private mutating func attach(_ entry: StateJournal.Entry, _ kind: StateJournal.DataKind) {
    if kind.isRunning { begin(entry, .requests) }
    contents[entry.name] = (entry.subject, kind)
    addContent(entry, kind)
  }

  private mutating func updateContent(after entry: StateJournal.Entry) {
    guard let (subject, former) = contents[entry.name], subject == entry.subject,
      let kind = StateJournal.kind(of: subject, after: CollectionOfOne(entry), from: former)
    else { return }
    contents[entry.name]?.kind = kind
    if kind.content != former.content { addContent(entry, kind) }
  }

  private mutating func addContent(_ entry: StateJournal.Entry, _ kind: StateJournal.DataKind) {
    let content = kind.content
    let text = content == StateJournal.DataKind() ? "nothing" : "\(content)"
    let style: Style = content.hasError ? .bad : content.isValueSet ? .good : .faint
    add(entry, .content, "▏", text, style: style)
  }

  private static func style(ofStatus status: String) -> Style {
    switch status {
    case "data": .good
    case "error": .bad
    case "loading": .accent
    // No data, and what a program calls its own statuses.
    default: .faint
    }
  }
}

extension StateJournal.Entry {
  /// The name of the subject, without the key of a family's entry: `rows` for `rows[2]`.
  fileprivate var name: String { String(subject.prefix { $0 != "[" }) }
}

extension StateJournal.DataKind {
  /// The content, whether or not a load is running.
  fileprivate var content: Self {
    var content = self
    content.isRunning = false
    return content
  }
}
#endif
