// SPDX-License-Identifier: MIT
// The parts of families and entries that a board uses, and the change of several entries at once.

/// The part of a family that a board uses.
protocol BoardFamily: AnyObject {
  /// Notes that the board has made the invalidation with this number.
  func noteInvalidation(_ number: UInt64)
}

/// Entries that are requested together: so many of them, of a family that batches keys, are one request.
struct RequestGroup: Hashable {
  /// An entry that is requested alone.
  static let single = RequestGroup(batches: nil, size: 1)

  let batches: ObjectIdentifier?
  let size: Int
}

/// The part of an entry that a board uses.
protocol BoardMember: EntryRecord {
  /// The gate of its requests.
  var gate: LoadGate? { get }
  /// The entries that are requested together with it.
  var requestGroup: RequestGroup { get }
  /// A visible host displays it.
  var isDisplayed: Bool { get }
  var isRunning: Bool { get }
  var isInvalidated: Bool { get }
  var isStale: Bool { get }

  func stage(_ change: GroupChange)
  /// Called after the change: data that is derived from it follows before any observer is notified.
  func follow()
  func deliver()

  func startWriting(isolation: isolated any Actor)

  /// Marks the stored value, in its turn.
  func startMarking(isolation: isolated any Actor)

  /// Removes the stored value, in its turn.
  func startRemoving(in turn: StoreTurn, isolation: isolated any Actor)

  func startReload() -> LoadRun?
}

/// A change of many entries at once.
enum GroupChange {
  case invalidate(byBoard: Bool)
  case forget
}

/// Changes several entries before the first of them is notified. A change that is requested in a notification is made at
/// once and delivered by the same loop.
final class Deliveries {
  private var turn = Turn<any BoardMember>()

  func make(_ change: GroupChange = .invalidate(byBoard: true), of members: [any BoardMember]) {
    for member in members { member.stage(change) }
    for member in members { turn.add(member) }
    let isFirst = turn.begin()
    for member in members { member.follow() }
    guard isFirst else { return }
    while let member = turn.next() { member.deliver() }
  }
}
