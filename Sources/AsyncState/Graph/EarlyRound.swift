// SPDX-License-Identifier: MIT
// Early observers: the steps before any value is computed that is derived from a change.
//
// An early observer changes other data: a resource that follows a key removes the data of the previous key. That data may have
// early observers in turn. So a change is followed in two steps. First all early observers that it leads to are called; readers
// see their changes, but these are not delivered. Then these changes are delivered, one after another. So nothing is computed
// from a part of the change, and the stack does not grow with the number of resources that follow one another.

/// The early observers that a change leads to, and their changes that are not delivered yet.
final class EarlyRound {
  private var calls: [(EarlyRound) -> Void] = []
  private var deliveries: [() -> Void] = []

  /// Calls `body`, whose changes are delivered by the round that runs, or, if there is none, before this returns.
  static func within(_ running: EarlyRound?, _ body: (EarlyRound) -> Void) {
    let round = running ?? EarlyRound()
    body(round)
    if running == nil { round.finish() }
  }

  /// Adds a call of early observers, which is made before anything is delivered.
  func call(_ body: @escaping (EarlyRound) -> Void) {
    calls.append(body)
  }

  /// Adds the delivery of a change, or work that follows from one, to be done after everything that was added before.
  func deliver(_ body: @escaping () -> Void) {
    deliveries.append(body)
  }

  /// Does everything that was added, and everything that is added during that.
  func finish() {
    callAll()
    while !deliveries.isEmpty {
      // Taken out, so that each is released when it is done.
      var batch: [() -> Void] = []
      swap(&batch, &deliveries)
      batch.reverse()
      while let delivery = batch.popLast() {
        delivery()
        callAll()
      }
    }
  }

  /// Calls all early observers that were added, and those that their changes lead to. Nothing is delivered.
  func callAll() {
    while !calls.isEmpty {
      var batch: [(EarlyRound) -> Void] = []
      swap(&batch, &calls)
      for call in batch { call(self) }
    }
  }
}
