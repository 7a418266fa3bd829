// SPDX-License-Identifier: MIT
import Foundation
import Synchronization

/// The event streams of one visitor, in which a page draws itself: each is woken when the page may have changed, and draws it when it is ready. One that
/// is slow, or never reads, keeps one wake-up waiting and nothing else.
final class Windows: Sendable {
  private struct State {
    var streams: [UUID: AsyncStream<Void>.Continuation] = [:]
    var hasOpened = false
    var lastSeen = ContinuousClock.now
  }
  private let state = Mutex(State())

  func wake() { state.withLock { for stream in $0.streams.values { stream.yield() } } }

  /// Yields at once, and then after each change. Ends with the task that consumes it.
  func stream() -> AsyncStream<Void> {
    let key = UUID()
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.streams[key] = continuation }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { ($0.streams[key], $0.lastSeen) = (nil, .now) }
    }
    continuation.yield()
    return stream
  }

  /// A page with JavaScript is there.
  func noteOpen() { state.withLock { $0.hasOpened = true } }

  var hasBeenOpen: Bool { state.withLock { $0.hasOpened } }

  /// The visitor has made a request.
  func touch() { state.withLock { $0.lastSeen = .now } }

  /// How long the visitor is away; nil while a window is open.
  var absence: Duration? { state.withLock { $0.streams.isEmpty ? $0.lastSeen.duration(to: .now) : nil } }

  /// A page without JavaScript has no stream, and may be read for a long time.
  var isAbandoned: Bool {
    let patience: Duration = hasBeenOpen ? .seconds(15) : .seconds(900)
    return absence.map { $0 > patience } ?? false
  }

  func close() {
    // Outside of the lock: the end of a stream removes it.
    for stream in state.withLock({ Array($0.streams.values) }) { stream.finish() }
  }
}
