// SPDX-License-Identifier: MIT
import AsyncStateTesting

/// A clock whose reading is a callback: the library calls it, so a plan can do something inside.
final class HookedClock<Rig: ReentryRig>: Clock {
  let base = ManualClock()
  private let reentry: Reentry<Rig>
  private let callback: Rig.Callback

  init(_ reentry: Reentry<Rig>, _ callback: Rig.Callback) {
    self.reentry = reentry
    self.callback = callback
  }

  var now: ManualClock.Instant {
    reentry.reached(callback)
    return base.now
  }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}
