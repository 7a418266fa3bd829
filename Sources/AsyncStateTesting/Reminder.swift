// SPDX-License-Identifier: MIT
import AsyncState
import Foundation

/// Says once what a test waits for, when it has waited for five seconds of real time, and its actor has had turns since. It
/// ends no wait, and fails no test.
///
/// This is the one place of the module that knows real time. A test of it replaces the clock and the report.
package struct Reminder {
  package static let delay = Duration.seconds(5)

  /// The clock of these five seconds, and where it says so. In a structure: to bind a task-local value of a function type crashes
  /// in a release build (Swift 6.3.1).
  package struct Surroundings: Sendable {
    fileprivate let clock: any Clock<Duration>
    fileprivate let report: @Sendable (String) -> Void

    package init(_ clock: any Clock<Duration>, report: @escaping @Sendable (String) -> Void) {
      self.clock = clock
      self.report = report
    }
  }

  @TaskLocal package static var surroundings = Surroundings(ContinuousClock()) { text in
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  /// How often everything has had a turn that stands in line on the test's actor after five seconds, before it is said
  /// what the test waits for. On a machine that is busy these seconds may be other tests'.
  private static let turns = 10

  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - actor: The test's.
  ///   - remind: Called on no actor. It passes on what is waited for, and what there is by then.
  init(on actor: (any Actor)?, _ remind: @escaping @Sendable (_ say: @escaping @Sendable (String) -> Void) -> Void) {
    // On no actor, so that the order of what waits for a turn on the test's actor is the same with it.
    task = Task { @concurrent in
      guard (try? await Self.surroundings.clock.sleep(for: Self.delay)) != nil else { return }
      for _ in 0..<Self.turns { if let actor { await turn(on: actor) } }
      guard !Task.isCancelled else { return }
      let report = Self.surroundings.report
      remind { report("AsyncStateTesting: a test has waited for five seconds for \($0)") }
    }
  }

  /// The wait is over.
  func cancel() {
    task.cancel()
  }
}

/// Suspends until all that stands in line on an actor has had its turn.
// With work for the actor: a release build drops the switch to an actor on which nothing is done.
private func turn(on actor: any Actor) async {
  await withCheckedContinuation { turn in perform(on: actor) { turn.resume() } }
}
