// SPDX-License-Identifier: MIT
import Synchronization

/// Whether Observation has notified of a change since the last reading. Atomic because its callback is `Sendable`.
final class Notice: Sendable {
  private let isUp = Atomic(false)

  func put() {
    isUp.store(true, ordering: .relaxed)
  }

  func take() -> Bool {
    guard isUp.load(ordering: .relaxed) else { return false }
    isUp.store(false, ordering: .relaxed)
    return true
  }
}
