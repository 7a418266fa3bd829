// SPDX-License-Identifier: MIT
import Observation

/// Calls `write` before the next change of what `read` reads, as a reader of Observation that writes.
@MainActor
func beforeChange(_ read: () -> Void, _ write: @escaping @MainActor () -> Void) {
  // Justified: Observation calls this where the change is made, which is the main actor here.
  withObservationTracking(read) { MainActor.assumeIsolated { write() } }
}
