// SPDX-License-Identifier: MIT
import Synchronization

// The part of an entry that boards and the tables of families use. Nothing here depends on the types of keys and values: their
// metadata would be looked up at each use, which took a third of the time of a tag that many entries have.

/// The data of an entry, without the type of its value.
protocol EntryData: AnyObject {
  /// The number of times that the value was confirmed or removed.
  var confirmations: UInt32 { get }
  var isConfirmed: Bool { get }
  var isInvalidated: Bool { get }
  /// True if there is a reason to request again.
  var isOutOfDate: Bool { get }
  /// The load that runs.
  var runningLoad: LoadRun? { get }
  /// True while a load or a page request runs or waits.
  var hasRequests: Bool { get }
  var hasOpenChanges: Bool { get }
  /// True if a visible host displays it.
  var isDisplayed: Bool { get }
  var gate: LoadGate? { get }

  func stage(_ event: DataEvent) -> StagedEvent
  func stageForgotten(hasSeed: Bool) -> StagedEvent
}

/// An entry of a board: one of a family, or a resource.
class BoardEntry {
  // The fields that a look-up needs are first, so that they are in few cache lines.

  /// The only reference of a family to the resource of the entry.
  // Justified: nothing is called during an access. Checks would take half as long as a look-up. Noticed: every test, because
  // debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private(set) final var anyResource: AnyObject
  /// The number of its last access or load.
  final var lastUse: UInt64 = 0

  final let board: AsyncTagBoard?
  /// Its number on the board.
  final var number: UInt64 = 0
  /// The tags under which the board has it.
  final var tags: Set<AsyncTag> = []
  /// True if it was requested before, and not forgotten since.
  final var wasRequested = false
  /// What the board does with it.
  final var refresh = Refresh()
  // Justified: as above. Checks took a tenth of a tag that many entries have.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private final var following = Following()

  /// What a board does with an entry.
  struct Refresh {
    /// True if it is to be requested: in its turn, or when its running load has ended.
    var isDue = false
    /// True if it is in the line of the board.
    var isInLine = false
    /// The running request of the board.
    var run: LoadRun?
    /// True if that request has superseded a load that was too old for a tag.
    var hasSuperseded = false
  }

  /// The state of the data that was followed last.
  private struct Following {
    var confirmations: UInt32 = 0
    var isInvalidated = false
    var hadRequests = false
    /// The number of invalidations when the current load began.
    var startCount: UInt64 = 0
    /// The answer that is being written, with its tags; no tags: they were not computed.
    var answer: (load: LoadRun, tags: Set<AsyncTag>?, isOutdated: Bool)?
    /// True while the user's code computes tags. It may change the entry, which is followed by the loop that has called it.
    var isComputing = false
    var isFollowing = false
    var hasMissedChange = false
  }

  /// True if a store follows the value.
  private final let isStored: Bool

  init(_ resource: AnyObject, on board: AsyncTagBoard?, isStored: Bool = false) {
    anyResource = resource
    self.board = board
    self.isStored = isStored
  }

  // MARK: For subclasses

  var data: (any EntryData)? { nil }

  /// The actor of the data.
  var home: (any Actor)? { nil }

  /// True while the board and the store follow the data.
  var isAttached: Bool { true }

  /// True if something uses it: what holds its resource, a request, or a change that is not decided.
  var isInUse: Bool { isHeld || data.map { $0.hasRequests || $0.hasOpenChanges } ?? false }

  /// Calls the user's code that computes the tags of the present value, or of the answer of a load.
  func makeTags(of load: LoadRun?) -> Set<AsyncTag> { [] }

  /// Begins a request.
  ///
  /// - Parameter superseding: The load whose place it takes.
  func request(superseding former: LoadRun?, isolation: isolated any Actor) -> LoadRun? { nil }

  /// Called for an entry with a store when the value has changed, or the present one has been marked.
  func didChange(isOtherValue: Bool) {}

  // MARK: Use

  /// True if its resource has a holder other than the family.
  final var isHeld: Bool {
    // With its type written out: otherwise the function is called with a copy, and nothing is ever unique.
    let isUnique: (inout AnyObject) -> Bool = isKnownUniquelyReferenced
    guard isUnique(&anyResource) else { return true }
    // Others may have released it on other threads.
    atomicMemoryFence(ordering: .acquiring)
    return false
  }

  /// Begins a request of the board.
  final func startRequest(superseding former: LoadRun?) -> LoadRun? {
    guard isAttached, let home else { return nil }
    let begun = WeakReference<LoadRun>()
    ActorBound((entry: self, former: former, begun: begun), to: home).callHere { home, bound in
      bound.begun.object = bound.entry.request(superseding: bound.former, isolation: home)
    }
    return begun.object
  }

  // MARK: Tags

  /// Computes the tags of the present value, or of the answer of a load, by calling the user's code.
  ///
  /// - Returns: Nil if this is called in that code.
  final func computeTags(of load: LoadRun? = nil) -> Set<AsyncTag>? {
    computeTags { makeTags(of: load) }
  }

  final func computeTags(_ make: () -> Set<AsyncTag>) -> Set<AsyncTag>? {
    guard board != nil else { return [] }
    guard !following.isComputing else { return nil }
    following.isComputing = true
    let tags = make()
    following.isComputing = false
    if let data { followChanges(of: data) }
    return tags
  }

  /// Notes that the data has a value with these tags, or none, that is not to be followed.
  ///
  /// - Parameter isInvalidated: True if the store knows that it is out of date.
  final func noteValue(with tags: Set<AsyncTag>?, isInvalidated: Bool) {
    if let tags { board?.setTags(tags, of: self) }
    following.isInvalidated = isInvalidated
  }

  /// Notes that the present state of the data was followed.
  final func beginFollowing() { following.confirmations = data?.confirmations ?? 0 }

  // MARK: Loads

  final func noteBegin(of load: LoadRun) {
    wasRequested = true
    guard isAttached, let board else { return }
    following.startCount = board.count
    if load.edge == nil { refresh.isDue = false }
  }

  /// - Returns: True if the answer is out of date: a tag of it was invalidated since the load began.
  final func noteAnswer(of load: LoadRun) -> Bool {
    guard isAttached, let board else { return false }
    let startCount = following.startCount
    let tags = computeTags(of: load)
    // Also if they were not computed.
    let isOutdated = tags.map { board.hasInvalidated($0, since: startCount) } ?? true
    following.answer = (load, tags, isOutdated)
    return isOutdated
  }

  final func noteAnswerWritten() { following.answer = nil }

  // MARK: Changes

  /// Called when the data has changed, before its observers are notified.
  final func follow() {
    guard let data else { return }
    if data.hasRequests { following.hadRequests = true }
    following.hasMissedChange = true
    followChanges(of: data)
  }

  private final func followChanges(of data: any EntryData) {
    guard !following.isFollowing, !following.isComputing else { return }
    following.isFollowing = true
    while following.hasMissedChange, isAttached {
      following.hasMissedChange = false
      followChange(of: data)
    }
    following.isFollowing = false
  }

  private final func followChange(of data: any EntryData) {
    let (confirmations, isInvalidated) = (data.confirmations, data.isInvalidated)
    let hasOtherValue = confirmations != following.confirmations
    if hasOtherValue {
      let answer = takeAnswer()
      guard let tags = answer?.tags ?? computeTags(), isAttached, !following.hasMissedChange else { return }
      following.confirmations = confirmations
      board?.setTags(tags, of: self)
      if answer?.isOutdated == true { refresh.isDue = true }
    } else if isInvalidated == following.isInvalidated {
      return
    }
    following.isInvalidated = isInvalidated
    if isStored, hasOtherValue || isInvalidated { didChange(isOtherValue: hasOtherValue) }
  }

  /// The answer that was written; nil if another value was.
  private final func takeAnswer() -> (tags: Set<AsyncTag>?, isOutdated: Bool)? {
    guard let answer = following.answer, case .answered = answer.load.ending else { return nil }
    following.answer = nil
    return (answer.tags, answer.isOutdated)
  }

  /// Called when all observers have been notified.
  ///
  /// - Returns: True if the last of its requests has ended.
  final func noteNotified() -> Bool {
    let hasEnded = following.hadRequests && data?.hasRequests == false
    if hasEnded { following.hadRequests = false }
    if isAttached { board?.requestsMayHaveEnded(of: self, allHaveEnded: hasEnded) }
    return hasEnded
  }
}

/// Counts the uses of entries, so that they can be compared.
final class UseCounter {
  private var last: UInt64 = 0

  func next() -> UInt64 {
    last += 1
    return last
  }
}

/// Changes several entries before the first of them is notified. A change that is requested in a notification is made at
/// once and delivered by the same loop.
final class Deliveries {
  // Justified: nothing is called during an access. Checks took a twentieth of a tag that many entries have. Noticed: every test of
  // families, because debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private var turn = Turn<StagedEvent>()

  func make(_ entries: [BoardEntry], _ stage: (BoardEntry, any EntryData) -> StagedEvent) {
    for entry in entries { if let data = entry.data { turn.add(stage(entry, data)) } }
    let isFirst = turn.begin()
    for entry in entries { entry.follow() }
    guard isFirst else { return }
    while let event = turn.next() { event.deliver() }
  }
}

extension AsyncData: EntryData {
  var confirmations: UInt32 { state.core.record.confirmations }
  var isConfirmed: Bool { state.core.record.isConfirmed }
  var isInvalidated: Bool { state.core.record.context.validity != .valid }
  var runningLoad: LoadRun? { state.core.order.running }
  var hasRequests: Bool { !state.core.order.isEmpty }
  var isDisplayed: Bool { state.core.isDisplayed }
}
