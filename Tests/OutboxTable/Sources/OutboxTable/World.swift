// SPDX-License-Identifier: MIT

/// A table with its store, its server, and the persons who use it.
struct World {
  /// The number of times that an input is sent on purpose.
  static let maxSent = 2

  var table = OutboxTable<Int>()
  var store: [StoredEntry<Int>] = []
  var flight: Flight?
  var deeds = [Deed](repeating: Deed(), count: 3)

  init() { table.reads() }

  func row(_ number: Int) -> OutboxRow<Int>? { table["\(number)"] }
  func entry(_ number: Int) -> StoredEntry<Int>? { store.first { $0.key == "\(number)" } }
  func isUnreadable(_ number: Int) -> Bool { table.unreadable.contains { $0.key == "\(number)" } }
  private var lanes: [String] { ["a", "b"] }

  // MARK: Events

  var events: [Event] {
    var all: [Event] = []
    for number in deeds.indices {
      let (row, deed) = (row(number), deeds[number])
      if !deed.isPerformed { all.append(.perform(number)) }
      if row?.phase == .setAside, deed.sent < Self.maxSent { all.append(.retry(number)) }
      if let row, row.phase != .over, row.phase != .setAside { all.append(.withdraw(number)) }
      let isUnread =
        !table.isRead && !table.owed.isClearing && entry(number) != nil && !deed.isOver
        && table.owed.isTold("\(number)")
      if row?.isSetAside == true || isUnreadable(number) || isUnread { all.append(.discard(number)) }
      let replacements = deed.isReplacing && number == 1 ? 2 : 1
      if let row, row.attempts == 0, Content.replacement(row.input) < replacements, row.failure == nil,
        [.accepting, .waiting, .paused, .sending].contains(row.phase)
      {
        all.append(.replace(number))
      }
      if row?.phase == .sending, deed.sent < Self.maxSent { all.append(.count(number)) }
      if row?.phase == .counting { all.append(.make(number)) }
      if row?.phase == .sending, deed.isRunning { all += [.answer(number), .refuse(number)] }
      if row?.phase == .sending || row?.phase == .counting { all.append(.fail(number)) }
    }
    if deeds.contains(where: \.isPerformed) { all.append(.discardAll) }
    // Another outbox of the process has left it, before anything was stored here.
    if table.reading == .due, flight == nil, store.isEmpty, !table.owed.isClearing { all.append(.inherit) }
    if table.pausedCount > 0 || table.hasFailed { all.append(.wake) }
    for lane in lanes where table.next(in: lane) != nil { all.append(.begin(lane)) }
    switch flight {
    case nil:
      if table.isDue { all.append(.call) }
      all += [.kill(isDone: false), .handOver(isSameActor: true), .handOver(isSameActor: false)]
    case .read:
      all += [.read(unreadable: nil), .notRead, .kill(isDone: false)]
      // What the outbox before has decoded in this process can be decoded.
      let (inputs, answered) = (table.inheritedInputs.unsaved, table.inheritedInputs.answered)
      all += deeds.indices.filter { entry($0) != nil && inputs["\($0)"] == nil && answered["\($0)"] == nil }
        .map { .read(unreadable: $0) }
    case .save(let saves, let removals):
      if saves.count == 1, removals.isEmpty { all.append(.cannotEncode) }
      fallthrough
    case .clear:
      all += [
        .end(isDone: true, isThrowing: false), .end(isDone: false, isThrowing: true),
        .end(isDone: true, isThrowing: true),
      ]
      all += [.kill(isDone: false), .kill(isDone: true)]
    }
    return all
  }

  /// - Returns: What must not be.
  mutating func perform(_ event: Event) -> String? {
    switch event {
    case .perform(let number):
      deeds[number] = Deed(isPerformed: true, contents: [number, number + 100])
      table.performed("\(number)", number, lane: Content.lane(number))
    case .retry(let number):
      deeds[number].wasPutBack = true
      table.retried("\(number)")
    case .withdraw(let number):
      let isSetAside = row(number)?.isSetAside == true
      table.withdrawn("\(number)")
      deeds[number].isRunning = false
      if !isSetAside { end(number) }
    case .discard(let number):
      table.discarded("\(number)")
      end(number)
    case .replace(let number): return replace(number)
    case .discardAll:
      table.discardedAll()
      for number in deeds.indices where deeds[number].isPerformed { end(number) }
    case .wake: table.continues()
    case .inherit: table.inherited(OutboxRest(removals: .all))
    case .begin(let lane): return begin(lane) ?? fault
    case .count(let number):
      deeds[number].isRunning = false
      table.counts("\(number)")
    case .make(let number):
      if !table.made("\(number)") {
        return flight == nil && table.owed.isTold("\(number)") ? "\(number) is not made" : nil
      }
      return send(number) ?? fault
    case .answer(let number): answer(number)
    case .fail(let number):
      deeds[number].isRunning = false
      table.failed("\(number)")
    case .refuse(let number):
      deeds[number].isRunning = false
      deeds[number].isSetAside = true
      table.refused("\(number)", with: "refused")
    case .call: return call() ?? fault
    case .end(let isDone, let isThrowing): return endCall(isDone: isDone, isThrowing: isThrowing) ?? fault
    case .cannotEncode:
      // What cannot be stored cannot be rewritten.
      if case .save(let saves, _)? = flight, let number = saves.first.flatMap({ Int($0.key) }) {
        deeds[number].isRewritten = false
      }
      flight = nil
      return note(table.notSaved(unencodable: "cannot be encoded")) ?? fault
    case .read(let unreadable):
      flight = nil
      for number in deeds.indices { deeds[number].isUnreadable = number == unreadable }
      table.restored(
        store.map { entry in
          entry.key == unreadable.map { "\($0)" }
            ? .failure(UnreadableEntry(key: entry.key, position: entry.position, reason: "")) : .success(entry)
        }, lane: Content.lane)
    case .notRead:
      flight = nil
      table.notRestored()
    case .kill(let isDone): kill(isDone)
    case .handOver(let isSameActor): handOver(isSameActor)
    }
    return fault
  }

  private mutating func end(_ number: Int) {
    deeds[number].isAccepted = false
    deeds[number].isOver = true
    deeds[number].isRunning = false
    deeds[number].isSetAside = false
    deeds[number].isReplacing = false
  }

  private mutating func replace(_ number: Int) -> String? {
    guard let row = row(number) else { return "\(number) is not there" }
    let input = row.input + 1000
    if !table.replaced("\(number)", by: input, lane: Content.lane(input)) { return "\(number) is not replaced" }
    deeds[number].isReplacing = true
    deeds[number].contents.formUnion([input, Content.rewritten(input)])
    return fault
  }

  private mutating func begin(_ lane: String) -> String? {
    guard let row = table.next(in: lane) else { return "nothing begins" }
    if row.phase != .waiting { return "\(row.key) begins, and is \(row.phase)" }
    if row.lane != lane { return "\(row.key) is not of lane \(lane)" }
    for other in table.rows.values where other.lane == lane && other.key != row.key {
      if other.phase == .paused { return "\(row.key) begins while \(other.key) is paused" }
      if holdsLane(other) { return "\(row.key) begins before the store has the end of \(other.key)" }
    }
    table.begins(row.key)
    return nil
  }

  /// In other words than the table's.
  private func holdsLane(_ row: OutboxRow<Int>) -> Bool {
    let isStored = table.owed.isClean(row.key)
    if row.phase == .setAside { return !row.isUnencodable && !isStored }
    return row.phase == .over && !isStored || row.phase != .over && row.isUnsaved
  }

  private mutating func answer(_ number: Int) {
    let rewrites = number == 0 && row(number).map { !Content.isRewritten($0.input) } == true
    let keys = table.answered(
      "\(number)", rewriting: rewrites ? { Content.isRewritten($0) ? nil : Content.rewritten($0) } : nil,
      lane: Content.lane)
    end(number)
    // What cannot be decoded cannot be rewritten.
    for other in deeds.indices where isUnreadable(other) { deeds[other].isRewritten = false }
    for other in keys.compactMap({ Int($0) }) {
      deeds[other].isRewritten = true
      deeds[other].contents = deeds[other].contents.filter(Content.isRewritten)
    }
  }

  private mutating func call() -> String? {
    switch table.takeCall() {
    case nil: return "nothing is due"
    case .clear: flight = .clear
    case .read: flight = .read
    case .save(let saves, let removals):
      if saves.isEmpty, removals.isEmpty { return "an empty batch" }
      if table.isCallHeld { return note(table.notSaved()) }
      flight = .save(saves, removals)
      for row in table.rows.values where row.isUnsaved && !row.isUnencodable && !table.owed.writing.contains(row.key) {
        let first = saves.first { entry in
          table[entry.key].map { $0.phase == .accepting && $0.lane == row.lane } == true
        }
        if let first { return "\(first.key) is stored before the rewriting of \(row.key)" }
      }
    }
    return nil
  }

  private mutating func endCall(isDone: Bool, isThrowing: Bool) -> String? {
    guard let flight = flight.take() else { return "nothing is in flight" }
    if isDone { apply(flight) }
    switch flight {
    case .clear: table.cleared(!isThrowing)
    case .save(let saves, _):
      for entry in saves where !isThrowing && entry.failure == nil {
        guard let number = Int(entry.key) else { continue }
        (deeds[number].isStored, deeds[number].replacement) = (true, Content.replacement(entry.input))
      }
      return note(isThrowing ? table.notSaved() : table.saved())
    case .read: break
    }
    return nil
  }

  private mutating func apply(_ flight: Flight) {
    switch flight {
    case .read: break
    case .clear: store = []
    case .save(let saves, let removals):
      store.removeAll { entry in removals.contains(entry.key) || saves.contains { $0.key == entry.key } }
      store = (store + saves).sorted { $0.position < $1.position }
    }
  }

  /// The process is killed: the next one has nothing but the store to go by.
  private mutating func kill(_ isDone: Bool) {
    if isDone, let flight { apply(flight) }
    flight = nil
    table = OutboxTable()
    table.reads()
    for number in deeds.indices where deeds[number].isPerformed {
      deeds[number].isRunning = false
      if let entry = entry(number) {
        deeds[number].known = entry.attempts
        deeds[number].replacement = Content.replacement(entry.input)
        if entry.attempts == 0 { deeds[number].sentReplacement = nil }
        deeds[number].isAccepted = true
        deeds[number].isOver = false
        deeds[number].isSetAside = entry.failure != nil
        if deeds[number].isReplacing || Content.isReplaced(entry.input) {
          deeds[number].contents.formUnion([entry.input, Content.rewritten(entry.input)])
        }
        deeds[number].contents.insert(entry.input)
        // That answer is known no more, and arrives again.
        if self.entry(0) != nil, !Content.isRewritten(entry.input) { deeds[number].isRewritten = false }
      } else {
        if !deeds[number].isAccepted { deeds[number].isOver = true }
        deeds[number].isGone = !deeds[number].isAccepted
      }
      deeds[number].isReplacing = false
    }
  }

  /// Another outbox of the process follows the store, and by what that does not have.
  private mutating func handOver(_ isSameActor: Bool) {
    let (rest, inputs, former, formerTable) = (table.rest, table.inputs, deeds, table)
    kill(false)
    table.inherited(rest, isSameActor ? inputs : OutboxInputs())
    for number in deeds.indices where deeds[number].isPerformed && entry(number) != nil {
      deeds[number].known = max(deeds[number].known, former[number].known)
      if isSameActor {
        deeds[number].isRewritten = former[number].isRewritten
        deeds[number].contents = former[number].contents
        if former[number].isAccepted {
          (deeds[number].replacement, deeds[number].sentReplacement) = (
            former[number].replacement, former[number].sentReplacement
          )
        }
      }
      // What was set aside is not sent by the next one either.
      let wasAside = formerTable["\(number)"].map { $0.phase == .setAside } ?? former[number].isSetAside
      if wasAside { deeds[number].isSetAside = true }
      let isRemoved = if case .some(let keys) = rest.removals { keys.contains("\(number)") } else { true }
      if isRemoved || isSameActor { deeds[number].isOver = former[number].isOver }
    }
  }

  private mutating func note(_ results: [(row: OutboxRow<Int>, result: OutboxTable<Int>.Result)]) -> String? {
    for (row, result) in results {
      guard let number = Int(row.key) else { continue }
      // The store may have done it all the same.
      if result == .refused || result == .unreplaced, table.owed.isTold(row.key) {
        return "\(number) is not saved once more"
      }
      switch result {
      case .accepted:
        if deeds[number].isOver { return "\(number) is accepted after its end" }
        deeds[number].isAccepted = true
        deeds[number].isSetAside = false
      case .refused:
        if row.failure == nil, deeds[number].isStored {
          return "\(number) is refused, and the store has said that it has it"
        }
        if row.failure == nil { end(number) } else { deeds[number].isSetAside = true }
      case .counted: break
      case .replaced:
        deeds[number].isReplacing = self.row(number)?.former != nil
      case .unreplaced:
        let replacement = deeds[number].replacement
        if Content.replacement(row.input) != replacement {
          return "\(number) is put back to \(row.input), and the store has replacement \(replacement)"
        }
        // It is back in its lane, where others may have begun meanwhile.
        if Content.hasMoved(row.input + 1000), !Content.hasMoved(row.input) { deeds[number].wasPutBack = true }
        deeds[number].isReplacing = false
      case .told:
        if row.phase == .setAside { deeds[number].isSetAside = true }
        if row.phase == .over, table[row.key] == nil {
          if !deeds[number].isOver { return "\(number) has disappeared without an end" }
          deeds[number].isGone = true
        }
      }
    }
    return nil
  }

  /// The operation is called.
  private mutating func send(_ number: Int) -> String? {
    guard let row = row(number) else { return "\(number) is sent, and not there" }
    let deed = deeds[number]
    if deed.isOver { return "\(number) is sent after its end" }
    if !deed.isAccepted { return "\(number) is sent, and was not accepted" }
    if !table.owed.isTold(row.key) { return "\(number) is sent before the store was called" }
    if deed.isSetAside { return "\(number) is sent while it is set aside" }
    if !deed.contents.contains(row.input) { return "\(number) is sent as \(row.input), not \(deed.contents)" }
    for other in deeds.indices where other != number {
      // The process may be killed: the next one sends it again. One that was put back or has moved here, or that could not be
      // encoded, may come before what is being sent.
      if deeds[other].isOver, !deeds[other].wasPutBack, !deeds[other].isUnreadable,
        let left = entry(other),
        left.failure == nil, Content.lane(left.input) == row.lane, left.position < row.position,
        !Content.hasMoved(left.input), self.row(other)?.isUnencodable != true
      {
        return "\(number) is sent while \(other), which is over, is stored"
      }
      guard let earlier = self.row(other), earlier.lane == row.lane else { continue }
      if deeds[other].isRunning { return "\(number) is sent while \(other) is" }
      // One that was put back, or has moved here, may come before what is being sent.
      let isLate = deeds[other].wasPutBack || earlier.attempts > 0 || Content.hasMoved(earlier.input)
      if deeds[other].isAccepted, !deeds[other].isOver, !earlier.isSetAside, earlier.position < row.position, !isLate {
        return "\(number) is sent before \(other)"
      }
    }
    let replacement = Content.replacement(row.input)
    for known in [deed.replacement, deed.sentReplacement ?? replacement] where known != replacement {
      return "\(number) is sent as \(row.input), and replacement \(known) is stored, or was sent"
    }
    deeds[number].sentReplacement = replacement
    deeds[number].sent += 1
    deeds[number].known += 1
    deeds[number].isRunning = true
    guard let entry = entry(number) else { return "\(number) is sent, and not stored" }
    if entry.input != row.input { return "\(number) is sent as \(row.input), and stored as \(entry)" }
    let isClean = table.owed.isClean(row.key)
    if isClean, entry != row.stored { return "\(number) is sent as \(row.stored), and stored as \(entry)" }
    if !isClean { deeds[number].uncounted += 1 }
    return nil
  }

  // MARK: What must hold

  /// What must hold at any moment, because the process may be killed at any moment.
  var fault: String? {
    for number in deeds.indices {
      let (deed, row, entry) = (deeds[number], row(number), entry(number))
      if deed.isAccepted, !deed.isOver, entry == nil { return "\(number) is lost in the store" }
      if deed.isAccepted, !deed.isOver, table.isRead, row == nil || row?.phase == .over, !isUnreadable(number) {
        return "\(number) is lost in memory"
      }
      if let entry, !deed.isOver, entry.attempts + deed.uncounted < deed.sent {
        return "\(number) was sent \(deed.sent) times, the store has \(entry.attempts)"
      }
      if deed.isGone, deed.isOver, entry != nil, flight == nil, row == nil { return "\(number) is back in the store" }
      if deed.isRewritten, let entry, !deed.isOver, !Content.isRewritten(entry.input), self.entry(0) == nil {
        return "\(number) has lost its rewriting"
      }
    }
    return faultAtRest ?? faultOfIndexes
  }

  /// What was saved is as in memory.
  private var faultAtRest: String? {
    guard table.isRead, !table.owed.isClearing else { return nil }
    for row in table.all {
      if table.owed.isClean(row.key), store.first(where: { $0.key == row.key }) != row.stored, row.former == nil {
        return "memory \(row.stored), store \(store)"
      }
      guard let number = Int(row.key), row.phase != .accepting else { continue }
      if row.attempts != deeds[number].known + (row.phase == .counting ? 1 : 0) {
        return "\(row.key) was sent \(deeds[number].known) times, \(row.attempts) are counted"
      }
    }
    guard flight == nil, !table.isDue, !table.hasFailed else { return nil }
    let known = table.all.map(\.key) + table.unreadable.map(\.key)
    return Set(known) == Set(store.map(\.key)) ? nil : "memory \(known), store \(store.map(\.key))"
  }

  /// What is found from the rows, found in another way.
  private var faultOfIndexes: String? {
    let rows = table.rows.values.sorted { $0.position < $1.position }
    let waiting = rows.count { $0.phase != .over && $0.phase != .setAside } + table.unreadable.count
    if table.waitingCount != waiting { return "\(waiting) wait, not \(table.waitingCount)" }
    if table.pausedCount != rows.count(where: { $0.phase == .paused }) { return "\(table.pausedCount) are paused" }
    if table.setAsideCount != rows.count(where: { $0.phase == .setAside }) {
      return "\(table.setAsideCount) are set aside"
    }
    var first: String?
    for row in rows where row.phase == .waiting && table.isRead && !table.owed.isClearing {
      let others = rows.filter { other in
        other.key != row.key && (other.lane == row.lane || other.phase == .over && other.otherLanes.contains(row.lane))
      }
      let isFirst =
        others.allSatisfy { other in
          if holdsLane(other) { return false }
          switch other.phase {
          case .accepting, .setAside, .over: return true
          case .waiting: return other.position > row.position
          case .paused, .sending, .counting: return false
          }
        } && !holdsLane(row)
      if isFirst, table.next(in: row.lane)?.key != row.key { return "\(row.key) does not begin" }
      if isFirst, first == nil { first = row.key }
    }
    return table.next?.key == first ? nil : "\(first ?? "none") does not begin first"
  }

  // MARK: All ends

  /// With a server that works, and a store that works: nothing is left. With a full disk, which can only remove: all that it has
  /// is sent, but in lanes of which it would have to write something.
  func drained(storeWorks: Bool) -> String? {
    var world = self
    for _ in 0..<200 {
      guard let event = world.nextToDrain(storeWorks: storeWorks) else { return world.left(storeWorks: storeWorks) }
      if let fault = world.perform(event) { return "drained: \(fault)" }
    }
    return "does not come to rest"
  }

  private func nextToDrain(storeWorks: Bool) -> Event? {
    switch flight {
    case .read: return .read(unreadable: nil)
    case .clear: return .end(isDone: true, isThrowing: false)
    case .save(let saves, _):
      let isDone = storeWorks || saves.isEmpty
      return .end(isDone: isDone, isThrowing: !isDone)
    case nil: break
    }
    if table.isDue { return .call }
    for number in deeds.indices {
      if row(number)?.phase == .counting { return .make(number) }
      if row(number)?.phase == .sending { return deeds[number].isRunning ? .answer(number) : .count(number) }
    }
    if let row = table.next { return .begin(row.lane) }
    let hasReason =
      table.pausedCount > 0 || table.isUnread || table.owed.hasTriedToClear || storeWorks && table.hasFailed
    return hasReason ? .wake : nil
  }

  private func left(storeWorks: Bool) -> String? {
    guard storeWorks else {
      let lanes = Set(table.rows.values.filter(holdsLane).flatMap { $0.otherLanes.union([$0.lane]) })
      let left = table.all.filter { !$0.isSetAside && !lanes.contains($0.lane) }
      return left.isEmpty ? nil : "\(left.map(\.key)) are left"
    }
    if table.waitingCount != table.unreadable.count { return "\(table.waitingCount) are left" }
    let left = store.filter { entry in entry.failure == nil && !table.unreadable.contains { $0.key == entry.key } }
    if !left.isEmpty { return "left: \(left)" }
    let known = table.all.map(\.key) + table.unreadable.map(\.key)
    return Set(known) == Set(store.map(\.key)) ? nil : "set aside: \(store.map(\.key)), in memory \(known)"
  }
}

// MARK: - Equality

extension World: Hashable {
  private struct Row: Hashable {
    let key: String
    let position, input, attempts: Int
    let failure, lane: String?
    let phase: OutboxRow<Int>.Phase
    let former, written: Int?
    let isUnsaved, isUnencodable: Bool
    let rewritten: [String]

    init(_ row: OutboxRow<Int>) {
      (key, position, input, attempts) = (row.key, row.position, row.input, row.attempts)
      (failure, lane, phase) = (row.failure, row.lane, row.phase)
      (former, written) = (row.former?.input, row.written?.input)
      (isUnsaved, isUnencodable, rewritten) = (row.isUnsaved, row.isUnencodable, row.rewritten)
    }
  }

  /// What is found from the rows does not matter.
  private struct Image: Hashable {
    let rows: [Row]
    let unreadable: [UnreadableEntry]
    let dirty, writing, failed: Set<String>
    let alone: [String]
    let flags: [Bool]
    let nextPosition: Int
    let reading: OutboxTable<Int>.Reading
    let inherited: [String: [String]]
    let inputs: [String: Int]
    let answered: [String: [String]]

    init(_ table: OutboxTable<Int>) {
      rows = table.rows.values.sorted { $0.position < $1.position }.map(Row.init)
      (unreadable, nextPosition, reading) = (table.unreadable, table.nextPosition, table.reading)
      inherited = table.inherited.mapValues { ["\($0.attempts)", $0.failure ?? ""] }
      (inputs, answered) = (table.inheritedInputs.unsaved, table.inheritedInputs.answered)
      let owed = table.owed
      (dirty, writing, failed, alone) = (owed.dirty, owed.writing, owed.failed, owed.alone)
      flags = [owed.isAlone, owed.isClearing, owed.hasTriedToClear]
    }
  }

  static func == (left: World, right: World) -> Bool {
    left.store == right.store && left.flight == right.flight && left.deeds == right.deeds
      && Image(left.table) == Image(right.table)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(store)
    hasher.combine(flight)
    hasher.combine(deeds)
    hasher.combine(Image(table))
  }
}
