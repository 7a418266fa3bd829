// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncStateTesting

@testable import AsyncState

/// A family with a board, a store that waits, and two screens, driven by commands.
@ModelActor
final class FamilyUnderTest {
  let clock = ManualClock()
  let board: AsyncTagBoard
  let store: WaitingStore?
  private(set) var family: AsyncFamily<Int, Int>!
  let operations = WaitingCalls()
  /// Records the family and the board, and changes neither.
  private let journal: JournalAudit?
  private var screens: [[Int: AsyncResource<Int>]] = [[:], [:]]
  private var tokens: [Int: ObservedToken] = [:]
  /// How often the observers of each key were notified.
  private(set) var notified: [Int: Int] = [:]
  private var inside: [FamilyAction] = []
  private var tasks: [Task<Void, Never>] = []

  init(_ setup: FamilySetup) {
    board = AsyncTagBoard(gate: LoadGate(width: setup.width))
    store = setup.role == nil ? nil : WaitingStore(clock)
    journal = setup.hasJournal ? JournalAudit(clock) : nil
    family = AsyncFamily(
      isolation: ModelActor.shared,
      options: LoadOptions(staleAfter: setup.staleAfter.map { .seconds($0) }, clock: clock),
      keepIdle: .entries(setup.keepIdle),
      board: board, tags: { FamilyModel.tags($0, $1) }, store: (setup.role ?? .cache).of(store)
    ) { [operations] key in try await operations.wait(key) }
    guard let journal else { return }
    journal.journal.attach(board, name: "board")
    journal.journal.attach(family, name: "family")
  }

  /// What of the journal is not true.
  var difference: String? {
    guard let journal else { return nil }
    if let difference = journal.difference() { return difference }
    let members = family?.table.all ?? []
    return members.lazy.compactMap { journal.difference(of: "family[\($0.key)]", from: $0.data.snapshot) }.first
  }

  var differenceAtRest: String? { journal?.differenceAtRest() }

  func perform(_ command: FamilyCommand) async {
    inside = []
    switch command {
    case .act(let action, let inside):
      self.inside = inside
      act(action)
    case .drop(let key, let screen):
      screens[screen][key] = nil
      if screens.allSatisfy({ $0[key] == nil }) { tokens[key] = nil }
    case .trim(let count): family.trim(toIdle: count)
    case .forget(let key):
      tasks.append(ModelActor.task { [family] in try? await family?.forget(key) })
    case .forgetAll:
      tasks.append(ModelActor.task { [family] in try? await family?.forgetAll() })
    case .answer(let index, let value, let inside):
      self.inside = inside
      await operations.answer(index, value.map { .success($0) } ?? .failure(Failure()))
    case .read(let index, let succeeds):
      // All reads of the key: it is not certain in which order those that had their turn at once have arrived.
      guard let reads = store?.reads, let key = reads.key(index) else { break }
      for _ in 0..<reads.waitingCount(of: key) {
        await reads.answer(key: key, result(succeeds))
        await idle()
      }
    case .write(let index, let succeeds): await store?.writes.answer(index, result(succeeds))
    case .remove(let index, let succeeds): await store?.removals.answer(index, result(succeeds))
    case .tick: await clock.advance(by: .seconds(1))
    }
    await idle()
    inside = []
    // What is beyond the limit is removed whenever it is looked at. The model does that at once.
    family.trim()
  }

  private func idle() async {
    await ModelActor.idle()
    guard let gate = family?.table.settings.gate else { return }
    while gate.resumingCount > 0 {
      await withCheckedContinuation { continuation in
        // Looked up again: others may have had a turn before this runs.
        guard gate.resumingCount > 0 else { return continuation.resume() }
        gate.didResume = {
          gate.didResume = {}
          continuation.resume()
        }
      }
      await ModelActor.idle()
    }
  }

  private func result(_ succeeds: Bool) -> Result<Int, any Error> {
    succeeds ? .success(0) : .failure(Failure())
  }

  private func act(_ action: FamilyAction) {
    family.trim()
    switch action {
    case .start(let key, let condition): on(key) { $0.start(when: condition, isolation: ModelActor.shared) }
    case .prefetch(let key): family.prefetch(key, isolation: ModelActor.shared)
    case .hold(let key, let screen):
      let resource = family[key]
      screens[screen][key] = resource
      if tokens[key] == nil { observe(key, resource) }
    case .set(let key, let value): on(key) { $0.data.value = value }
    case .reset(let key): on(key) { $0.reset() }
    case .cancel(let key): on(key) { $0.cancel() }
    case .invalidateKey(let key): on(key) { $0.invalidate() }
    case .invalidateWhere(let remainder): family.invalidate(where: { $0 % 2 == remainder })
    case .invalidateTag(let tag): board.invalidate(tag)
    case .open(let isOpen): if isOpen { board.gate.open() } else { board.gate.close() }
    case .refreshStale: family.refreshStale(isolation: ModelActor.shared)
    case .restore(let key, let value, let age):
      family.restore(StoredValue(value, age: age.map { .seconds($0) }), for: key)
    }
  }

  /// Holds the resource of a key until `body` has returned.
  private func on(_ key: Int, _ body: (AsyncResource<Int>) -> Void) {
    let resource = family[key]
    body(resource)
    withExtendedLifetime(resource) {}
  }

  private func observe(_ key: Int, _ resource: AsyncResource<Int>) {
    var isFirst = true
    tokens[key] = resource.observed.observe { [weak self] _ in
      if isFirst { return isFirst = false }
      guard let self else { return }
      notified[key, default: 0] += 1
      if !inside.isEmpty { act(inside.removeFirst()) }
    }
  }

  /// What can be seen of it.
  var image: FamilyImage {
    var image = FamilyImage()
    for entry in family.entries { image.entries[entry.key] = FamilyImage.Entry(entry) }
    image.order = family.entries.map(\.key)
    image.notified = notified
    image.requests = operations.count
    image.reads = store?.reads.count ?? [:]
    image.writes = store?.writes.count ?? [:]
    image.removals = store?.removals.count ?? [:]
    for key in -1..<FamilyCommand.keyCount {
      if let stored = store?.stored(key) { image.stored[key] = "\(stored)" }
    }
    return image
  }

  /// Everything that waits is ended, until nothing does.
  func end() async {
    for _ in 0..<200 {
      guard
        let calls = [operations, store?.reads, store?.writes, store?.removals].compactMap(\.self).first(where: {
          !$0.isEmpty
        })
      else { break }
      await calls.answer(0, .failure(Failure()))
      await idle()
    }
    for task in tasks { await task.value }
    family = nil
  }
}

/// Calls that wait for the command that ends them.
@ModelActor
final class WaitingCalls {
  private var waiting: [(key: Int, continuation: CheckedContinuation<Int, any Error>)] = []
  private var ends: [CheckedContinuation<Void, Never>] = []
  /// How many calls there were for each key.
  private(set) var count: [Int: Int] = [:]

  var isEmpty: Bool { waiting.isEmpty }

  func wait(_ key: Int) async throws -> Int {
    count[key, default: 0] += 1
    defer {
      for end in ends { end.resume() }
      ends = []
    }
    return try await withCheckedThrowingContinuation { waiting.append((key, $0)) }
  }

  /// Ends a call, and waits until its caller has gone on.
  func answer(_ index: Int, _ result: Result<Int, any Error>) async {
    guard let place = place(index) else { return }
    await answer(at: place, result)
  }

  /// Ends the first call with a key.
  func answer(key: Int, _ result: Result<Int, any Error>) async {
    guard let place = waiting.firstIndex(where: { $0.key == key }) else { return }
    await answer(at: place, result)
  }

  func key(_ index: Int) -> Int? { place(index).map { waiting[$0].key } }

  func waitingCount(of key: Int) -> Int { waiting.count { $0.key == key } }

  /// In order of the keys, because those of different keys arrive in any order.
  private func place(_ index: Int) -> Int? {
    guard !waiting.isEmpty else { return nil }
    return waiting.indices.sorted { (waiting[$0].key, $0) < (waiting[$1].key, $1) }[index % waiting.count]
  }

  private func answer(at place: Int, _ result: Result<Int, any Error>) async {
    let continuation = waiting.remove(at: place).continuation
    await withCheckedContinuation { end in
      ends.append(end)
      continuation.resume(with: result)
    }
  }
}

/// A store each of whose uses waits for the command that ends it.
final class WaitingStore: ValueStore {
  let reads = WaitingCalls()
  let writes = WaitingCalls()
  let removals = WaitingCalls()
  private let clock: ManualClock
  private var values: [Int: (value: StoredValue<Int>, time: ManualClock.Instant)] = [:]

  @ModelActor
  init(_ clock: ManualClock) {
    self.clock = clock
  }

  func stored(_ key: Int) -> StoredValue<Int>? {
    guard let (value, time) = values[key] else { return nil }
    return StoredValue(
      value.value, age: value.age.map { $0 + time.duration(to: clock.now) }, isInvalidated: value.isInvalidated)
  }

  func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<Int>? {
    _ = try await reads.wait(key)
    return stored(key)
  }

  func write(_ stored: StoredValue<Int>, for key: Int, isolation: isolated (any Actor)?) async throws {
    let time = clock.now
    _ = try await writes.wait(key)
    values[key] = (stored, time)
  }

  func remove(_ key: Int, isolation: isolated (any Actor)?) async throws {
    _ = try await removals.wait(key)
    values[key] = nil
  }

  func removeAll(isolation: isolated (any Actor)?) async throws {
    _ = try await removals.wait(-1)
    values = [:]
  }
}

/// What can be seen of a family, its store and its observers.
struct FamilyImage: Equatable {
  struct Entry: Equatable, CustomStringConvertible {
    var parts: String
    var age: Int?
    var isHeld: Bool
    var isUnsaved: Bool
    var tags: Set<AsyncTag>

    var description: String { "\(parts) age \(age as Any) held \(isHeld) unsaved \(isUnsaved)" }
  }

  var entries: [Int: Entry] = [:]
  /// The keys of the entries, the one that was used last first.
  var order: [Int] = []
  var notified: [Int: Int] = [:]
  var requests: [Int: Int] = [:]
  var reads: [Int: Int] = [:]
  var writes: [Int: Int] = [:]
  var removals: [Int: Int] = [:]
  var stored: [Int: String] = [:]

  /// What is not the same in the other one.
  func difference(from other: FamilyImage) -> String? {
    if self == other { return nil }
    let parts: [(String, Any, Any)] = [
      ("entries", entries, other.entries), ("order", order, other.order), ("notified", notified, other.notified),
      ("requests", requests, other.requests), ("reads", reads, other.reads), ("writes", writes, other.writes),
      ("removals", removals, other.removals), ("stored", stored, other.stored),
    ]
    return parts.filter { "\($0.1)" != "\($0.2)" }.map { "\($0.0) \($0.1), expected \($0.2)" }.joined(separator: "; ")
  }
}

extension FamilyImage.Entry {
  init(_ entry: FamilyEntry<Int, Int>) {
    self.init(
      parts: SnapshotParts(entry.snapshot).description, age: entry.age.map { Int($0 / .seconds(1)) },
      isHeld: entry.isHeld,
      isUnsaved: entry.isUnsaved, tags: entry.tags)
  }
}
