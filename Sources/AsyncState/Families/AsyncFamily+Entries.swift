// SPDX-License-Identifier: MIT
// The operations of a family on its entries.

extension AsyncFamily {
  // MARK: Getting resources

  /// The resource of a key: the same one for equal keys, as long as it has a holder other than the family. Nothing is
  /// requested.
  ///
  /// - Complexity: Constant on average, however many entries are held. Using an idle entry is logarithmic in `keepIdle`.
  public subscript(key: Key) -> AsyncResource<Value> {
    table.resource(of: key)
  }

  /// The resource of a key if the family has it. Nothing is requested, and no entry is made.
  ///
  /// - Complexity: The same as that of the subscript.
  public func existing(_ key: Key) -> AsyncResource<Value>? {
    table.present(key)?.resource
  }

  /// Requests a value before it is needed.
  ///
  /// The load runs to its end even if the resource is not held, unless it is given up by ``cancelPrefetch(_:)``; then the entry
  /// is the one that was used last, and is kept as an idle one.
  ///
  /// With `keepIdle: 0` no idle entry is kept. The value is then in the store of the family, if it has one; without a store
  /// prefetching has no use unless a caller takes the resource while the load runs.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - condition: The condition for the request.
  ///   - isolation: The actor that the family belongs to.
  public func prefetch(
    _ key: Key, when condition: LoadCondition = .stale, isolation: isolated any Actor = #isolation
  ) {
    _ = beginPrefetch(key, when: condition, isOfTask: false, isolation: isolation)
  }

  /// - Parameter isOfTask: True if the calling task gives it up, and no other call.
  /// - Returns: The call; nil if nothing is requested.
  private func beginPrefetch(
    _ key: Key, when condition: LoadCondition, isOfTask: Bool, isolation: isolated any Actor
  ) -> FollowingCall? {
    let member = table.use(key)
    return member.use { resource in
      let call = resource.request(when: condition, isolation: isolation).following
      if let call { member.notePrefetch(call, isOfTask: isOfTask) }
      return call
    }
  }

  /// As ``prefetch(_:when:isolation:)``, until the request has ended. It has an interest of its own, which it gives up when the
  /// calling task is cancelled.
  package func awaitPrefetch(
    _ key: Key, when condition: LoadCondition = .stale, isolation: isolated any Actor = #isolation
  ) async {
    guard !Task.isCancelled else { return }
    let call = beginPrefetch(key, when: condition, isOfTask: true, isolation: isolation)
    await call?.wait(isolation: isolation)
  }

  /// Gives up the request that ``prefetch(_:when:isolation:)`` has made for a key: for rows that will not be displayed after
  /// all, as in `collectionView(_:cancelPrefetchingForItemsAt:)`.
  ///
  /// The request ends, as cancelled, if nothing else wants it: no `start`, and no call that waits for it. Does nothing when the
  /// request has ended, or was not made by `prefetch`.
  ///
  /// - Parameter key: The key of the value.
  public func cancelPrefetch(_ key: Key) {
    table.present(key)?.cancelPrefetch()
  }

  /// Adds a value that was obtained otherwise: with a list, from a notification, or from a former launch.
  ///
  /// It is displayed and provisional until a load confirms it. A value that is older than the present one changes nothing; one
  /// of the same age replaces a provisional value; one that was answered before a change was confirmed is stale. It is written
  /// to the store only when it is invalidated, so that the store has the mark. With `keepIdle: 0` it is kept only as long as the
  /// resource has a holder other than the family.
  public func restore(_ stored: StoredValue<Value>, for key: Key) {
    let member = table.use(key)
    // Held, because computing its tags may evict entries that are not held.
    member.use { _ in member.restore(stored) }
  }

  /// The entries of the family, the most recently used first. Nothing is requested.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of entries.
  public var entries: [FamilyEntry<Key, Value>] {
    trim()
    return table.all.map(\.entry)
  }

  // MARK: Requesting again

  /// Marks the values of some keys stale: all of them first, then observers of each are notified once. Nothing is requested: to
  /// request the held ones, call ``refreshStale(isolation:)``.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of entries.
  /// - Parameter isIncluded: Returns true for the keys to invalidate. It is called with all keys before any is marked.
  public func invalidate(where isIncluded: (Key) -> Bool) {
    let members = table.all.filter { isIncluded($0.key) }
    table.settings.deliveries.make(.invalidate(byBoard: false), of: members)
  }

  /// Requests again each entry that is held, stale, and was requested before, while its content stays displayed: when the app
  /// returns to the foreground, when the connection is back, or after a push. A request ends when the entry is not held any
  /// more and no call wants it.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of entries.
  /// - Parameter isolation: The actor that the family belongs to.
  public func refreshStale(isolation: isolated any Actor = #isolation) {
    table.settings.noteUse(on: isolation)
    for member in table.all where member.wasRequested && member.isHeld {
      // Like a request by a person: the network may be back.
      member.use {
        let condition: LoadCondition = $0.data.pausingError == nil ? .stale : .always
        _ = $0.startRequest(when: condition, forHolders: true, isolation: isolation)
      }
    }
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
  /// - Throws: The error of the store. The stored value may still be there, and is not read until a write succeeds.
  public func forget(_ key: Key, isolation: isolated any Actor = #isolation) async throws {
    table.settings.noteUse(on: isolation)
    guard let member = table.settings.store == nil ? table.present(key) : table.use(key) else { return }
    // Requested first: a value that an observer writes is stored after the removal.
    let turn = member.lane?.turn(to: .removal)
    table.settings.deliveries.make(.forget, of: [member])
    guard let turn else { return }
    // In a task of its own: the stored value is removed even if the caller is cancelled.
    try await Task {
      _ = isolation
      try await member.removeStored(in: turn, isolation: isolation)
    }.value
  }

  /// Removes all values, here and in the store: for a log-out. Running loads are cancelled. All entries are marked before the
  /// observers of the first are notified, and all are notified before this suspends.
  ///
  /// An operation that began before does not write to any key any more, and keys are requested again only by a caller. The
  /// store removes everything after the running writes, even if the calling task is cancelled.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of entries.
  /// - Parameter isolation: The actor that the family belongs to.
  /// - Throws: The error of the store. Stored values may still be there, and are not read until a write succeeds.
  public func forgetAll(isolation: isolated any Actor = #isolation) async throws {
    let settings = table.settings
    settings.noteUse(on: isolation)
    settings.displaysSeeds = false
    let number = settings.store == nil ? nil : settings.gate.request()
    settings.deliveries.make(.forget, of: table.all)
    guard let number else { return }
    try await Task {
      _ = isolation
      try await settings.removeAllStored(in: number, isolation: isolation)
    }.value
  }

  // MARK: Memory

  /// Releases idle entries, the least recently used first.
  ///
  /// - Complexity: O(*n* + *i* log *i*), where *n* is the number of entries, and *i* that of the idle ones.
  /// - Parameter count: The number of idle entries to keep; nil, or more than `keepIdle`: `keepIdle`.
  /// - Returns: The number of entries that were released.
  @discardableResult
  public func trim(toIdle count: Int? = nil) -> Int {
    table.sweep(toIdle: count)
  }
}

extension AsyncFamily {
  /// Suspends until no load, operation, page request, commit or store operation of any entry is left. Returns early when
  /// the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor = #isolation) async {
    table.settings.noteUse(on: isolation)
    while !Task.isCancelled, let member = table.all.first(where: { !$0.data.isSettledCompletely }) {
      await member.data.untilSettled(isolation: isolation)
    }
  }
}
