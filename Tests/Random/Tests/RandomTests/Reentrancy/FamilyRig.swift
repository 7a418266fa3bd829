// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Observation
import Testing

@testable import AsyncState

/// A family in use, with user code wherever it takes any.
@MainActor
final class FamilyRig: ReentryRig {
  enum Callback: CaseIterable {
    case tags, peek, read, write, remove, removeAll, operation, observer, delegate, tracking, patch, predicate, clock
    case release
  }

  enum Method: CaseIterable {
    case access, existing, hold, drop, dropAll, prefetch, restore, entries, invalidateWhere, refreshStale, forget
    case forgetAll, trim, trimAll, invalidateAll, invalidateOne, close, open, closeAndOpen, write, reset, cancel,
      start
    case startStale, begin, mutate, observe, dropFamily

    /// Those that change nothing before they return.
    static let readers: [Method] = [
      .access, .existing, .hold, .drop, .dropAll, .entries, .forget, .forgetAll, .mutate, .observe, .dropFamily,
    ]
  }

  /// A value that is released by user code.
  struct Item {
    let number: Int
    let farewell: Farewell

    init(_ number: Int, _ reentry: Reentry<FamilyRig>) {
      self.number = number
      farewell = Farewell { reentry.reached(.release) }
    }
  }

  final class HookedStore: ValueStore {
    let reentry: Reentry<FamilyRig>
    var values: [Int: StoredValue<Item>] = [:]

    init(_ reentry: Reentry<FamilyRig>) { self.reentry = reentry }

    func peek(_ key: Int) -> StoredValue<Item>? {
      reentry.reached(.peek)
      return key == 3 ? values[key] : nil
    }

    func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<Item>? {
      reentry.reached(.read)
      return values[key]
    }

    func save(
      _ values: [Int: StoredValue<Item>], removing keys: Set<Int>, isolation: isolated (any Actor)?
    ) async throws {
      for (key, stored) in values {
        reentry.reached(.write)
        put(stored, key)
      }
      for key in keys {
        reentry.reached(.remove)
        put(nil, key)
      }
    }

    func removeAll(isolation: isolated (any Actor)?) async throws {
      reentry.reached(.removeAll)
      let former = values
      values = [:]
      withExtendedLifetime(former) {}
    }

    private func put(_ stored: StoredValue<Item>?, _ key: Int) {
      let former = values[key]
      values[key] = stored
      withExtendedLifetime(former) {}
    }
  }

  final class Delegate: AsyncDataDelegate {
    let reentry: Reentry<FamilyRig>

    init(_ reentry: Reentry<FamilyRig>) { self.reentry = reentry }

    func asyncDataDidChange(_ data: AsyncData<Item>, forced: Bool) { reentry.reached(.delegate) }
  }

  /// What the observers have been called with. Apart, so that no closure keeps the rig.
  final class Log { var last: [Int: Int?] = [:] }

  private static let keys = 0..<5

  let reentry: Reentry<FamilyRig>
  private let clock: HookedClock<FamilyRig>
  private let board = AsyncTagBoard(gate: LoadGate(width: 2))
  private let store: HookedStore
  private let delegate: Delegate
  private let log = Log()
  private var family: AsyncFamily<Int, Item>?
  private weak var weakFamily: AsyncFamily<Int, Item>?
  private var held: [Int: AsyncResource<Item>] = [:]
  private var weakHeld: [() -> AsyncResource<Item>?] = []
  private var tokens: [ObservedToken] = []
  private var tasks: [Task<Void, Never>] = []
  private var next = 0

  init(_: OneKind, _ reentry: Reentry<FamilyRig>) {
    self.reentry = reentry
    clock = HookedClock(reentry, .clock)
    store = HookedStore(reentry)
    delegate = Delegate(reentry)
    family = AsyncFamily(
      isolation: MainActor.shared, options: LoadOptions(staleAfter: .seconds(5), clock: clock), keepUnused: 1,
      board: board,
      tags: { key, item in
        reentry.reached(.tags)
        return ["all", AsyncTag("key", key), AsyncTag("number", (item?.number ?? 0) % 3)]
      }, store: store
    ) { key in
      .value { reporter in
        reentry.reached(.operation)
        if key == 2 { try reporter.yield(Item(20, reentry)) }
        return Item(key * 10 + 1, reentry)
      }
    }
    weakFamily = family
  }

  // MARK: The scenario

  func run() async {
    let reentry = reentry
    store.values[1] = StoredValue(Item(5, reentry), age: .seconds(1))
    store.values[2] = StoredValue(Item(6, reentry), age: .seconds(50))
    store.values[3] = StoredValue(Item(7, reentry))
    for key in 0..<3 { hold(key) }
    track()
    held[0]?.start(when: .stale)
    held[1]?.start(when: .stale)
    held[2]?.start()
    await settle()
    _ = family?[3].value
    family?.prefetch(4)
    await settle()
    board.invalidate("all")
    await settle()
    await clock.base.advance(by: .seconds(2))
    family?.restore(StoredValue(Item(8, reentry), age: .zero), for: 4)
    family?.invalidate {
      reentry.reached(.predicate)
      return $0 < 2
    }
    board.refreshStale()
    await settle()
    mutate(0)
    await settle()
    forget(1)
    await settle()
    write(1)
    forget(1)
    forgetAll()
    write(2)
    await settle()
    board.gate.close()
    board.invalidate("all", AsyncTag("key", 2))
    board.gate.open()
    drop(0)
    family?.trim()
    write(3)
    await settle()
  }

  /// Until nothing is left to happen.
  private func settle() async {
    while let task = tasks.popLast() { await task.value }
    await board.settled()
    await family?.settled()
    for resource in held.values { await resource.settled() }
  }

  private func track() {
    let (reentry, held) = (reentry, held[0])
    withObservationTracking {
      _ = held?.snapshot
    } onChange: {
      MainActor.assumeIsolated { reentry.reached(.tracking) }
    }
  }

  private func item() -> Item {
    next += 1
    return Item(100 + next, reentry)
  }

  private func hold(_ key: Int) {
    guard let family else { return }
    let resource = family[key]
    if let former = held[key] { return #expect(former === resource, "10.1, key \(key)") }
    held[key] = resource
    weakHeld.append { [weak resource] in resource }
    resource.data.delegate = delegate
    let (log, reentry) = (log, reentry)
    tokens.append(
      resource.observed.observe { snapshot in
        log.last[key] = snapshot.value?.number
        reentry.reached(.observer)
      })
  }

  /// What is released finds the variable free.
  private func drop(_ key: Int) { _ = held.removeValue(forKey: key) }

  private func write(_ key: Int) {
    family?[key].data.value = item()
  }

  private func mutate(_ key: Int) {
    guard let family else { return }
    let reentry = reentry
    let item = item()
    tasks.append(
      Task {
        await family[key].data.mutate { value in
          reentry.computing(.patch) { value = item }
        } commit: {
        }
      })
  }

  private func forget(_ key: Int) {
    guard let family else { return }
    tasks.append(Task { try? await family.forget(key) })
  }

  private func forgetAll() {
    guard let family else { return }
    tasks.append(Task { try? await family.forgetAll() })
  }

  // MARK: The methods

  func call(_ method: Method) {
    guard let family, !reentry.isComputing || Method.readers.contains(method) else { return }
    switch method {
    case .access: for key in Self.keys { _ = family[key] }
    case .existing: for key in Self.keys { _ = family.existing(key)?.value }
    case .hold: for key in Self.keys { hold(key) }
    case .drop: drop(1)
    case .dropAll: for key in Self.keys { drop(key) }
    case .prefetch: for key in Self.keys { family.prefetch(key) }
    case .restore: for key in Self.keys { family.restore(StoredValue(item(), age: .zero), for: key) }
    case .entries: _ = family.entries.count
    case .invalidateWhere: family.invalidate(where: { _ in true })
    case .refreshStale: board.refreshStale()
    case .forget: for key in Self.keys { forget(key) }
    case .forgetAll: forgetAll()
    case .trim: family.trim()
    case .trimAll: family.trim(toIdle: 0)
    case .invalidateAll: board.invalidate("all")
    case .invalidateOne: board.invalidate(AsyncTag("key", 2), AsyncTag("number", 1))
    case .close: board.gate.close()
    case .open: board.gate.open()
    case .closeAndOpen:
      board.gate.close()
      board.gate.open()
    case .write: for key in Self.keys { write(key) }
    case .reset: for key in Self.keys { family[key].reset() }
    case .cancel: for key in Self.keys { family[key].cancel() }
    case .start: for key in Self.keys { family[key].start() }
    case .startStale: for key in Self.keys { family[key].start(when: .stale) }
    case .begin: for key in Self.keys { family[key].data.begin().succeed(with: item()) }
    case .mutate: for key in Self.keys { mutate(key) }
    case .observe: tokens.append(family[1].observed.observe { _ in })
    case .dropFamily: _ = self.family.take()
    }
  }

  // MARK: The laws

  func expectAllIsWell(_ what: String) async {
    reentry.end()
    await settle()
    if let family {
      for (key, resource) in held {
        #expect(family[key] === resource, "10.1, \(what)")
        if let last = log.last[key] { #expect(last == resource.value?.number, "1.3, \(what)") }
      }
      family.trim()
      #expect(family.table.count <= held.count + 1, "10.2, \(what)")
      for entry in family.entries where entry.snapshot.isValueSet && !entry.snapshot.isProvisional {
        #expect(store.values[entry.key]?.value?.number == entry.snapshot.value?.number, "12.3, \(what)")
      }
      for resource in held.values { #expect(!resource.isRunning, "14.2, \(what)") }
    }
    #expect(clock.base.sleeperCount == 0, "10.2, \(what)")
    family = nil
    held = [:]
    tokens = []
    await settle()
    await afterReleases()
    #expect(weakFamily == nil, "10.7, \(what)")
    #expect(weakHeld.allSatisfy { $0() == nil }, "1.6, \(what)")
    #expect(board.isEmpty, "11.1, what was released is none of the board's, \(what)")
  }
}
