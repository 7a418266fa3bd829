// SPDX-License-Identifier: MIT
import Synchronization

/// Set once, on any thread. It orders nothing else.
final class Flag: Sendable {
  // Justified: what follows is sent to an actor, or stops the process. Noticed: `KeyBatcherTests` (10.11),
  // `ReporterElsewhereTests` (1.8), `family` of `Tests/Stress`.
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}
