// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Synchronization
import Testing

/// A gate that is closed at first, a server that the test answers, and what is created with options of both.
@MainActor
final class GateStage {
  let gate = LoadGate(isOpen: false)
  let clock = ManualClock()
  /// The server.
  let server = ManualServer<Int?>()
  let recorder = Recorder()

  func options(retry: RetryPolicy = .never, timeout: Duration? = nil) -> LoadOptions {
    LoadOptions(retry: retry, timeout: timeout, clock: clock, gate: gate)
  }

  func resource(retry: RetryPolicy = .never, timeout: Duration? = nil) -> AsyncResource<Int> {
    AsyncResource(options: options(retry: retry, timeout: timeout)) { [server] in try await server.wait() }
  }

  /// How many requests the server has had, when each task that was begun so far has gone as far as it could.
  func requests() async -> Int {
    await afterReleases()
    return server.callCount
  }

  func answer(_ call: Int, _ value: Int?) async {
    await server.arrived(call)
    server.answer(call: call, with: .success(value))
  }

  /// Nothing waits at the gate or in the clock, also when the gate has been opened.
  func nothingIsLeft(after calls: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
    gate.open()
    expectEqual(await requests(), calls, sourceLocation: sourceLocation)
    expectEqual(gate.waitingCount, 0, sourceLocation: sourceLocation)
    expectEqual(clock.sleeperCount, 0, sourceLocation: sourceLocation)
  }
}

/// Notes of calls that may come on any thread.
final class Tally: Sendable {
  private let notes = Mutex<[String]>([])
  var entries: [String] { notes.withLock { $0 } }
  func note(_ entry: String) { notes.withLock { $0.append(entry) } }
}
