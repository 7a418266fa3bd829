#if os(macOS) || os(Linux)
import AsyncState

/// `DisplayPacer`: one argument more, and the spinner does not flicker.
final class FlickerScene: Scene {
  static let name = "flicker"
  static let summary = "the same quick and slow answers, without a pacer and with one"

  func play(on stage: Stage) async throws {
    let file = stage.workspace.appending("answer.txt")
    try FileSystem.write("An answer.\n", to: file)

    stage.tell("Without a pacer the spinner flashes up, be the answer ever so quick.")
    try await answer(from: file, pacer: nil, on: stage)
    stage.clear()

    try await stage.pause(200)
    stage.tell("With a pacer it comes after 150 ms or not at all, and stays for 400 ms.")
    let pacer = DisplayPacer(delay: .milliseconds(150), minimum: .milliseconds(400), clock: stage.clock)
    try await answer(from: file, pacer: pacer, on: stage)
  }

  /// A quick answer and then a slow one.
  private func answer(from file: FilePath, pacer: DisplayPacer?, on stage: Stage) async throws {
    let lag = Input(60...120)
    let backend = stage.backend(lag: lag)
    let lines = AsyncResource { try await backend.answer("answer") { try await FileSystem.lines(of: file) } }
    let data = lines.data
    let panels = StatusPanels(clock: stage.clock) { (lines: [String]) in lines }
    let host = AsyncHost(lines, pacer: pacer, children: panels.children)

    stage.follow(data) { $0.joined() }
    host.load()
    stage.show(host)
    await data.settled()

    try await stage.pause(200)
    stage.tell("Reload; this time the line is slow.")
    lag.write(200...300)
    host.reload()
    try await stage.pause(600)
  }
}
#endif
