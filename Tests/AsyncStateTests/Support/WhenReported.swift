// SPDX-License-Identifier: MIT
import Observation

/// Calls `write` when the next change of what `read` reads is reported, as a reader of Observation that writes.
@MainActor
func whenReported(_ read: () -> Void, _ write: @escaping @MainActor () -> Void) {
  // Justified: Observation calls this where the change is made, which is the main actor here.
  withObservationTracking(read) { MainActor.assumeIsolated { write() } }
}
