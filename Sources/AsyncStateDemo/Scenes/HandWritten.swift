// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// Loading as most apps have it: a state, and a task that is cancelled before the next one. The scenes compare the library
/// with it.
@MainActor
final class HandWritten {
  typealias Load = @MainActor @Sendable () async throws -> [String]

  /// The state that the screen displays.
  private(set) var state = AsyncStatus<[String]>.idle
  private var task: Task<Void, Never>?

  func start(_ load: @escaping Load) {
    // snippet.byHand race, cancel, refresh, flicker, empty, retry, offline, stream
    task?.cancel()
    task = Task {
      state = .loading  // fault: refresh, flicker
      do {
        state = .data(try await load())  // fault: race, empty, stream
      } catch {
        state = .error(error)  // fault: cancel, refresh, retry, offline
      }
    }
    // snippet.hide
  }

  func cancel() {
    task?.cancel()
  }
}

/// Optimistic changes as most apps have them: what was there before is written back when a change fails.
@MainActor
final class HandWrittenLikes {
  private(set) var cities = ["Oslo": false, "Rome": false]

  func like(_ city: String, send: @escaping @MainActor @Sendable (String) async throws -> Void) async {
    // snippet.byHand like
    let former = cities
    cities[city] = true
    do {
      try await send(city)
    } catch {
      cities = former  // fault: like
    }
    // snippet.hide
  }
}
#endif
