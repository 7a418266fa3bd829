// SPDX-License-Identifier: MIT
// The operations of a family on its entries.

extension AsyncFamily {
  // MARK: Getting resources

  /// The resource of a key: the same one for equal keys, as long as it has a holder other than the family. Nothing is
  /// requested.
  ///
  /// - Complexity: Constant on average, however many entries are in use.
  public subscript(key: Key) -> AsyncResource<Value> {
    table.resource(of: key)
  }

  /// Requests a value before it is needed, if it is stale. The load runs to its end, though nothing holds the resource; then the
  /// entry is the one that was used last, and is kept as an unused one.
  ///
  /// In a task that may be cancelled, such as that of a row that may not be displayed after all,
  /// `await articles[id].load(when: .stale)` ends with the task, unless something else wants it.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - isolation: The actor that the family belongs to.
  public func prefetch(_ key: Key, isolation: isolated any Actor = #isolation) {
    table.resource(of: key).start(when: .stale, isolation: isolation)
  }

  /// Adds a value that was obtained otherwise: with a list, from a notification, or from a previous launch.
  ///
  /// It is displayed and provisional until a load confirms it. A value that is older than the present one changes nothing; one
  /// of the same age replaces a provisional value; one that was answered before a change was confirmed is stale. It is written
  /// to the store only when it is invalidated, so that the store has the mark.
  public func restore(_ stored: StoredValue<Value>, for key: Key) {
    let member = table.use(key)
    // Held, because computing its tags may evict entries that are not held.
    member.use { _ in member.restore(stored) }
  }

  /// The entries of the family, the most recently used first. Nothing is requested.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of entries.
  public var entries: [FamilyEntry<Key, Value>] {
    table.sweep()
    return table.all.map(\.entry)
  }

  // MARK: Requesting again

  /// Marks the values of some keys stale: all of them first, then observers of each are notified once. Nothing is requested:
  /// ``AsyncTagBoard/refreshStale()`` of their board requests those in use.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of entries.
  /// - Parameter isIncluded: Returns true for the keys to invalidate. It is called with all keys before any is marked.
  public func invalidate(where isIncluded: (Key) -> Bool) {
    let members = table.all.filter { isIncluded($0.key) }
    table.settings.deliveries.make(members) { $1.stage(.invalidated) }
  }

  // MARK: Forgetting

  /// Removes the value of a key, here and in the store. A running load is cancelled, and the observers are notified of a reset
  /// before this suspends.
  ///
  /// An operation that began before does not write to this key any more, and the key is requested again only by a caller. The
  /// store removes its value after a running write, even if the calling task is cancelled.
  ///
  /// - Parameters:
  ///   - key: The key whose value is removed.
  ///   - isolation: The actor that the family belongs to.
  /// - Throws: The error of the store. The stored value may still be there; it is not read, and removed with the next change.
  public func forget(_ key: Key, isolation: isolated any Actor = #isolation) async throws {
    let settings = table.settings
    settings.noteUse(on: isolation)
    // First: a value that an observer writes is stored after the removal.
    settings.rows?.set(.nothing, for: key)
    let call = settings.rows?.call(for: key)
    if let member = table.present(key) { forget([member]) }
    _ = try await call?.untilEnded(isolation: isolation).get()
  }

  /// Removes all values, here and in the store: for a log-out. Running loads are cancelled. All entries are marked before the
  /// observers of the first are notified, and all are notified before this suspends.
  ///
  /// An operation that began before does not write to any key any more, and keys are requested again only by a caller. The
  /// store removes everything after a running write, even if the calling task is cancelled.
  ///
  /// - Complexity: Linear in the number of entries.
  /// - Parameter isolation: The actor that the family belongs to.
  /// - Throws: The error of the store. Stored values may still be there; they are not read, and removed with the next change.
  public func forgetAll(isolation: isolated any Actor = #isolation) async throws {
    let settings = table.settings
    settings.noteUse(on: isolation)
    settings.rows?.removeAll()
    let call = settings.rows?.call(for: nil)
    forget(table.unordered)
    _ = try await call?.untilEnded(isolation: isolation).get()
  }

  private func forget(_ entries: [BoardEntry]) {
    let hasSeeds = table.settings.seed != nil
    table.settings.deliveries.make(entries) { entry, data in
      FamilyMember<Key, Value>.known(entry).beginForgetting()
      return data.stageForgotten(hasSeed: hasSeeds)
    }
  }
}

extension AsyncFamily {
  /// Suspends until no load, operation, page request, commit or store operation of any entry is left. Returns early when
  /// the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor = #isolation) async {
    table.settings.noteUse(on: isolation)
    while !Task.isCancelled {
      await table.settings.rows?.untilIdle(isolation: isolation)
      guard let data = table.all.lazy.map(\.resource.data).first(where: { !$0.isSettledCompletely }) else { return }
      await data.untilSettled(isolation: isolation)
    }
  }
}

extension AsyncFamily {
  /// Attaches a hook, and notifies it of the present entries.
  package func attach(_ hook: any FamilyHook) {
    table.settings.hook = hook
    for member in table.all { hook.didAdd(member.key, member.resource.data) }
  }
}
