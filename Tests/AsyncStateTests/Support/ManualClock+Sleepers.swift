// SPDX-License-Identifier: MIT
import AsyncStateTesting

extension ManualClock {
  /// Moves on when there are so many sleepers.
  func advance(by duration: Duration, sleepersAtLeast count: Int) async {
    await sleepers(atLeast: count)
    await advance(by: duration)
  }
}
