// SPDX-License-Identifier: MIT
/// The attempts that have failed since the last final answer.
struct FailedAttempts {
  var count = 0
  /// The pause after the last of them.
  var pause = Duration.zero
  /// The error of the last of them.
  var lastError: (any Error)?

  /// Drops them after a stream that was open for this time, if that is as long as the pause before it, and at least a second.
  func after(streamOf time: Duration) -> FailedAttempts {
    time < max(pause, .seconds(1)) ? self : FailedAttempts()
  }
}
