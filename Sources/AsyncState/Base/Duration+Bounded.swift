// SPDX-License-Identifier: MIT
extension Duration {
  /// The duration as one that can be waited for: less than zero is zero, and more than 2⁶³ seconds are that many. A few
  /// of them added up are a duration, too; of others that is not certain, and a sum that is none stops the process.
  var bounded: Duration { min(max(self, .zero), .seconds(Int64.max)) }
}
