// SPDX-License-Identifier: MIT
// The inputs of an outbox as a value, which changes by events: it decides what is sent next, and what the store is called for next.
// `Tests/OutboxTable` compiles this file alone, and checks every sequence of events.

/// An input of an outbox.
struct OutboxRow<Input> {
  enum Phase {
    /// The store does not have it yet as an input that waits. With a failure it is set aside there.
    case accepting
    case waiting
    /// It has failed, or was interrupted: it waits for a reason, or for the end of a pause. So does its lane.
    case paused
    /// It has its lane, and its request runs or is just beginning.
    case sending
    /// The same; its attempt is counted, and not made yet.
    case counting
    /// It has failed for good.
    case setAside
    /// It has ended: it is removed from the store, and never sent.
    case over
  }

  let key: String
  /// Its place, the same in the store.
  fileprivate(set) var position: Int
  fileprivate(set) var lane: String
  fileprivate(set) var input: Input
  /// The number of times that it was sent, and of the attempt that is being counted.
  fileprivate(set) var attempts: Int
  /// The error that it was set aside with, until it is accepted again.
  fileprivate(set) var failure: String?
  fileprivate(set) var phase: Phase
  /// What the store was last known to have, until it has a replacement.
  fileprivate(set) var former: (input: Input, lane: String)?
  /// What it was when the last call of the store was taken, if it was replaced since.
  fileprivate(set) var written: (input: Input, lane: String)?
  /// True if the store may have another input of it: this one was rewritten, or is a replacement, or one was taken back.
  fileprivate(set) var isUnsaved = false
  /// True if it is set aside because the store cannot have it: nothing waits until it can.
  fileprivate(set) var isUnencodable = false
  /// The rows that its answer has rewritten: it is in the store as long as these are not.
  fileprivate(set) var rewritten: [String] = []

  var stored: StoredEntry<Input> {
    StoredEntry(
      key: key, position: position, input: input, attempts: attempts, failure: phase == .setAside ? failure ?? "" : nil)
  }

  /// True if it has failed for good, and the store does not have anything else of it.
  var isSetAside: Bool { phase == .setAside || phase == .accepting && failure != nil }

  /// The number of attempts that were made: the last one that is counted may not be yet.
  fileprivate var madeAttempts: Int { phase == .counting ? attempts - 1 : attempts }

  /// The other lanes that the store may have it in.
  var otherLanes: Set<String> {
    former == nil && written == nil ? [] : Set([former, written].compactMap { $0?.lane }).subtracting([lane])
  }

  /// What the next outbox of the process is to know if the store does not have it.
  fileprivate var unsaved: OutboxRest.Unsaved? {
    let failure = phase == .setAside ? failure ?? "" : nil
    return madeAttempts > 0 || failure != nil ? .init(attempts: madeAttempts, failure: failure) : nil
  }

  /// Takes back an attempt that was counted, and not made.
  fileprivate mutating func uncount() { attempts = madeAttempts }
}

/// What a store could not remove.
enum OutboxRemovals {
  case all
  case some(Set<String>)

  var isEmpty: Bool { if case .some([]) = self { true } else { false } }
}

/// What an outbox leaves to the next one of the process, because its store does not have it.
struct OutboxRest {
  /// How often an input was sent that the store has with fewer attempts, and the error that it is set aside with.
  struct Unsaved {
    var attempts: Int
    var failure: String?
  }

  var removals = OutboxRemovals.some([])
  var unsaved: [String: Unsaved] = [:]

  var isEmpty: Bool { removals.isEmpty && unsaved.isEmpty }
}

/// What it leaves besides if the next one belongs to the same actor, and has inputs of the same type.
struct OutboxInputs<Input> {
  /// What is sent instead of what the store has, by key.
  var unsaved: [String: Input] = [:]
  /// The answered ones, each with those that it has rewritten: it stays in the store as long as these are not saved.
  var answered: [String: [String]] = [:]

  var isEmpty: Bool { unsaved.isEmpty && answered.isEmpty }

  func map<Other>(_ transform: (Input) -> Other) -> OutboxInputs<Other> {
    OutboxInputs<Other>(unsaved: unsaved.mapValues(transform), answered: answered)
  }
}

/// The inputs of an outbox, and what its store does not have of them.
struct OutboxTable<Input> {
  typealias Row = OutboxRow<Input>

  /// A call of the store.
  enum Call {
    case clear, read
    case save([StoredEntry<Input>], removing: Set<String>)
  }

  /// What became of a row at the end of a call of the store.
  enum Result {
    case accepted, refused
    /// Its attempt may be made.
    case counted
    case replaced, unreplaced
    /// Something else, which is true whether the store has it or not.
    case told
  }

  enum Reading { case unread, due, failed, done }

  private(set) var rows: [Int: Row] = [:]
  /// What a previous outbox of the process knew of inputs that were not read yet, or cannot be decoded.
  private(set) var inherited: [String: OutboxRest.Unsaved] = [:]
  private(set) var inheritedInputs = OutboxInputs<Input>()
  private(set) var positions: [String: Int] = [:]
  /// The entries of the store that cannot be decoded, in order.
  private(set) var unreadable: [UnreadableEntry] = []
  private(set) var owed = Owed<String>()
  private(set) var nextPosition = 0
  private(set) var reading = Reading.unread

  // Found from the rows, in `index`.
  private var lanes: [String: OutboxLane] = [:]
  /// The positions of the rows that can be sent: one of each lane at most.
  private var ready = OrderedPositions()
  private var unendedCount = 0
  private(set) var (pausedCount, setAsideCount) = (0, 0)

  // MARK: Reading

  subscript(key: String) -> Row? { positions[key].flatMap { rows[$0] } }
  /// All rows in order, except those that are over.
  var all: [Row] { rows.values.filter { $0.phase != .over }.sorted { $0.position < $1.position } }
  /// The number of inputs that have no end.
  var waitingCount: Int { unendedCount + unreadable.count }
  /// The first row that can be sent.
  var next: Row? { ready.first.flatMap { rows[$0] } }
  /// The row of a lane that can be sent.
  func next(in lane: String) -> Row? { lanes[lane]?.next.flatMap { rows[$0] } }
  var isRead: Bool { reading == .done }
  /// True if the store could not be read, and is not about to be read again.
  var isUnread: Bool { reading == .failed }
  /// True if the store is to be called.
  var isDue: Bool { owed.isClearing || isRead ? owed.isDue : reading == .due }
  /// True if the store could not do something, and is called again when there is a reason.
  var hasFailed: Bool { owed.hasFailed || isUnread }

  // MARK: What a person does

  /// An input is performed, under a new key: behind all others.
  mutating func performed(_ key: String, _ input: Input, lane: String) {
    owed.insert(key)
    put(Row(key: key, position: nextPosition, lane: lane, input: input, attempts: 0, phase: .accepting))
    nextPosition += 1
    reads()
    // What the store lacks of its lane is first.
    if lanes[lane]?.isOwed == true { tries() }
  }

  /// What is set aside is to wait again.
  mutating func retried(_ key: String) {
    if self[key]?.phase == .setAside { change(key) { $0.phase = .accepting } }
  }

  /// What has its lane, and waits for room, or for a token, waits for its lane once more: that may be another one.
  ///
  /// - Returns: False if it was sent, or does not wait.
  mutating func replaced(_ key: String, by input: Input, lane: String) -> Bool {
    guard let row = self[key], row.attempts == 0, row.failure == nil,
      [.accepting, .waiting, .paused, .sending].contains(row.phase)
    else { return false }
    let isBeingWritten = owed.writing.contains(key)
    change(key) {
      if isBeingWritten { $0.written = $0.written ?? ($0.input, $0.lane) }
      // Being accepted, it is accepted as a whole, or refused.
      if $0.phase != .accepting { ($0.former, $0.isUnsaved) = ($0.former ?? ($0.input, $0.lane), true) }
      ($0.input, $0.lane) = (input, lane)
      if $0.phase == .sending { $0.phase = .waiting }
    }
    return true
  }

  /// A caller does not want it any more. What was set aside stays so.
  mutating func withdrawn(_ key: String) {
    guard let row = self[key], row.phase != .over, row.phase != .setAside else { return }
    change(key) { $0.phase = $0.isSetAside ? .setAside : .over }
  }

  /// The same, also for what is set aside, cannot be decoded, or was not read yet.
  mutating func discarded(_ key: String) {
    unreadable.removeAll { $0.key == key }
    guard let row = self[key] else { return owed.insert(key) }
    if row.phase != .over { change(key) { $0.phase = .over } }
  }

  mutating func discardedAll() {
    let reading = reading
    self = OutboxTable()
    owed.clear()
    self.reading = reading
  }

  /// What the store does not have, for the next outbox of the process.
  var rest: OutboxRest {
    if owed.isClearing { return OutboxRest(removals: .all) }
    var rest = OutboxRest(unsaved: inherited)
    for row in owed.lacking.compactMap({ self[$0] }) { rest.unsaved[row.key] = row.unsaved }
    let answered = inputs.answered
    rest.removals = .some(owed.lacking.filter { answered[$0] == nil && (self[$0]?.phase ?? .over) == .over })
    return rest
  }

  /// The same, of inputs.
  var inputs: OutboxInputs<Input> {
    var inputs = inheritedInputs
    for row in owed.lacking.compactMap({ self[$0] }) {
      if row.rewritten.contains(where: isInputOwed) { inputs.answered[row.key] = row.rewritten }
      // Also what is to be removed: the answered one stays until then.
      if row.isUnsaved { inputs.unsaved[row.key] = row.former?.input ?? row.input }
    }
    return inputs
  }

  /// A previous outbox has left this.
  mutating func inherited(_ rest: OutboxRest, _ inputs: OutboxInputs<Input> = OutboxInputs()) {
    inherited.merge(rest.unsaved) { $1 }
    inheritedInputs.unsaved.merge(inputs.unsaved) { $1 }
    for (key, rewritten) in inputs.answered {
      inheritedInputs.answered[key] = rewritten
      discarded(key)
    }
    switch rest.removals {
    case .some(let keys): for key in keys { discarded(key) }
    case .all:
      let performed = owed.dirty
      owed.clear()
      for key in performed { owed.insert(key) }
    }
  }

  /// There is a reason for every lane to continue, and to save again what could not be saved.
  mutating func continues() {
    tries()
    guard pausedCount > 0 else { return }
    for (name, lane) in lanes where lane.pausedCount > 0 { continues(name) }
  }

  /// There is a reason to save again what could not be saved, and to read the store.
  mutating func tries() {
    reindexing(owed.failed) { $0.owed.retry() }
    reads()
  }

  /// There is a reason for a lane to continue.
  mutating func continues(_ name: String) {
    guard let lane = lanes[name], lane.pausedCount > 0 else { return }
    for position in lane.queue.all where rows[position]?.phase == .paused { update(position) { $0.phase = .waiting } }
  }

  /// The store is to be read, if it was not.
  mutating func reads() { if reading != .done { reading = .due } }

  // MARK: What the server does

  mutating func begins(_ key: String) { update(key) { $0.phase = .sending } }

  mutating func counts(_ key: String) {
    change(key) {
      $0.uncount()
      $0.attempts += 1
      $0.phase = .counting
    }
  }

  /// Its attempt is made now: the store has its number, or could not save it.
  ///
  /// - Returns: False if it may not be.
  mutating func made(_ key: String) -> Bool {
    guard self[key]?.phase == .counting, owed.isTold(key) else { return false }
    update(key) { $0.phase = .sending }
    return true
  }

  /// It has no answer, and waits to be sent again.
  mutating func failed(_ key: String) {
    switch self[key]?.phase {
    case .sending: update(key) { $0.phase = .paused }
    case .counting:
      change(key) {
        $0.uncount()
        $0.phase = .paused
      }
    case .accepting, .waiting, .paused, .setAside, .over, nil: break
    }
  }

  /// It has failed for good.
  mutating func refused(_ key: String, with failure: String) {
    change(key) { ($0.phase, $0.failure) = (.setAside, failure) }
  }

  /// - Parameters:
  ///   - rewrite: Rewrites the other inputs of its lane, in the same step.
  ///   - lane: The lane of an input.
  /// - Returns: The keys of those that are rewritten.
  mutating func answered(
    _ key: String, rewriting rewrite: ((Input) -> Input?)? = nil, lane: (Input) -> String
  ) -> [String] {
    guard let answered = self[key] else { return [] }
    var rewritten: [String] = []
    if let rewrite {
      for row in all where row.lane == answered.lane && row.key != key {
        guard let input = rewrite(row.input) else { continue }
        change(row.key) { row in
          (row.input, row.lane, row.isUnsaved, row.isUnencodable) = (input, lane(input), true, false)
          if let former = row.former?.input, let input = rewrite(former) { row.former = (input, lane(input)) }
          if let written = row.written?.input, let input = rewrite(written) { row.written = (input, lane(input)) }
          if row.phase == .paused { row.phase = .waiting }
        }
        rewritten.append(row.key)
      }
    }
    change(key) { ($0.phase, $0.rewritten) = (.over, rewritten) }
    return rewritten
  }

  /// No more is sent. What the store could not do is tried once more: the next launch knows only what is there.
  mutating func closed() {
    for row in rows.values where row.phase == .sending || row.phase == .counting { failed(row.key) }
    if hasFailed { tries() }
  }

  // MARK: What the store does

  /// Takes the next call of the store. While one runs, none is taken.
  mutating func takeCall() -> Call? {
    guard isDue else { return nil }
    if owed.isClearing {
      owed.takeClear()
      return .clear
    }
    guard isRead else { return .read }
    var (saves, removals): ([StoredEntry<Input>], Set<String>) = ([], [])
    for key in owed.take(inOrder: precedes) {
      guard let row = self[key], row.phase != .over else {
        removals.insert(key)
        continue
      }
      saves.append(row.stored)
      if row.written != nil { update(key) { $0.written = nil } }
    }
    return .save(saves, removing: removals)
  }

  /// True if the call that was taken may not be made: the store would have an input without another one as it is now, behind
  /// which it belongs, or would not have the answered one any more that has rewritten that.
  var isCallHeld: Bool {
    owed.writing.contains { key in
      guard let row = self[key] else { return false }
      if row.rewritten.contains(where: isInputOwed) { return true }
      guard row.phase == .accepting, lanes[row.lane]?.isOwed == true else { return false }
      return rows.values.contains { $0.lane == row.lane && $0.key != key && isInputOwed($0.key) }
    }
  }

  /// True if the store may have another input of a row, and can have this one, and is not saving it.
  private func isInputOwed(_ key: String) -> Bool {
    guard let row = self[key], !owed.writing.contains(key) else { return false }
    return row.isUnsaved && !row.isUnencodable
  }

  /// The store was read, before anything was saved. What is here already is behind that.
  mutating func restored(_ entries: [Swift.Result<StoredEntry<Input>, UnreadableEntry>], lane: (Input) -> String) {
    // What was read is about to be removed.
    if owed.isClearing { return }
    let performed = rows.values.sorted { $0.position < $1.position }
    let (owed, inherited, inputs) = (owed, inherited, inheritedInputs)
    self = OutboxTable()
    (self.owed, reading) = (owed, .done)
    for entry in entries {
      let (key, position) =
        switch entry {
        case .success(let entry): (entry.key, entry.position)
        case .failure(let entry): (entry.key, entry.position)
        }
      // Entries with one position, as of stores that were put together, keep the order in which they were returned.
      let place = max(position, nextPosition)
      nextPosition = place + 1
      switch entry {
      case .success(let entry):
        let attempts = max(entry.attempts, inherited[key]?.attempts ?? 0)
        let failure = inherited[key]?.failure ?? entry.failure
        var phase = failure == nil ? Row.Phase.waiting : .setAside
        // One that was discarded before the store was read holds its lane until it is removed, like any other.
        if !owed.isTold(key) { phase = .over }
        let (input, isUnsaved) = (inputs.unsaved[key] ?? entry.input, inputs.unsaved[key] != nil)
        if place != position || attempts != entry.attempts || failure != entry.failure || isUnsaved {
          self.owed.insert(key)
        }
        put(
          Row(
            key: key, position: place, lane: lane(input), input: input, attempts: attempts, failure: failure,
            phase: phase, isUnsaved: isUnsaved, rewritten: inputs.answered[key] ?? []))
      case .failure(let entry):
        if owed.isTold(key) { unreadable.append(entry) }
        self.inherited[key] = inherited[key]
        inheritedInputs.unsaved[key] = inputs.unsaved[key]
      }
    }
    for var row in performed {
      row.position = nextPosition
      nextPosition += 1
      put(row)
    }
  }

  mutating func notRestored() { reading = .failed }

  /// The store has what it was called for.
  mutating func saved() -> [(row: Row, result: Result)] {
    var results: [(Row, Result)] = []
    let written = owed.writing
    let unchanged = reindexing(written.union(owed.failed)) { $0.owed.saved() }
    // What has changed since was stored as it was when the call was taken.
    for key in written.subtracting(unchanged).ordered(by: precedes) {
      guard let row = self[key], row.phase == .accepting || row.written != nil, row.failure == nil, row.phase != .over
      else { continue }
      update(key) {
        if let written = $0.written { ($0.former, $0.isUnsaved) = (written, true) }
        if $0.phase == .accepting { $0.phase = .waiting }
      }
      results.append((self[key] ?? row, row.phase == .accepting ? .accepted : .replaced))
      if row.phase == .accepting { continues(row.lane) }
    }
    for key in unchanged.ordered(by: precedes) {
      guard let position = positions[key], var row = rows[position] else { continue }
      row.isUnsaved = false
      if row.former != nil {
        row.former = nil
        results.append((row, .replaced))
      }
      switch row.phase {
      case .accepting:
        (row.phase, row.failure) = (.waiting, nil)
        results.append((row, .accepted))
      case .counting: results.append((row, .counted))
      case .setAside, .over, .waiting, .paused, .sending: results.append((row, .told))
      }
      let wasAccepted = rows[position]?.phase == .accepting
      if row.phase == .over { take(position) } else { update(position) { $0 = row } }
      // A new input is a reason for its lane to continue.
      if wasAccepted { continues(row.lane) }
    }
    return results
  }

  /// The store has failed, and may have saved it all the same. What was saved together is saved one by one; what could not be
  /// saved alone is saved again when there is a reason.
  ///
  /// - Parameter failure: The words of the error if an input cannot be encoded.
  mutating func notSaved(unencodable failure: String? = nil) -> [(row: Row, result: Result)] {
    var results: [(Row, Result)] = []
    for key in reindexing(owed.writing, { $0.owed.notSaved(inOrder: $0.precedes) }) {
      guard var row = self[key] else { continue }
      if let former = row.former, row.phase != .over {
        // It is saved once more: the store may have the replacement all the same. Before others, which may be behind it in its lane.
        (row.input, row.lane, row.former) = (former.input, former.lane, nil)
        change(key) { $0 = row }
        owed.putFirst(key)
        results.append((row, .unreplaced))
        continue
      }
      switch row.phase {
      case .accepting:
        change(key) {
          $0.phase = row.failure == nil ? .over : .setAside
          $0.isUnencodable = failure != nil
        }
        results.append((row, .refused))
      // The key makes a repetition harmless.
      case .counting: results.append((row, .counted))
      case .waiting, .paused, .setAside:
        if let failure {
          update(key) {
            ($0.phase, $0.failure, $0.isUnencodable) = (.setAside, $0.failure ?? failure, true)
          }
        }
        results.append((self[key] ?? row, .told))
      case .sending, .over: results.append((row, .told))
      }
    }
    return results
  }

  /// The store has removed everything, or could not.
  mutating func cleared(_ isDone: Bool) { if isDone { owed.cleared() } }

  // MARK: Changes

  /// By place, those last that are removed: an answered row after all that it has rewritten.
  private func precedes(_ key: String, _ other: String) -> Bool {
    func rank(_ key: String) -> (Int, Int) {
      guard let row = self[key] else { return (1, 0) }
      return (row.phase == .over ? 1 : 0, row.position)
    }
    return rank(key) < rank(other)
  }

  /// Changes a row, so that it must be saved.
  private mutating func change(_ key: String, _ body: (inout Row) -> Void) {
    guard let position = positions[key] else { return }
    reindexing([key]) {
      $0.owed.insert(key)
      if $0.rows[position] != nil { body(&$0.rows[position]!) }
    }
  }

  private mutating func update(_ key: String, _ body: (inout Row) -> Void) {
    if let position = positions[key] { update(position, body) }
  }

  private mutating func update(_ position: Int, _ body: (inout Row) -> Void) {
    guard var row = rows[position] else { return }
    index(row, by: -1)
    body(&row)
    rows[position] = row
    index(row, by: 1)
  }

  private mutating func put(_ row: Row) {
    rows[row.position] = row
    positions[row.key] = row.position
    index(row, by: 1)
  }

  private mutating func take(_ position: Int) {
    guard let row = rows[position] else { return }
    index(row, by: -1)
    rows[position] = nil
    positions[row.key] = nil
  }

  /// Changes rows, or what the store has of them, with what is found from that.
  private mutating func reindexing<Value>(_ keys: Set<String>, _ body: (inout Self) -> Value) -> Value {
    for key in keys { if let row = self[key] { index(row, by: -1) } }
    let value = body(&self)
    for key in keys { if let row = self[key] { index(row, by: 1) } }
    return value
  }

  /// True if the store must have something of a row before one of its lane is sent: that it has ended, or its input.
  private func holdsLane(_ row: Row) -> Bool {
    switch row.phase {
    case .over: !owed.isClean(row.key)
    case .setAside: !row.isUnencodable && !owed.isClean(row.key)
    case .accepting, .waiting, .paused, .sending, .counting: row.isUnsaved
    }
  }

  /// Counts a row in, or out.
  private mutating func index(_ row: Row, by sign: Int) {
    if row.phase == .setAside { setAsideCount += sign }
    if row.phase == .paused { pausedCount += sign }
    if row.phase != .over, row.phase != .setAside { unendedCount += sign }
    count(row, in: row.lane, by: sign)
    // What has ended holds each lane that the store may have it in.
    if row.phase == .over { for lane in row.otherLanes { count(row, in: lane, by: sign) } }
  }

  private mutating func count(_ row: Row, in lane: String, by sign: Int) {
    let holdsLane = holdsLane(row)
    let (former, present, isEmpty) = OutboxLane.change(&lanes[lane, default: OutboxLane()]) {
      $0.count(row.phase, row.position, holdsLane, by: sign)
    }
    if isEmpty { lanes[lane] = nil }
    guard former != present else { return }
    if let former { ready.remove(former) }
    if let present { ready.insert(present) }
  }
}

/// What an outbox knows of a lane: found from its rows.
struct OutboxLane {
  /// The rows that are accepted and have no end.
  private(set) var queue = OrderedPositions()
  private(set) var pausedCount = 0
  private var sendingCount = 0
  /// The rows that the store must have before another one is sent.
  private var owedCount = 0

  /// The row to send next.
  var next: Int? { pausedCount + sendingCount + owedCount == 0 ? queue.first : nil }
  var isOwed: Bool { owedCount > 0 }
  private var isEmpty: Bool { queue.first == nil && owedCount == 0 }

  fileprivate mutating func count<Input>(
    _ phase: OutboxRow<Input>.Phase, _ position: Int, _ holdsLane: Bool, by sign: Int
  ) {
    if holdsLane { owedCount += sign }
    switch phase {
    case .accepting, .setAside, .over: return
    case .waiting: break
    case .paused: pausedCount += sign
    case .sending, .counting: sendingCount += sign
    }
    if sign > 0 { queue.insert(position) } else { queue.remove(position) }
  }

  /// Changes a lane in place.
  ///
  /// - Returns: The rows to send next, before and after, and whether nothing is left of the lane.
  fileprivate static func change(
    _ lane: inout OutboxLane, _ body: (inout OutboxLane) -> Void
  ) -> (former: Int?, present: Int?, isEmpty: Bool) {
    let former = lane.next
    body(&lane)
    return (former, lane.next, lane.isEmpty)
  }
}

/// Positions in order. The first one is removed, and put back, in constant time, averaged over many calls.
struct OrderedPositions {
  private var stored: [Int] = []
  /// The number of those at the start that were removed.
  private var removedCount = 0

  var first: Int? { removedCount < stored.count ? stored[removedCount] : nil }
  var all: ArraySlice<Int> { stored[removedCount...] }

  mutating func insert(_ position: Int) {
    let index = index(of: position)
    if index == removedCount, removedCount > 0 {
      removedCount -= 1
      stored[removedCount] = position
    } else {
      stored.insert(position, at: index)
    }
  }

  mutating func remove(_ position: Int) {
    let index = index(of: position)
    guard index < stored.count, stored[index] == position else { return }
    guard index == removedCount else { return _ = stored.remove(at: index) }
    removedCount += 1
    if removedCount > 16, removedCount * 2 > stored.count {
      stored.removeSubrange(..<removedCount)
      removedCount = 0
    }
  }

  /// Where it is, or belongs.
  private func index(of position: Int) -> Int {
    if let last = stored.last, last < position { return stored.count }
    var (low, high) = (removedCount, stored.count)
    while low < high {
      let middle = (low + high) / 2
      if stored[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
