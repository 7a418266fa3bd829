#if os(macOS) || os(Linux)
import AsyncState
import Observation

/// Loading as most apps have it: three properties, a task, and a `catch`. The scenes compare the library with it.
@MainActor @Observable
final class HandWritten {
  var lines: [String]?
  var error: (any Error)?
  var isLoading = false

  /// Loads again.
  func load(_ operation: @escaping @MainActor @Sendable () async throws -> [String]?) -> Task<Void, Never> {
    isLoading = true
    return Task {
      do {
        lines = try await operation()
        error = nil
      } catch {
        self.error = error
      }
      isLoading = false
    }
  }

  /// What the screen displays.
  var status: AsyncStatus<[String]> {
    if isLoading { return .loading }
    if let error { return .error(error) }
    return lines.map { .data($0) } ?? .noData()
  }
}

/// Optimistic changes as most apps have them: what was there before is written back when a change fails.
@MainActor @Observable
final class HandWrittenLikes {
  var cities = ["Oslo": false, "Rome": false]

  func like(_ city: String, send: @escaping @MainActor @Sendable (String) async throws -> Void) -> Task<Void, Never> {
    let former = cities
    cities[city] = true
    return Task {
      do { try await send(city) } catch { cities = former }
    }
  }
}
#endif
