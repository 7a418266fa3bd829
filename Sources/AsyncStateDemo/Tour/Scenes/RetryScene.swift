#if os(macOS) || os(Linux)
import AsyncState

/// `RetryPolicy`: the failures show in the activity, and are no error before the policy gives up.
final class RetryScene: Scene {
  static let name = "retry"
  static let summary = "a load that fails tries again, later each time; all the while it is loading"

  func play(on stage: Stage) async throws {
    let report = stage.workspace.appending("report.txt")
    let backend = stage.backend(lag: 40...90)
    let clock = stage.clock
    let lines = AsyncResource(clock: clock, retry: .exponential(first: .milliseconds(100), factor: 2, retries: 4)) {
      stage.tell("The report is asked for.")
      return try await backend.answer("report") { try await FileSystem.lines(of: report) }
    }
    let data = lines.data
    let panels = StatusPanels(clock: clock) { (lines: [String]) in lines }
    let host = AsyncHost(lines, children: panels.children)

    stage.follow(data) { $0.joined(separator: " ") }
    host.load()
    stage.show(host)

    try await stage.pause(650)
    stage.tell("Somebody writes the report.")
    try FileSystem.write("All is well.\n", to: report)
    await data.settled()
  }
}
#endif
