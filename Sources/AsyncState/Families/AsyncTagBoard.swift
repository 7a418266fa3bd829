// SPDX-License-Identifier: MIT
/// Invalidates the entries with a tag, in all families that share the board, and requests the held ones again.
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
/// An invalidation marks all entries with one of the tags, and then notifies the observers of each once. Entries that are held
/// outside of their family, and were requested before, are requested again, a few at a time: what a visible host displays
/// first, then the most recently used. All others are only marked.
///
/// Requests that the board makes by itself wait for its own ``gate``, and for that of the family's options. While one of them
/// is closed, offline or in the background, entries are only marked. When it opens, each entry that is held, was requested
/// before, and is stale for any reason is requested once, also after a failure. A running load is awaited: if the entry is
/// still invalidated when it has ended, the entry is requested.
///
/// A board belongs to the actor of its families.
public final class AsyncTagBoard {
  /// Holds back the requests that the board makes by itself, and no others, unless it is the gate of other options, too.
  ///
  /// ```swift
  /// board.gate.close()
  /// let token = board.gate.follow(isInForeground)
  /// ```
  public let gate: LoadGate

  /// The invalidations so far.
  private var log: TagLog
  /// The entries of all families, by number.
  private var members: [UInt64: WeakMember] = [:]
  /// The numbers of the entries that have a tag.
  private var index: [AsyncTag: Set<UInt64>] = [:]
  /// True while user code runs that hashes or compares tags.
  private var isSearching = false
  private var lastNumber: UInt64 = 0
  private var families: [WeakFamily] = []
  /// The mutations that invalidate tags here.
  private var commands: [WeakCommand] = []
  private var sent = SentCommands()
  let uses = UseCounter()
  let deliveries = Deliveries()
  /// Records each invalidation; nil without a journal.
  package var hook: (any BoardHook)?

  /// The entries that were marked, and for which no load has begun since.
  private var marked: Set<UInt64> = []
  /// The marked entries whose load was running when they were marked.
  private var postponed: Set<UInt64> = []
  /// The entries to request again.
  private var queue = ReloadQueue()
  /// The running requests of the board.
  private var reloads = Reloads()
  private var reloadCount: Int { reloads.count }
  private var isReloading = false
  private let waiters = ConditionWaiters()
  /// Its own gate and those of its families, each with the callback for when it opens or closes.
  private var followed: [ObjectIdentifier: FollowedGate] = [:]

  private struct WeakMember {
    weak var member: (any BoardMember)?
  }

  private struct WeakFamily {
    weak var family: (any BoardFamily)?
    let gate: LoadGate?
  }

  private struct WeakCommand {
    weak var command: (any BoardCommand)?
  }

  private struct FollowedGate {
    weak var gate: LoadGate?
    let follower: ActorCallback
  }

  /// A board.
  ///
  /// - Parameters:
  ///   - gate: Holds back the requests that the board makes by itself. The number of these requests that run at a time is
  ///     limited by the narrowest gate, of this one and those of the families' options; it is four if none has a width.
  ///     Requests of other callers do not count.
  ///   - rememberedInvalidations: The number of tags whose last invalidation is remembered, for answers of loads that began
  ///     before it. Beyond that an answer may count as invalidated needlessly, but never as fresh wrongly.
  public init(gate: LoadGate = LoadGate(), rememberedInvalidations: Int = 256) {
    self.gate = gate
    log = TagLog(capacity: rememberedInvalidations)
  }

  /// Invalidates all entries with one of the tags.
  public func invalidate(_ tags: AsyncTag...) {
    invalidate(tags)
  }

  /// Invalidates all entries with one of the tags.
  ///
  /// If this is called in a notification of another invalidation, the entries are marked before this returns, and their
  /// observers are notified after those of the other one.
  ///
  /// - Complexity: Linear in the number of families on the board, and O(*n* log *n*) in the number *n* of entries that have one
  ///   of the tags. Entries without them cost nothing.
  public func invalidate(_ tags: some Sequence<AsyncTag>) {
    let tags = Array(tags)
    searching { sent.request(tags) }
    mark(tags)
  }

  /// Marks all entries with one of the tags, and requests them again unless a command is awaited that may do more.
  private func mark(_ tags: [AsyncTag]) {
    guard !tags.isEmpty else { return }
    if let hook { hook.invalidating(tags) { invalidateAll(tags) } } else { invalidateAll(tags) }
  }

  private func invalidateAll(_ tags: [AsyncTag]) {
    var numbers: Set<UInt64> = []
    searching {
      log.note(tags)
      for tag in tags { if let found = index[tag] { numbers.formUnion(found) } }
    }
    for family in families { family.family?.noteInvalidation(log.count) }
    let hit = numbers.sorted().compactMap { members[$0]?.member }
    deliveries.make(of: hit)
    reload(marked.intersection(numbers))
  }

  // MARK: Commands

  /// Cancels every mutation that invalidates tags of this board, and removes its output and error, as a log-out does. Those
  /// that were released while they send are cancelled, too. What was not sent never is.
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
    let due = number.map { number in searching { sent.end(number) } } ?? []
    if !tags.isEmpty {
      // A copy, because the tags are the user's, and a command may begin meanwhile.
      let sending = sent
      let others = sending.tags
      searching { sent.hold(tags, except: due, for: others) }
      mark(Array(tags))
    }
    guard !due.isEmpty else { return }
    let numbers = searching { due.reduce(into: Set<UInt64>()) { $0.formUnion(index[$1] ?? []) } }
    reload(marked.intersection(numbers))
  }

  /// Suspends until no request of the board runs, and it has none left to make.
  ///
  /// Requests that a closed gate holds back do not count. Returns early when the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async {
    await waiters.wait(until: { isSettled }, isolation: isolation)
  }

  private var isSettled: Bool {
    reloadCount == 0 && !(gate.isOpen && postponed.contains { members[$0]?.member.map(mayRequest) == true })
  }

  private func resumeIfSettled() {
    guard isSettled, !isReloading else { return }
    waiters.resume()
  }

  // MARK: Entries

  /// The board tracks no entries.
  var isEmpty: Bool { members.isEmpty && index.isEmpty && marked.isEmpty && postponed.isEmpty && reloadCount == 0 }

  /// The number of entries that it tracks.
  var entryCount: Int { members.count }

  /// The number of records of past invalidations.
  var memoryUse: Int { log.size }

  /// The number of invalidations so far.
  var count: UInt64 { log.count }

  func hasInvalidated(_ tags: Set<AsyncTag>, since number: UInt64) -> Bool {
    searching { log.hasInvalidated(tags, since: number) }
  }

  /// - Parameters:
  ///   - options: The options of the family.
  ///   - home: The actor of the family.
  func add(_ family: any BoardFamily, _ options: LoadOptions, on home: any Actor) {
    families.append(WeakFamily(family: family, gate: options.gate)) { $0.family == nil }
    follow(gate, on: home)
    if let gate = options.gate { follow(gate, on: home) }
  }

  func add(_ member: any BoardMember) {
    // Some may have been released without notice, such as those of a family that is not known to be on its actor.
    if members.makeRoom(removing: { $0.member == nil }) != nil { forgetReleased() }
    lastNumber += 1
    member.number = lastNumber
    members[lastNumber] = WeakMember(member: member)
  }

  /// Removes the marks and tags of entries that are no members any more.
  private func forgetReleased() {
    marked.formIntersection(members.keys)
    postponed.formIntersection(members.keys)
    searching {
      index = index.compactMapValues { numbers in
        let kept = numbers.filter { members[$0] != nil }
        return kept.isEmpty ? nil : kept
      }
    }
  }

  func remove(_ member: any BoardMember) {
    setTags([], of: member)
    members[member.number] = nil
    unmark(member)
    if member.reload != nil { reloadDidEnd(of: member) }
  }

  func setTags(_ tags: Set<AsyncTag>, of member: any BoardMember) {
    let number = member.number
    let former = member.tags
    member.tags = tags
    searching {
      for tag in former.subtracting(tags) {
        index[tag]?.remove(number)
        if index[tag]?.isEmpty == true { index[tag] = nil }
      }
      for tag in tags.subtracting(former) { index[tag, default: []].insert(number) }
    }
  }

  /// Marks an entry as out of date. A load that runs now cannot change that.
  func mark(_ member: any BoardMember) {
    marked.insert(member.number)
    if member.isRunning { postponed.insert(member.number) }
  }

  func isMarked(_ member: any BoardMember) -> Bool { marked.contains(member.number) }

  /// Removes the mark, because a load of the entry begins, or its value was written otherwise.
  func unmark(_ member: any BoardMember) {
    guard marked.remove(member.number) != nil else { return }
    if postponed.remove(member.number) != nil { resumeIfSettled() }
  }

  /// Requests a marked entry whose load has ended, if no other load waits.
  func runDidEnd(of member: any BoardMember) {
    postponed.remove(member.number)
    if marked.contains(member.number) { reload([member.number]) }
    resumeIfSettled()
  }

  // MARK: Requesting again

  private func mayRequest(_ member: any BoardMember) -> Bool { gate.isOpen && member.gate?.isOpen != false }

  /// Its own gate, and those of the present families.
  private var gates: [LoadGate] { [gate] + families.compactMap { $0.family == nil ? nil : $0.gate } }

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
    if !gate.isOpen { queue = ReloadQueue() }
    guard gate.isOpen, changed.isOpen else { return resumeIfSettled() }
    let members = members.values.compactMap(\.member).filter { changed === gate || changed === $0.gate }
    // A running load may clear the invalidation; if it does not, the entry is requested when it has ended.
    for member in members where member.isInvalidated || isStale(member) { mark(member) }
    reload(marked)
  }

  /// True if an entry is too old, and may be requested. A running load is as new as another one would be.
  private func isStale(_ member: any BoardMember) -> Bool {
    member.wasRequested && !member.isRunning && member.isStale && member.isHeld
  }

  /// Requests again each entry that is held, stale, and was requested before, in all families of the board, while its content
  /// stays displayed. The number of requests at a time is limited: what a visible host displays is first, then the most
  /// recently used; entries that are loading are skipped.
  ///
  /// Requests that a closed gate holds back are made when it opens.
  ///
  /// - Complexity: Linear in the number of entries of all families on the board, and O(*n* log *n*) in the number *n* of
  ///   those that are requested.
  public func refreshStale() {
    let stale = members.values.compactMap(\.member).filter { mayRequest($0) && isStale($0) }
    for member in stale { mark(member) }
    reload(Set(stale.map { $0.number }))
  }

  /// Requests an entry that is out of date because of an input of its value.
  func requestAgain(_ member: any BoardMember) {
    mark(member)
    reload([member.number])
  }

  /// Notes the end of the board's request, which may have ended alone, or been superseded.
  func reloadMayHaveEnded(of member: any BoardMember) {
    if let reload = member.reload, !reload.isCurrent { reloadDidEnd(of: member) }
  }

  private func reloadDidEnd(of member: any BoardMember) {
    member.reload = nil
    reloads.remove(member.requestGroup)
    reload([])
    resumeIfSettled()
  }

  /// Requests the held ones of these entries again, as soon as there is room.
  private func reload(_ numbers: Set<UInt64>) {
    guard gate.isOpen else { return }
    // Behind those that wait already: the displayed entries, and then the most recently used first.
    let requested = numbers.compactMap { members[$0]?.member }.map { (member: $0, isDisplayed: $0.isDisplayed) }
    let order = requested.sorted {
      $0.isDisplayed != $1.isDisplayed ? $0.isDisplayed : $0.member.lastUse > $1.member.lastUse
    }
    for (member, _) in order { queue.append(member.number) }
    guard !isReloading else { return }
    isReloading = true
    let width = LoadGate.narrowest(of: gates)
    while gate.isOpen, let number = queue.first {
      let group = members[number]?.member?.requestGroup ?? .single
      guard reloads.hasRoom(for: group, in: width) else { break }
      queue.removeFirst()
      guard marked.contains(number), let member = members[number]?.member, member.wasRequested, !member.isRunning,
        mayRequest(member), member.isHeld, !searching({ sent.isAwaited(member.tags) })
      else { continue }
      // The former request may have ended in the notification that led here.
      if member.reload == nil { reloads.add(group) }
      member.reload = nil
      let run = member.startReload()
      // An observer may have ended it.
      if let run, run.isCurrent { member.reload = run } else { reloads.remove(group) }
    }
    isReloading = false
    resumeIfSettled()
  }

  // MARK: User code

  /// Calls code that hashes and compares tags. If that code used the board, it would find the board half changed.
  private func searching<Result>(_ body: () -> Result) -> Result {
    guard !isSearching else {
      fatalError(
        """
        AsyncState: the == or hash(into:) of an AsyncTag's value used the tag's board, which is just looking for the tag. \
        Make the value of a tag one that only compares what it holds.
        """)
    }
    isSearching = true
    defer { isSearching = false }
    return body()
  }
}

/// The entries that a board requests again, each once, in order.
private struct ReloadQueue {
  private var line = WaitingLine<UInt64>()
  private var members: Set<UInt64> = []

  mutating func append(_ number: UInt64) {
    if members.insert(number).inserted { line.append(number) }
  }

  var first: UInt64? { line.first }

  mutating func removeFirst() {
    if let first = line.takeFirst() { members.remove(first) }
  }
}

/// The entries that a board is requesting again. Those of a family that requests several keys together count as batches.
private struct Reloads {
  private var counts: [RequestGroup: Int] = [:]

  var count: Int { counts.values.reduce(0, +) }

  /// True if another entry makes no more requests than so many.
  func hasRoom(for group: RequestGroup, in width: Int) -> Bool {
    let others = counts.reduce(0) { $0 + ($1.key == group ? 0 : Self.requests($1.value, of: $1.key)) }
    return others + Self.requests(counts[group, default: 0] + 1, of: group) <= width
  }

  private static func requests(_ count: Int, of group: RequestGroup) -> Int {
    count == 0 ? 0 : (count - 1) / group.size + 1
  }

  mutating func add(_ group: RequestGroup) { counts[group, default: 0] += 1 }

  mutating func remove(_ group: RequestGroup) {
    let count = counts[group, default: 0] - 1
    assert(count >= 0, "Each request of the board ends once.")
    counts[group] = count == 0 ? nil : count
  }
}

extension AsyncTagBoard: CustomStringConvertible {
  /// The state of its gate, and the numbers of its loads and of the entries that wait.
  ///
  /// Call it on the actor of the board.
  public var description: String {
    "AsyncTagBoard: \(gate.isOpen ? "open" : "closed"), \(reloadCount) loading, \(postponed.count) waiting"
  }
}

/// A mutation, for the board on which it invalidates tags.
protocol BoardCommand: AnyObject {
  func reset()
}
