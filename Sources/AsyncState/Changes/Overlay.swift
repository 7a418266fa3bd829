// SPDX-License-Identifier: MIT
/// One change of a value, without its patch. It is displayed before it is decided.
class AnyChange {
  enum State {
    case undecided
    /// Decided while a request runs, whose answer may be from before.
    case decidedSinceRequest
    case decided
    /// Not displayed any more.
    case dropped
  }

  /// Its place among the changes of its data.
  let number: Int
  fileprivate(set) final var state = State.undecided
  /// The number of writes of the value when it was sent first; nil: it was not sent.
  private(set) final var sentAt: UInt32?
  /// True if a page has arrived since it was sent, which may have a row that it adds.
  fileprivate(set) final var isBesidePage = false
  /// Its input, until that has ended.
  private final weak var input: (any RankedInput)?
  /// That of its input when it was displayed; nil: it is no change of a command.
  private final var firstRank: Rank?
  /// What the value was made of that it was displayed over first.
  private(set) final var sources: [any DoubtedPart] = []

  fileprivate init(number: Int) { self.number = number }

  final func belong(to input: (any RankedInput)?) { (self.input, firstRank) = (input, input?.rank) }

  /// Notes that it is sent, perhaps once more.
  final func send(at writes: UInt32) { if sentAt == nil { sentAt = writes } }

  /// True if it will be made after what is made now.
  fileprivate final var isUnsent: Bool { state == .undecided && sentAt == nil }

  private final var rank: Rank? { input?.rank ?? firstRank }

  /// The position of its input, if that will be sent, perhaps once more.
  fileprivate final var waitingPosition: Int? {
    guard state == .undecided, let input, !input.hasTurn else { return nil }
    return input.rank?.position
  }

  /// True if its input is of the same command, and sent after that of the other one.
  fileprivate final func isBehind(_ other: AnyChange) -> Bool {
    guard let own = waitingPosition, let others = other.waitingPosition, own > others else { return false }
    return rank?.command === other.rank?.command
  }

  fileprivate final func isOfSameLane(as other: AnyChange) -> Bool {
    guard let rank, let others = other.rank else { return false }
    return rank.command === others.command && rank.lane == others.lane
  }

  /// Notes what the value is made of that it is displayed over.
  final func display(over sources: @autoclosure () -> [any DoubtedPart]) {
    if self.sources.isEmpty, !isDropped { self.sources = sources() }
  }

  final func drop() { state = .dropped }

  final var isDropped: Bool { state == .dropped }
}

/// One change of a value.
final class Change<Value>: AnyChange {
  typealias Patch = (inout Value) -> Void

  private var patch: Patch

  init(number: Int, _ patch: @escaping Patch) {
    self.patch = patch
    super.init(number: number)
  }

  /// A change as one of this type.
  // Justified: the changes of data are made by it, for its values. A checked cast looks up generic metadata at each use. Noticed:
  // every test of changes, because debug builds check the cast.
  @inline(__always)
  fileprivate static func known(_ change: AnyChange) -> Change { unsafe unsafeDowncast(change, to: Change.self) }

  /// - Returns: The former patch, to be released after the event.
  func exchange(_ patch: @escaping Patch) -> Patch {
    let former = self.patch
    self.patch = patch
    return former
  }

  fileprivate func apply(to value: inout Value) {
    #if DEBUG
      if Value.self is AnyObject.Type { return applyToObject(&value) }
    #endif
    patch(&value)
  }

  #if DEBUG
    /// An object that a patch changes stays changed when the patch is removed.
    private func applyToObject(_ value: inout Value) {
      let former = value as AnyObject
      patch(&value)
      if former === value as AnyObject {
        AsyncStateWarnings.warn(
          """
          AsyncState: a change was displayed for a \(Value.self), and has made no other object of it. A \(Value.self) is an \
          object, so what the change has written to it cannot be taken back if the server refuses it. Make the value a \
          structure, or let the change assign a changed copy.
          """)
      }
    }
  #endif
}

/// The changes on top of a value, in the order in which they were made: all that is decided about them.
///
/// It knows no patch, so no code of the user's runs where it changes: what is removed, which may be the user's, is returned, to be released
/// after the event. It does not know the type of the value, either: what a change takes is half without that.
struct ChangeList {
  private(set) var all: [AnyChange] = []
  /// The displayed value has so many of the first changes.
  private(set) var shownCount = 0
  /// True if there is a value below. Kept, because to look at that is to look up its type.
  private(set) var isOverValue: Bool

  init(isOverValue: Bool = false) { self.isOverValue = isOverValue }

  var isEmpty: Bool { all.isEmpty }

  /// True if the displayed value lacks a change, or has one that was removed. Over none, that of a former key is displayed.
  var isDisplayOutdated: Bool { isOverValue && shownCount < all.count }

  func hasUndecided(besides change: AnyChange) -> Bool {
    all.contains { $0.state == .undecided && $0 !== change }
  }

  /// True if a change is decided, and lies above one that is not, or above what the running request may answer.
  var hasDecided: Bool { all.contains { $0.state != .undecided } }

  /// True if a decided change lies on the next value, too.
  var hasDecidedSinceRequest: Bool { all.contains { $0.state == .decidedSinceRequest } }

  /// The number of the first changes that are decided, and need not be applied to an answer again.
  var foldableCount: Int { all.firstIndex { $0.state != .decided } ?? all.count }

  /// Adds a change on top, but below those of its command that are sent after it. Those that are sent before it in its lane lie below.
  mutating func add(_ change: AnyChange) {
    let lane = all.indices.filter { all[$0].isOfSameLane(as: change) }
    let highest = lane.first { all[$0].isBehind(change) } ?? all.count
    let lowest = lane.last { $0 < highest }.map { $0 + 1 } ?? 0
    insert(change, at: min(highest, max(lowest, all.firstIndex { $0.isBehind(change) } ?? all.count)))
  }

  /// The changes of a lane, each in the place that it has if those that wait lie above the others, in the order in which they are
  /// sent; nil if they lie so.
  func reordered(like change: AnyChange) -> [(Int, AnyChange)]? {
    let places = all.indices.filter { all[$0].isOfSameLane(as: change) }
    let changes = places.map { all[$0] }
    let waiting = changes.filter { $0.waitingPosition != nil }.sorted { $1.isBehind($0) }
    let ordered = changes.filter { $0.waitingPosition == nil } + waiting
    return zip(changes, ordered).allSatisfy(===) ? nil : Array(zip(places, ordered))
  }

  mutating func reorder(_ places: [(Int, AnyChange)]) {
    for (place, change) in places { all[place] = change }
    shownCount = 0
  }

  /// A change that was made elsewhere: below the changes that are not sent yet, which will be made after it.
  mutating func update(_ change: AnyChange, duringRequest: Bool) {
    insert(change, at: all.firstIndex(where: \.isUnsent) ?? all.count)
    confirm(change, duringRequest: duringRequest)
  }

  private mutating func insert(_ change: AnyChange, at index: Int) {
    all.insert(change, at: index)
    if index < shownCount { shownCount = 0 }
  }

  /// Notes that a change has another patch.
  mutating func noteExchange() { shownCount = 0 }

  mutating func confirm(_ change: AnyChange, duringRequest: Bool) {
    change.state = duringRequest ? .decidedSinceRequest : .decided
  }

  /// Removes a change that failed, and no other.
  mutating func remove(_ change: AnyChange) {
    guard let index = all.firstIndex(where: { $0 === change }) else {
      return assertionFailure("A displayed change is in the list.")
    }
    all.remove(at: index)
    shownCount = 0
  }

  /// Notes that the displayed value has all changes.
  mutating func noteDisplayed() { shownCount = all.count }

  /// Another value lies below from now on: an answer, an element, a stored value, a list with a further page.
  ///
  /// - Parameters:
  ///   - hasValue: False if it is none.
  ///   - isNewest: True if it was pushed, and contains what was decided since the running request began.
  mutating func receive(hasValue: Bool, isNewest: Bool) -> [AnyChange] {
    let former = all
    isOverValue = hasValue
    all.removeAll { $0.state == .decided || isNewest && $0.state == .decidedSinceRequest }
    shownCount = 0
    return former
  }

  /// Notes a page that is about to arrive.
  func notePage() {
    for change in all where change.sentAt != nil { change.isBesidePage = true }
  }

  /// No request runs any more whose answer may be from before a decided change.
  func requestDidEnd() {
    for change in all where change.state == .decidedSinceRequest { change.state = .decided }
  }

  /// Removes the foldable changes, which are a part of the value below from now on.
  mutating func fold() -> [AnyChange] {
    let count = foldableCount
    let former = Array(all[..<count])
    all.removeFirst(count)
    shownCount = max(0, shownCount - count)
    return former
  }
}

extension ChangeList {
  /// The displayed value, made of the previous one. Patches run in here.
  func displayed<Value>(over base: Value?, from shown: Value?) -> Value? {
    guard var value = shownCount > 0 ? shown : base else { return nil }
    for change in all[shownCount...] { Change.known(change).apply(to: &value) }
    return value
  }
}

/// A value with changes on top. Patches run in its functions.
struct Overlay<Value> {
  /// The last value that does not depend on these changes.
  let base: Value?
  let list: ChangeList

  /// The base with these changes. A change of no value makes none.
  func value(with isWanted: (AnyChange) -> Bool) -> Value? {
    guard var value = base else { return nil }
    for change in list.all where isWanted(change) { Change.known(change).apply(to: &value) }
    return value
  }

  /// The displayed value, made of the previous one.
  func displayed(from shown: Value?) -> Value? { list.displayed(over: base, from: shown) }

  /// The value that stays even if the undecided changes fail.
  var decided: Value? { value { $0.state != .undecided } }

  /// The value without what is applied to the answer of the running request again.
  var known: Value? { value { $0.state == .decided } }

  /// The base with the changes that can be folded.
  var folded: Value? {
    guard var value = base else { return nil }
    for change in list.all[..<list.foldableCount] { Change.known(change).apply(to: &value) }
    return value
  }
}
