// SPDX-License-Identifier: MIT
import Synchronization

// The end of a stream of values
//
// A stream of values ends when nothing can write any more: all inputs that it depends on were released. An input may be
// released on any thread, and its node may live longer, so the node has an `InputEnd`, which is made for the first stream. An
// input that is released before that gets a shared one.

/// The streams that wait until an input can no longer be written.
final class InputEnd: Sendable {
  private struct State {
    var isReached: Bool
    var streams: [ObjectIdentifier: ValuesEnd] = [:]
  }

  // Justified: see `Tests/thread-suppressions.txt`. Noticed: `input` of `Tests/Stress`, and the tests of 7.4.
  private let state: Mutex<State>

  /// The end of an input that was released before any stream waited for it.
  static let reached = InputEnd(isReached: true)

  init(isReached: Bool = false) {
    state = Mutex(State(isReached: isReached))
  }

  /// For tests.
  var streamCount: Int { state.withLock { $0.streams.count } }

  /// Ends the streams, because the input can no longer be written. Any thread.
  func reach() {
    let streams = state.withLock { state in
      state.isReached = true
      defer { state.streams = [:] }
      return state.streams
    }
    for stream in streams.values { stream.countEnd() }
  }

  /// - Returns: False if the input can no longer be written.
  fileprivate func add(_ stream: ValuesEnd) -> Bool {
    state.withLock {
      if !$0.isReached { $0.streams[ObjectIdentifier(stream)] = stream }
      return !$0.isReached
    }
  }

  fileprivate func remove(_ stream: ValuesEnd) {
    let removed = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
    withExtendedLifetime(removed) {}
  }
}

/// The end of one stream, which is reached when all its inputs have ended.
final class ValuesEnd: Sendable {
  private let inputs: [InputEnd]
  private let finish: @Sendable () -> Void
  // Justified: the thread that counts the last end finishes the stream. Noticed: as above.
  private let open: Atomic<Int>

  init(_ inputs: [InputEnd], finish: @escaping @Sendable () -> Void) {
    self.inputs = inputs
    self.finish = finish
    open = Atomic(inputs.count)
  }

  /// Begins to wait. If nothing can be written, the stream ends now.
  func begin() {
    for input in inputs where !input.add(self) { countEnd() }
  }

  func cancel() {
    for input in inputs { input.remove(self) }
  }

  fileprivate func countEnd() {
    if open.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { finish() }
  }
}
