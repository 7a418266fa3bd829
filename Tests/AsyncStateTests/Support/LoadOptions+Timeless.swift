// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

extension LoadOptions {
  /// For outboxes in tests that are not about time: an outbox tries a failed input again after half a minute by its clock, which
  /// may pass on a busy machine while a test runs.
  static var timeless: LoadOptions { LoadOptions(clock: ManualClock()) }
}
