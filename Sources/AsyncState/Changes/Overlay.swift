// SPDX-License-Identifier: MIT
/// One change of a value. It is displayed before it is decided.
final class Change<Value> {
  typealias Patch = (inout Value) -> Void

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
  fileprivate var patch: Patch
  fileprivate(set) var state = State.undecided
  /// The number of writes of the value when it was sent first; nil: it was not sent.
  private(set) var sentAt: UInt32?
  /// True if a page has arrived since it was sent, which may have a row that it adds.
  fileprivate(set) var isBesidePage = false

  init(number: Int, _ patch: @escaping Patch) {
    self.number = number
    self.patch = patch
  }

  /// Notes that it is sent, perhaps once more.
  func send(at writes: UInt32) { if sentAt == nil { sentAt = writes } }

  func drop() { state = .dropped }

  var isDropped: Bool { state == .dropped }

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

/// A value with changes on top, in the order in which they were made: the displayed value.
///
/// Patches run only in the functions that return a value. All others change the overlay in an event, without code of the user's:
/// they return what they have removed, which may be the user's, to be released after the event.
struct Overlay<Value> {
  /// The last value that does not depend on these changes.
  private(set) var base: Value?
  private(set) var changes: [Change<Value>] = []
  /// The displayed value has so many of the first changes.
  private var shownCount = 0

  init(base: Value?) { self.base = base }

  // MARK: Values. Patches run in here.

  /// The base with these changes. A change of no value makes none.
  func value(with isWanted: (Change<Value>) -> Bool) -> Value? {
    guard var value = base else { return nil }
    for change in changes where isWanted(change) { change.apply(to: &value) }
    return value
  }

  /// The displayed value, made of the previous one.
  func displayed(from shown: Value?) -> Value? {
    guard var value = shownCount > 0 ? shown : base else { return nil }
    for change in changes[shownCount...] { change.apply(to: &value) }
    return value
  }

  /// The value that stays even if the undecided changes fail.
  var decided: Value? { value { $0.state != .undecided } }

  /// The value without what is applied to the answer of the running request again.
  var known: Value? { value { $0.state == .decided } }

  /// The base with the ``foldableCount`` first changes.
  var folded: Value? {
    guard var value = base else { return nil }
    for change in changes[..<foldableCount] { change.apply(to: &value) }
    return value
  }

  // MARK: What can be known without running a patch

  /// True if the displayed value lacks a change, or has one that was removed.
  var isDisplayOutdated: Bool { base != nil && shownCount < changes.count }

  func hasUndecided(besides change: Change<Value>) -> Bool {
    changes.contains { $0.state == .undecided && $0 !== change }
  }

  /// True if a change is decided, and lies above one that is not, or above what the running request may answer.
  var hasDecided: Bool { changes.contains { $0.state != .undecided } }

  /// The number of the first changes that are decided, and need not be applied to an answer again.
  var foldableCount: Int { changes.firstIndex { $0.state != .decided } ?? changes.count }

  // MARK: Changes

  mutating func add(_ change: Change<Value>) { changes.append(change) }

  /// A change that was made elsewhere: below the changes that are not sent yet, which will be made after it.
  mutating func update(_ change: Change<Value>, duringRequest: Bool) {
    let index = changes.firstIndex { $0.state == .undecided && $0.sentAt == nil } ?? changes.count
    change.state = duringRequest ? .decidedSinceRequest : .decided
    changes.insert(change, at: index)
    if index < shownCount { shownCount = 0 }
  }

  mutating func exchange(_ change: Change<Value>, _ patch: @escaping Change<Value>.Patch) -> Change<Value>.Patch {
    shownCount = 0
    let former = change.patch
    change.patch = patch
    return former
  }

  mutating func confirm(_ change: Change<Value>, duringRequest: Bool) {
    change.state = duringRequest ? .decidedSinceRequest : .decided
  }

  /// Removes a change that failed, and no other.
  mutating func remove(_ change: Change<Value>) {
    guard let index = changes.firstIndex(where: { $0 === change }) else {
      return assertionFailure("A displayed change is in the overlay.")
    }
    changes.remove(at: index)
    change.drop()
    shownCount = 0
  }

  /// Notes that the displayed value has all changes.
  mutating func noteDisplayed() { shownCount = changes.count }

  /// A value from below: an answer, an element, a stored value, a list with a further page.
  ///
  /// - Parameter isNewest: True if it was pushed, and contains what was decided since the running request began.
  mutating func receive(_ value: Value?, isNewest: Bool) -> (base: Value?, changes: [Change<Value>]) {
    let former = (base, changes)
    base = value
    changes.removeAll { $0.state == .decided || isNewest && $0.state == .decidedSinceRequest }
    shownCount = 0
    return former
  }

  /// Notes a page that is about to arrive.
  func notePage() {
    for change in changes where change.sentAt != nil { change.isBesidePage = true }
  }

  /// No request runs any more whose answer may be from before a decided change.
  func requestDidEnd() {
    for change in changes where change.state == .decidedSinceRequest { change.state = .decided }
  }

  /// Makes the ``folded`` value the base.
  mutating func fold(into value: Value?) -> (base: Value?, changes: [Change<Value>]) {
    let count = foldableCount
    let former = (base, Array(changes[..<count]))
    base = value
    changes.removeFirst(count)
    shownCount = max(0, shownCount - count)
    return former
  }
}
