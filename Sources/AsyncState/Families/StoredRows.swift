// SPDX-License-Identifier: MIT
// What the store of a family should have, for the keys for which it does not have it, and the one writer that saves it.

/// The changes of a family that its store does not have yet, by key. A row stays though its entry is released, and it is what
/// a read of its key returns.
final class StoredRows<Key: Hashable, Value> {
  /// What the store should have for a key.
  enum Row {
    case value(Confirmed<Value>)
    /// What it has, whatever that is, with the mark that it is out of date.
    case marked
    case nothing
  }

  private typealias Caller = (key: Key?, call: AwaitedOutcome<Void>)

  let store: any ValueStore<Key, Value>
  private let timeline: Timeline
  private weak let home: (any Actor)?
  /// Calls code that hashes and compares keys, which is the user's.
  private let searching: KeySearch
  private var rows: [Key: Row] = [:]
  private var owed = Owed<Key>()
  private(set) var isWorking = false
  /// The calls that wait until the store was called for a key; nil: for all.
  private var callers: [Caller] = []
  private let waiters = ConditionWaiters()
  /// Called for each key that was written, or could not be.
  var didTell: (Key, StoreUse) -> Void = { _, _ in }

  init(_ store: any ValueStore<Key, Value>, _ timeline: Timeline, on home: any Actor, _ searching: KeySearch) {
    self.store = store
    self.timeline = timeline
    self.home = home
    self.searching = searching
  }

  // MARK: Changes

  /// Notes what the store should have for a key from now on.
  func set(_ row: Row, for key: Key) {
    let former = searching.search {
      owed.insert(key)
      owed.retry()
      return rows.updateValue(row, forKey: key)
    }
    begin()
    // What is released may be the user's, and use the family: here and below after the search.
    withExtendedLifetime(former) {}
  }

  /// Notes that the stored value of a key is out of date, of which there is none in memory.
  func mark(_ key: Key) {
    switch searching.search({ rows[key] }) {
    case .value(let confirmed)?:
      if !confirmed.isInvalidated { set(.value(confirmed.invalidated), for: key) }
    case .marked?, .nothing?: break
    case nil: if !owed.isClearing { set(.marked, for: key) }
    }
  }

  func removeAll() {
    let former = rows
    searching.search {
      rows = [:]
      owed.clear()
    }
    begin()
    withExtendedLifetime(former) {}
  }

  /// What a read of a key returns, if the store does not have what it should.
  ///
  /// - Returns: Nil: the store is read.
  func unwritten(_ key: Key) -> StoredValue<Value>?? {
    guard owed.isClearing || !searching.search({ owed.isClean(key) }) else { return .none }
    switch searching.search({ rows[key] }) {
    case .value(let confirmed)?: return stored(confirmed, at: timeline.now)
    case .marked?: return .none
    case .nothing?, nil: return .some(nil)
    }
  }

  /// True if what the store has for a key is out of date, and it does not know it yet.
  func lacksMark(_ key: Key) -> Bool { if case .marked? = searching.search({ rows[key] }) { true } else { false } }

  /// True if a write of the key has failed, or waits.
  func isUnsaved(_ key: Key) -> Bool { searching.search { rows[key] != nil } }

  /// True while the key is being written, or is about to be.
  func isBusy(_ key: Key) -> Bool { isWorking && !searching.search { owed.isTold(key) } }

  private func stored(_ confirmed: Confirmed<Value>, at now: Duration) -> StoredValue<Value> {
    let age = confirmed.answeredAt.map { now - $0 }
    return StoredValue(confirmed.value, age: age, isInvalidated: confirmed.isInvalidated)
  }

  // MARK: Writing

  /// A call that waits until what is owed for a key now is saved, or could not be; nil: for all. Made in the turn of the change, before
  /// the writer begins.
  ///
  /// - Returns: Its outcome: a failure is the error of the store.
  func call(for key: Key?) -> AwaitedOutcome<Void> {
    let call = AwaitedOutcome<Void>()
    callers.append((key, call))
    return call
  }

  /// Suspends until nothing is being written.
  func untilIdle(isolation: isolated any Actor) async {
    await waiters.wait(until: { !isWorking }, isolation: isolation)
  }

  private func begin() {
    guard !isWorking, let home else { return }
    isWorking = true
    // In a task of its own: what changes in the same turn is one write, and no caller's cancellation ends it.
    ActorBound(self as any StoreWriter, to: home).callHere { home, writer in
      writer.start(isolation: home)
    }
  }

  private func writeAll(isolation: isolated any Actor) async {
    // The last error, and the number of keys in a row that could not be saved alone.
    var failed: (error: any Error, count: Int)?
    while owed.isDue {
      let told = callers
      callers = []
      if owed.isClearing {
        end(told, await clear(isolation: isolation))
        continue
      }
      let keys = searching.search { owed.take() }
      // After two in a row, the others are not tried.
      let isHopeless = owed.isAlone && failed.map { $0.count > 1 } == true
      let error = isHopeless ? failed?.error : await failure(of: keys, isolation: isolation)
      failed = error.map { ($0, owed.isAlone ? (failed?.count ?? 0) + 1 : 0) }
      end(told, keys, error)
    }
    assert(callers.isEmpty, "Each call is made with a change, so its end is noted with the end of that.")
    isWorking = false
    waiters.resume()
  }

  private func clear(isolation: isolated any Actor) async -> AsyncOutcome<Void> {
    owed.takeClear()
    do {
      try await store.removeAll(isolation: isolation)
      owed.cleared()
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Ends the calls that a removal of everything was for: without it nothing else is done; after it, what is not owed is done.
  private func end(_ told: [Caller], _ outcome: AsyncOutcome<Void>) {
    var over = told
    if !owed.isClearing {
      (callers, over) = ([], told + callers)
      searching.search {
        let first = over.partition { $0.key.map { !owed.isTold($0) } ?? false }
        callers = Array(over[first...])
        over.removeSubrange(first...)
      }
    }
    for (_, call) in over { call.end(outcome) }
  }

  /// Saves some keys.
  private func failure(of keys: [Key], isolation: isolated any Actor) async -> (any Error)? {
    // A clock may be the user's.
    let now = timeline.now
    var (values, removed, marked): ([Key: StoredValue<Value>], Set<Key>, Set<Key>) = ([:], [], [])
    searching.search {
      for key in keys {
        switch rows[key] {
        case .value(let confirmed)?: values[key] = stored(confirmed, at: now)
        case .marked?: marked.insert(key)
        case .nothing?, nil: removed.insert(key)
        }
      }
    }
    do {
      if !values.isEmpty || !removed.isEmpty { try await store.save(values, removing: removed, isolation: isolation) }
      if !marked.isEmpty { try await store.markStale(marked, isolation: isolation) }
      return nil
    } catch {
      return error
    }
  }

  /// Notes that some keys were saved, or could not be. Those that have failed together are saved alone.
  private func end(_ told: [Caller], _ keys: [Key], _ error: (any Error)?) {
    guard error == nil || keys.count == 1 else {
      callers = told + callers
      return _ = searching.search { owed.notSaved() }
    }
    var uses: [(Key, StoreUse)] = []
    var former: [Row] = []
    var over: [Caller] = []
    searching.search {
      for key in keys {
        let isRemoval = if case .nothing? = rows[key] { true } else { false }
        uses.append(
          (key, isRemoval ? error.map { .removalFailed($0) } ?? .removed : error.map { .writeFailed($0) } ?? .written))
      }
      if error == nil {
        for key in owed.saved() { if let row = rows.removeValue(forKey: key) { former.append(row) } }
      } else {
        _ = owed.notSaved()
      }
      let keys = Set(keys)
      over = told.filter { $0.key.map(keys.contains) == true }
      callers = told.filter { $0.key.map(keys.contains) != true } + callers
    }
    for (key, use) in uses { didTell(key, use) }
    for (_, call) in over { call.end(error.map { .failure($0) } ?? .success(())) }
    withExtendedLifetime(former) {}
  }
}

/// The writer, independent of the types of keys and values.
private protocol StoreWriter: AnyObject {
  func start(isolation: isolated any Actor)
}

extension StoredRows: StoreWriter {
  fileprivate func start(isolation: isolated any Actor) {
    Task {
      _ = isolation
      await writeAll(isolation: isolation)
    }
  }
}
