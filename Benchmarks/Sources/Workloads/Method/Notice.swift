// SPDX-License-Identifier: MIT
import Synchronization

/// Whether Observation has told of a change since somebody asked. Atomic because its callback has to be `Sendable`.
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
