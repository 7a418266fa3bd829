// SPDX-License-Identifier: MIT
/// The commit of one optimistic change: whether it may still begin, and who awaits that.
final class Commit: LaneItem {
  /// Its place among the changes of its data.
  let number: Int
  /// How it ended before it was decided; nil while it may still be.
  private(set) var ending: LoadEnd?
  var isOver: Bool { ending != nil }
  /// It has its lane, or needs none.
  private(set) var hasTurn = false
  private(set) var hasBegun = false
  /// How many changes of the data were confirmed before it began.
  private(set) var confirmedBefore = 0
  /// The gate that it waits for last, and its ticket there.
  private var place: (gate: LoadGate, ticket: Int)?
  private var continuation: SuspendedCall?

  init(number: Int) {
    self.number = number
  }

  /// The call waits until the commit has its turn or is over.
  func wait(_ call: SuspendedCall) {
    if hasTurn || ending != nil { call.resume() } else { continuation = call }
  }

  func takeTurn() {
    hasTurn = true
    resume()
  }

  /// It is about to wait for a gate to open.
  func wait(at gate: LoadGate, _ ticket: Int) {
    place = (gate, ticket)
  }

  /// - Parameter confirmedCount: How many changes of the data were confirmed by now.
  func begin(after confirmedCount: Int) {
    assert(ending == nil && hasTurn, "A commit begins once, in its turn.")
    hasBegun = true
    confirmedBefore = confirmedCount
  }

  /// It is not decided by its operation any more.
  func end(_ reason: LoadEnd) {
    if ending == nil { ending = reason }
    resume()
    if let place = place.take() { place.gate.leave(place.ticket) }
  }

  private func resume() {
    continuation.take()?.resume()
  }
}
