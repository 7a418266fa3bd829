// SPDX-License-Identifier: MIT
// How a journal records what is written. Inputs know this class, and nothing of the journal.

/// Is notified of what is written to an input, on its actor. The input holds it.
package protocol InputHook: AnyObject {
  /// The input was written, and no observer has been notified.
  ///
  /// - Parameters:
  ///   - version: Counts what was written.
  ///   - waitingCount: How many values before this one are not delivered.
  func inputWasWritten(version: Int, waitingCount: Int)

  /// Calls `body`, which delivers a value.
  ///
  /// - Parameter waitingCount: How many values after that one are not delivered.
  func notifying(waitingCount: Int, _ body: () -> Void)

  /// Another journal records from now on.
  func retire()
}

extension Input {
  /// From now on this one is notified, in the place of another.
  ///
  /// - Parameter makeHook: Takes the version of the value that there is.
  package func attach(_ makeHook: (Int) -> any InputHook) {
    let node: GraphNode = inputNode
    node.openness?.hook?.retire()
    node.attach(makeHook(node.state.version))
  }
}

extension GraphNode {
  /// Nil where no journal records what is written.
  final var inputHook: (any InputHook)? { state.delivery.rest == .recorded ? openness?.hook : nil }

  /// From now on what is written is recorded.
  final func attach(_ hook: any InputHook) {
    guard let openness else { return }
    openness.hook = hook
    state.delivery.rest = .recorded
    if state.delivery.turn == .free { state.delivery.turn = .recorded }
  }

  /// Delivers all that is staged, unless that is being done, and records it.
  final func deliverRecorded() {
    guard let hook = inputHook, beginRecordedDelivery(hook) else { return }
    while state.delivery.isUndelivered {
      hook.notifying(waitingCount: state.delivery.waitingCount) { deliverOne() }
    }
    endDelivery()
  }

  private final func beginRecordedDelivery(_ hook: any InputHook) -> Bool {
    hook.inputWasWritten(version: state.version, waitingCount: state.delivery.waitingCount)
    guard state.delivery.turn == .recorded, isDue() else { return false }
    state.delivery.turn = .busy
    return true
  }

  // MARK: Batches

  final func beginDeliveryOfBatch() -> Bool {
    if let inputHook { beginRecordedDelivery(inputHook) } else { beginDelivery() }
  }

  final func deliverNextOfBatch() {
    guard let inputHook else { return deliverNext() }
    inputHook.notifying(waitingCount: state.delivery.waitingCount) { deliverNext() }
  }
}

extension Delivery {
  /// The number of values before the newest that are not delivered.
  fileprivate var waitingCount: Int { audiences.count - takenCount }
}
