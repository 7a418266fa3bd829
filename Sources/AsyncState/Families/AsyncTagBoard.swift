// SPDX-License-Identifier: MIT
/// Invalidates the entries with a tag, in all families that share the board, and requests those in use again.
///
/// ```swift
/// let board = AsyncTagBoard()
/// let articles = AsyncFamily(board: board, tags: { id, _ in ["articles", AsyncTag("article", id)] }) { id in
///   try await service.article(id)
/// }
/// // After a change on the server:
/// board.invalidate(AsyncTag("article", 5))
/// ```
///
/// An invalidation marks all entries with one of the tags, and then notifies the observers of each once. Entries that are in
/// use and were requested before are requested again: what a visible host displays first, then the most recently used. A
/// request that runs by then is too old, and is superseded: its callers wait for the newer one. All others are only marked.
///
/// The requests that the board makes by itself wait for its ``gate``, which also limits their number, and each for the gate of
/// its options. While one of these is closed, offline or in the background, entries are only marked. When it opens, each entry
/// that is in use, was requested before, and is stale for any reason is requested once, also after a failure.
///
/// A list outside of a family takes part with ``add(_:tags:)``. A board belongs to the actor of its families.
public final class AsyncTagBoard {
  /// Holds back the requests that the board makes by itself. Its width is the number of them that run at a time.
  ///
  /// ```swift
  /// board.gate.close()
  /// let token = board.gate.follow(isInForeground)
  /// ```
  public let gate: LoadGate

  /// The invalidations so far.
  private var log = TagLog(capacity: AsyncTagBoard.rememberedTags)
  /// The entries by number.
  private var entries: [UInt64: WeakReference<BoardEntry>] = [:]
  /// The numbers of the entries that have a tag.
  private var index: [AsyncTag: Set<UInt64>] = [:]
  private let search = KeySearch {
    """
    AsyncState: the == or hash(into:) of an AsyncTag's value used the tag's board, which is just looking for the tag. \
    Make the value of a tag one that only compares what it holds.
    """
  }
  private var lastNumber: UInt64 = 0
  private var families: [WeakFamily] = []
  /// The mutations that invalidate tags here.
  private var commands: [WeakCommand] = []
  private var sent = SentCommands()
  let uses = UseCounter()
  let deliveries = Deliveries()
  /// Records each invalidation; nil without a journal.
  package var hook: (any BoardHook)?

  /// The entries to request, in order.
  private var line = WaitingLine<BoardEntry>()
  /// The number of the board's requests that run.
  private var runningCount = 0
  private var isRequesting = false
  /// The entries whose requests have ended, and that are requested in the next turn if they are in use then.
  private var ended: [BoardEntry] = []
  private let waiters = ConditionWaiters()
  /// Its own gate and those of its entries, each with the callback for when it opens or closes.
  private var followed: [ObjectIdentifier: FollowedGate] = [:]

  private struct WeakFamily {
    weak var family: (any BoardFamily)?
  }

  private struct WeakCommand {
    weak var command: (any BoardCommand)?
  }

  private struct FollowedGate {
    weak var gate: LoadGate?
    let follower: ActorCallback
  }

  /// The number of tags whose last invalidation is remembered, for answers of loads that began before it, and for stored values.
  static var rememberedTags: Int { 1024 }

  /// A board.
  ///
  /// - Parameter gate: Holds back the requests that the board makes by itself, and limits their number. Requests of other
  ///   callers do not count.
  public init(gate: LoadGate = LoadGate(width: 6)) {
    self.gate = gate
  }

  // MARK: Invalidating

  /// Invalidates all entries with one of the tags.
  ///
  /// - Returns: The requests that this has begun, to wait for their end.
  @discardableResult
  public func invalidate(_ tags: AsyncTag...) -> BoardRefresh { invalidate(tags) }

  /// Invalidates all entries with one of the tags.
  ///
  /// ```swift
  /// // In a background task, which must not end before the requests have.
  /// await board.invalidate([AsyncTag("article", 5)]).finished()
  /// ```
  ///
  /// If this is called in a notification of another invalidation, the entries are marked before this returns, and their
  /// observers are notified after those of the other one.
  ///
  /// - Complexity: Linear in the number of families on the board, and O(*n* log *n*) in the number *n* of entries that have one
  ///   of the tags. Entries without them cost nothing.
  /// - Returns: The requests that this has begun, to wait for their end.
  @discardableResult
  public func invalidate(_ tags: some Sequence<AsyncTag>) -> BoardRefresh {
    let tags = Array(tags)
    search.search { sent.request(tags) }
    return mark(tags)
  }

  /// Marks all entries with one of the tags, and requests them again, unless a command is awaited that may do more.
  @discardableResult
  private func mark(_ tags: [AsyncTag]) -> BoardRefresh {
    guard !tags.isEmpty else { return BoardRefresh(board: self, entries: []) }
    var found: [BoardEntry] = []
    if let hook { hook.invalidating(tags) { found = invalidateAll(tags) } } else { found = invalidateAll(tags) }
    return BoardRefresh(board: self, entries: found)
  }

  /// - Returns: The entries to be requested.
  private func invalidateAll(_ tags: [AsyncTag]) -> [BoardEntry] {
    search.search { log.note(tags) }
    let found = entries(with: tags)
    for family in families { family.family?.noteInvalidation(log.count) }
    deliveries.make(found) { $1.stage(.invalidated) }
    return request(found)
  }

  private func entries(with tags: some Sequence<AsyncTag>) -> [BoardEntry] {
    search.search {
      let tagged = tags.compactMap { index[$0] }
      // Those of a single tag as they are.
      let numbers = tagged.dropFirst().reduce(into: tagged.first ?? []) { $0.formUnion($1) }
      return numbers.sorted().compactMap { entries[$0]?.object }
    }
  }

  // MARK: Commands

  /// Cancels every mutation that invalidates tags of this board, and removes its output and error, as a log-out does. Those
  /// that were released while they send are cancelled, too. What was not sent never is. An outbox stays as it is.
  public func resetMutations() {
    for command in commands.compactMap(\.command) { command.reset() }
  }

  func add(_ command: any BoardCommand) {
    commands.append(WeakCommand(command: command)) { $0.command == nil }
  }

  /// A command is being sent.
  ///
  /// - Parameter tags: Returns the tags that it may invalidate.
  /// - Returns: Its number.
  func beginCommand(_ tags: @escaping () -> Set<AsyncTag>) -> Int { sent.begin(tags) }

  /// A command has ended, and these tags are invalidated because of it.
  ///
  /// - Parameter number: Nil if it was not sent.
  func endCommand(_ number: Int?, invalidating tags: Set<AsyncTag>) {
    let due = number.map { number in search.search { sent.end(number) } } ?? []
    if !tags.isEmpty {
      // A copy, because the tags are the user's, and a command may begin meanwhile.
      let sending = sent
      let others = sending.tags
      search.search { sent.hold(tags, except: due, for: others) }
      mark(Array(tags))
    }
    if !due.isEmpty { request(entries(with: due)) }
  }

  // MARK: Entries

  /// Invalidates a resource by tag, too, and requests it again, as an entry of a family: for a list that a command makes stale.
  ///
  /// ```swift
  /// board.add(inbox, tags: ["messages"])
  /// ```
  ///
  /// It is in use as long as something holds it. Adding it again replaces its tags.
  ///
  /// - Parameters:
  ///   - resource: The resource, which belongs to the board's actor, and to no family. It is not kept alive.
  ///   - tags: The tags that it depends on.
  public func add<Value>(_ resource: AsyncResource<Value>, tags: Set<AsyncTag>) {
    guard resource.data.keeper == nil else {
      return assertionFailure(
        """
        AsyncState: an entry of a family was added to an AsyncTagBoard. It would have the tags of both, and be requested \
        twice. Give the family the board and the tags: AsyncFamily(board:tags:). A release build ignores this.
        """)
    }
    guard !resource.isOfSeveral else {
      return assertionFailure(
        """
        AsyncState: a zip was added to an AsyncTagBoard. It has no value of its own, and its parts would not be requested. \
        Add the parts. A release build ignores this.
        """)
    }
    if let home = resource.actor { followGates(resource.data.gate, on: home) }
    let entry = resource.data.boardResource(on: self) ?? BoardResource(resource, on: self)
    setTags(tags, of: entry)
  }

  /// - Parameters:
  ///   - options: The options of the family.
  ///   - home: The actor of the family.
  func add(_ family: any BoardFamily, _ options: LoadOptions, on home: any Actor) {
    families.append(WeakFamily(family: family)) { $0.family == nil }
    followGates(options.gate, on: home)
  }

  func add(_ entry: BoardEntry) {
    // Some may have been released without notice, such as those of a family that is not known to be on its actor.
    if entries.makeRoom(removing: { $0.object == nil }) != nil { forgetReleased() }
    lastNumber += 1
    entry.number = lastNumber
    entries[lastNumber] = WeakReference(entry)
  }

  /// Removes the tags of entries that were released.
  private func forgetReleased() {
    search.search {
      index = index.compactMapValues { numbers in
        let kept = numbers.filter { entries[$0] != nil }
        return kept.isEmpty ? nil : kept
      }
    }
  }

  func remove(_ entry: BoardEntry) {
    setTags([], of: entry)
    entries[entry.number] = nil
    entry.refresh.isDue = false
    if entry.refresh.run != nil { runDidEnd(of: entry) }
  }

  func setTags(_ tags: Set<AsyncTag>, of entry: BoardEntry) {
    let former = entry.tags
    guard tags != former else { return }
    entry.tags = tags
    search.search {
      for tag in former.subtracting(tags) {
        index[tag]?.remove(entry.number)
        if index[tag]?.isEmpty == true { index[tag] = nil }
      }
      for tag in tags.subtracting(former) { index[tag, default: []].insert(entry.number) }
    }
  }

  /// The number of invalidations so far.
  var count: UInt64 { log.count }

  func hasInvalidated(_ tags: Set<AsyncTag>, since number: UInt64) -> Bool {
    search.search { log.hasInvalidated(tags, since: number) }
  }

  /// The board tracks no entries.
  var isEmpty: Bool { entries.isEmpty && index.isEmpty && runningCount == 0 }

  /// The number of entries that it tracks.
  var entryCount: Int { entries.count }

  /// The number of records of past invalidations.
  var memoryUse: Int { log.size }

  // MARK: Gates

  private func mayRequest(_ entry: BoardEntry) -> Bool { gate.isOpen && entry.data?.gate?.isOpen != false }

  /// Follows the board's own gate and that of its entries.
  private func followGates(_ other: LoadGate?, on home: any Actor) {
    follow(gate, on: home)
    if let other { follow(other, on: home) }
  }

  private func follow(_ gate: LoadGate, on home: any Actor) {
    // A gate that was released may have had the same identity.
    let identity = ObjectIdentifier(gate)
    guard followed[identity]?.gate == nil else { return }
    _ = followed.makeRoom { $0.gate == nil }
    let follower = gate.follower(on: home) { [weak self, weak gate] in
      if let gate { self?.gateDidChange(gate) }
    }
    followed[identity] = FollowedGate(gate: gate, follower: follower)
  }

  private func gateDidChange(_ changed: LoadGate) {
    if gate.isOpen, changed.isOpen {
      request(present.filter { changed === gate || changed === $0.data?.gate })
    } else if !gate.isOpen {
      while let entry = line.takeFirst() { entry.refresh.isInLine = false }
      for entry in present { entry.refresh.isDue = false }
    }
    resumeIfSettled()
  }

  private var present: [BoardEntry] { entries.values.compactMap(\.object) }

  // MARK: Requesting again

  /// Requests again each entry that is in use, stale, and was requested before, in all families of the board, while its content
  /// stays displayed. What a visible host displays is first, then the most recently used; entries that are loading are skipped.
  ///
  /// Requests that a closed gate holds back are made when it opens.
  ///
  /// - Complexity: Linear in the number of entries of all families on the board, and O(*n* log *n*) in the number *n* of
  ///   those that are requested.
  /// - Returns: The requests that this has begun, to wait for their end.
  @discardableResult
  public func refreshStale() -> BoardRefresh { BoardRefresh(board: self, entries: request(present)) }

  /// Requests those of some entries that are in use, stale, and were requested before, in their turn.
  ///
  /// - Returns: Those entries.
  @discardableResult
  func request(_ entries: [BoardEntry]) -> [BoardEntry] {
    guard gate.isOpen else { return [] }
    // Behind those that wait already: the displayed entries, and then the most recently used first.
    let requested = entries.filter { isToBeRequested($0) }
      .map { (entry: $0, isDisplayed: $0.data?.isDisplayed == true) }
      .sorted { $0.isDisplayed != $1.isDisplayed ? $0.isDisplayed : $0.entry.lastUse > $1.entry.lastUse }
      .map(\.entry)
    for entry in requested {
      entry.refresh.isDue = true
      if !entry.refresh.isInLine { line.append(entry) }
      entry.refresh.isInLine = true
    }
    advance()
    return requested
  }

  private func isToBeRequested(_ entry: BoardEntry) -> Bool {
    guard entry.wasRequested, mayRequest(entry), let data = entry.data else { return false }
    if sent.isHolding, search.search({ sent.isAwaited(entry.tags) }) { return false }
    // A load that runs may be as new as another one would be.
    return (data.hasRequests ? data.isInvalidated : data.isOutOfDate) && entry.isInUse
  }

  /// Makes the requests whose turn it is.
  private func advance() {
    guard !isRequesting else { return }
    isRequesting = true
    while gate.isOpen, let entry = line.first {
      let isRunning = entry.refresh.run?.isCurrent == true
      guard isRunning || !entry.refresh.isDue || runningCount < gate.width ?? .max else { break }
      _ = line.takeFirst()
      entry.refresh.isInLine = false
      guard entry.refresh.isDue, isToBeRequested(entry) else {
        entry.refresh.isDue = false
        continue
      }
      make(entry)
    }
    isRequesting = false
    resumeIfSettled()
  }

  /// Requests an entry, or supersedes the load that runs for it, if that is too old. A load that has itself superseded another
  /// one for that reason is awaited, so that a value arrives however often the entry is invalidated; a newer one, and pages,
  /// are awaited, too.
  private func make(_ entry: BoardEntry) {
    let former = entry.data?.runningLoad
    if entry.data?.hasRequests == true {
      guard let former, former.edge == nil, former.state.isOutdated else { return }
      if former === entry.refresh.run, entry.refresh.hasSuperseded { return }
    }
    entry.refresh.isDue = false
    // A previous request of the board hands over its place.
    if entry.refresh.run == nil { runningCount += 1 }
    entry.refresh.run = nil
    let run = entry.startRequest(superseding: former)
    entry.refresh.hasSuperseded = former != nil
    // An observer may have ended it.
    guard let run, run.isCurrent else {
      runningCount -= 1
      return
    }
    entry.refresh.run = run
    // A resource that is released makes no notification.
    run.requiredExtras.didAbandon = { [weak self] in
      entry.refresh.isDue = false
      if entry.refresh.run === run { self?.runDidEnd(of: entry) }
    }
  }

  /// Called when an entry has changed, and its observers have been notified.
  ///
  /// - Parameter allHaveEnded: True if the last of its requests has ended.
  func requestsMayHaveEnded(of entry: BoardEntry, allHaveEnded: Bool) {
    if let run = entry.refresh.run, !run.isCurrent { runDidEnd(of: entry) }
    guard allHaveEnded else { return }
    guard entry.refresh.isDue, let home = entry.home else { return resumeIfSettled() }
    // In the next turn: a caller that has got its answer, and that alone has used the entry, has left by then.
    ended.append(entry)
    guard ended.count == 1 else { return }
    ActorBound(self, to: home).callHere { home, board in board.requestEndedSoon(isolation: home) }
  }

  private func requestEndedSoon(isolation: isolated any Actor) {
    Task {
      await letOthersRun(isolation: isolation)
      requestEnded()
    }
  }

  private func requestEnded() {
    let entries = ended
    ended = []
    for entry in entries where !entry.refresh.isInLine { entry.refresh.isDue = false }
    request(entries)
    resumeIfSettled()
  }

  private func runDidEnd(of entry: BoardEntry) {
    entry.refresh.run = nil
    runningCount -= 1
    assert(runningCount >= 0, "Each request of the board ends once.")
    advance()
  }

  // MARK: Waiting for the end

  /// True while a request of the entry runs, or is made without further cause.
  fileprivate func isRequesting(_ entry: BoardEntry) -> Bool {
    entry.refresh.run != nil || entry.refresh.isDue && gate.isOpen && entry.data != nil
  }

  fileprivate func wait(for entry: BoardEntry, isolation: isolated any Actor) async {
    await waiters.wait(until: { !isRequesting(entry) }, isolation: isolation)
  }

  /// Suspends until no request of the board runs, and it has none left to make.
  ///
  /// Requests that a closed gate holds back do not count. Returns early when the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async {
    await waiters.wait(until: { isSettled }, isolation: isolation)
  }

  private var isSettled: Bool {
    runningCount == 0 && ended.isEmpty && !(gate.isOpen && present.contains { $0.refresh.isDue && mayRequest($0) })
  }

  private func resumeIfSettled() {
    if !isRequesting { waiters.resume() }
  }
}

/// The requests that a board has begun.
public struct BoardRefresh {
  fileprivate let board: AsyncTagBoard
  fileprivate let entries: [BoardEntry]

  /// Suspends until these requests have ended, however they end, and those that follow them because of further invalidations.
  /// Returns early when the calling task is cancelled, and does not wait for what a closed gate holds back.
  ///
  /// - Parameter isolation: The actor of the board.
  public func finished(isolation: isolated any Actor = #isolation) async {
    for entry in entries { await board.wait(for: entry, isolation: isolation) }
  }
}

/// The part of a family that a board uses.
protocol BoardFamily: AnyObject {
  /// Notes that the board has made the invalidation with this number.
  func noteInvalidation(_ number: UInt64)
}

extension AsyncTagBoard: CustomStringConvertible {
  /// The state of its gate, and the number of its requests.
  ///
  /// Call it on the actor of the board.
  public var description: String { "AsyncTagBoard: \(gate.isOpen ? "open" : "closed"), \(runningCount) loading" }
}

/// A mutation, for the board on which it invalidates tags.
protocol BoardCommand: AnyObject {
  func reset()
}
