// SPDX-License-Identifier: MIT
extension Duration {
  /// The duration in the bounds of what a clock can wait for: at least zero, at most 2⁶³ seconds. The sum of a few of these is
  /// a duration, too; the sum of others may overflow, which stops the process.
  var bounded: Duration { min(max(self, .zero), .seconds(Int64.max)) }
}
