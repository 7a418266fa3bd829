// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// Loading as most apps have it: three properties, and a `catch`. The scenes compare the library with it.
@MainActor
final class HandWritten {
  typealias Request = @MainActor @Sendable () async throws -> [String]?

  private var lines: [String]?
  private var failure: (any Error)?
  private var isLoading = false

  /// Loads in a task of its own, as a button does.
  func start(_ request: @escaping Request) -> Task<Void, Never> {
    Task { await load(request) }
  }

  private func load(_ request: Request) async {
    // snippet.byHand race, cancel, flicker, files
    isLoading = true  // fault: flicker
    do {
      lines = try await request()  // fault: race
      failure = nil
    } catch {
      failure = error  // fault: cancel, files
    }
    isLoading = false
    // snippet.hide
  }

  /// The status that the screen displays.
  var status: AsyncStatus<[String]> {
    // snippet.byHand refresh
    if isLoading {  // fault: refresh
      .loading
    } else if let failure {  // fault: refresh
      .error(failure)
    } else if let lines {
      .data(lines)
    } else {
      .noData
    }
    // snippet.hide
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
