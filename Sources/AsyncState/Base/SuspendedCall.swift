// SPDX-License-Identifier: MIT
/// A call that waits.
// Justified: a checked continuation allocates. What stores one takes it out to resume it, so that it is resumed once,
// and ends every wait. Breaks: resuming twice, or never. Noticed: the data
// model, `LaneTests`, `AsyncTagBoardTests` (11.6), `OutboxTests` (17), by a crash or a test that does not end.
@safe
@usableFromInline
struct SuspendedCall: Sendable {
  private let continuation: UnsafeContinuation<Void, Never>

  @usableFromInline
  init(_ continuation: UnsafeContinuation<Void, Never>) {
    unsafe self.continuation = continuation
  }

  /// The call continues when its actor is free.
  func resume() {
    unsafe continuation.resume()
  }
}
