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

  let store: any ValueStore<Key, Value>
  private let timeline: Timeline
  private weak let home: (any Actor)?
  /// Calls code that hashes and compares keys, which is the user's.
  private let searching: KeySearch
  private var rows: [Key: Row] = [:]
  private var owed = OwedValues<Key>()
  private(set) var isWorking = false
  /// True if something has changed since the last write began: otherwise a write that has failed is not repeated.
  private var hasChanged = false
  /// The calls that wait until the store was called for a key; nil: for all.
  private var callers: [(key: Key?, call: AwaitedOutcome<Void>)] = []
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
      owed.change(key)
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
    guard !searching.search({ owed.isClean(key) }) else { return .none }
    guard case .value(let confirmed)? = searching.search({ rows[key] }) else { return .some(nil) }
    return stored(confirmed, at: timeline.now)
  }

  /// True if a write of the key has failed, or waits.
  func isUnsaved(_ key: Key) -> Bool { searching.search { rows[key] != nil } }

  /// True while the key is being written, or is about to be.
  func isBusy(_ key: Key) -> Bool { isWorking && isUnsaved(key) }

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
    hasChanged = true
    guard !isWorking, let home else { return }
    isWorking = true
    // In a task of its own: what changes in the same turn is one write, and no caller's cancellation ends it.
    ActorBound(self as any StoreWriter, to: home).callHere { home, writer in
      writer.start(isolation: home)
    }
  }

  private func writeAll(isolation: isolated any Actor) async {
    while hasChanged, let batch = searching.search({ owed.take() }) {
      hasChanged = false
      let told = callers
      callers = []
      let errors = await tell(batch, isolation: isolation)
      end(batch, errors)
      for (key, call) in told { call.end(key.flatMap { errors[$0] } ?? errors.all) }
    }
    hasChanged = false
    isWorking = false
    waiters.resume()
  }

  /// The errors of a write.
  private struct Errors {
    /// Nothing was done because of this one.
    var all: AsyncOutcome<Void> = .success(())
    var keys: [Key: any Error] = [:]

    subscript(key: Key) -> AsyncOutcome<Void>? { keys[key].map { .failure($0) } }
  }

  /// Saves everything in one call for each kind. A key that cannot be written does not hold up the others: when a
  /// call of several keys has failed, they are saved one by one, until two in a row have failed.
  private func tell(_ batch: OwedValues<Key>.Batch, isolation: isolated any Actor) async -> Errors {
    var errors = Errors()
    do {
      if batch.clears { try await store.removeAll(isolation: isolation) }
    } catch {
      errors.all = .failure(error)
      return errors
    }
    let values = values(of: batch.keys)
    guard let error = await failure(of: batch.keys, values, isolation: isolation) else { return errors }
    var failures = 0
    for key in batch.keys {
      var own: (any Error)? = error
      if failures < 2, batch.keys.count > 1 { own = await failure(of: [key], values, isolation: isolation) }
      failures = own == nil ? 0 : failures + 1
      if let own { errors.keys[key] = own }
    }
    return errors
  }

  private func values(of keys: Set<Key>) -> [Key: Row] {
    searching.search { rows.filter { keys.contains($0.key) } }
  }

  private func failure(
    of keys: Set<Key>, _ rows: [Key: Row], isolation: isolated any Actor
  ) async -> (any Error)? {
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

  private func end(_ batch: OwedValues<Key>.Batch, _ errors: Errors) {
    var uses: [(Key, StoreUse)] = []
    var former: [Row] = []
    searching.search {
      if case .failure = errors.all { return owed.failed() }
      for key in batch.keys {
        let isRemoval = if case .nothing? = rows[key] { true } else { false }
        let error = errors.keys[key]
        uses.append(
          (key, isRemoval ? error.map { .removalFailed($0) } ?? .removed : error.map { .writeFailed($0) } ?? .written))
      }
      for key in owed.saved(except: Set(errors.keys.keys)) {
        if let row = rows.removeValue(forKey: key) { former.append(row) }
      }
    }
    for (key, use) in uses { didTell(key, use) }
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
