// SPDX-License-Identifier: MIT
// The steps before anything is computed that is derived from a change.
//
// An early observer changes other data: a resource that follows a key removes the data of the former key. Those data may
// have early observers in turn. So a change is followed in two steps. First all early observers that it leads to are
// called, and what they change becomes visible to readers, but is not delivered. Then these changes are delivered, one
// after another. So nothing is computed from a part of the change, and the stack does not grow with the number of
// resources that follow one another.

/// The early observers that a change leads to, and what they have changed and is not delivered yet.
final class EarlyRound {
  private var calls: [(EarlyRound) -> Void] = []
  private var deliveries: [() -> Void] = []

  /// Early observers are to be called, before anything is delivered.
  func call(_ body: @escaping (EarlyRound) -> Void) {
    calls.append(body)
  }

  /// A change is to be delivered, or what follows from its delivery is to be done, after all that was added before.
  func deliver(_ body: @escaping () -> Void) {
    deliveries.append(body)
  }

  /// Does all that was added, and all that is added while it does that.
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
