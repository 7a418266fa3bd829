// SPDX-License-Identifier: MIT
/// Keeps an indicator from flickering: it is displayed late or not at all, and once displayed it stays a moment.
///
/// A loading that ends within the delay is never displayed: the previous status stays, and at first nothing is displayed. The
/// status of a previous key does not stay: nothing is displayed for the delay. A displayed indicator stays for the minimum, and a
/// result waits for that. A cancelled load is not held back, nor is a refresh over content, which changes no status. An
/// indicator for a refresh, beside the content, follows ``PacedStatus/isRunning``, which is paced by itself.
///
/// A pacer is a plain value, to be kept as a constant and handed to an ``AsyncHost`` or, without a host, to a
/// ``PacedStatus``. Each of them is paced separately.
public struct DisplayPacer: Sendable {
  /// The time that a loading may take without being displayed.
  package let delay: Duration
  /// The shortest time that an indicator stays.
  let minimum: Duration
  /// The clock that measures both; nil: the clock of the displayed data.
  package let clock: (any Clock<Duration>)?

  /// A pacer.
  ///
  /// - Parameters:
  ///   - delay: The time that a loading may take without being displayed. Less than zero is zero.
  ///   - minimum: The shortest time that an indicator stays. Less than zero is zero.
  ///   - clock: Measures both; nil: the clock in the ``LoadOptions`` of the displayed data; of several, that of the first.
  public init(
    delay: Duration = .milliseconds(200), minimum: Duration = .milliseconds(500), clock: (any Clock<Duration>)? = nil
  ) {
    self.delay = delay.bounded
    self.minimum = minimum.bounded
    self.clock = clock
  }
}
