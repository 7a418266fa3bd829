#if os(macOS) || os(Linux)
import AsyncState

/// `cancel`: a load owns nothing but the activity until it answers, so nothing has to be put back.
final class CancelScene: Scene {
  static let name = "cancel"
  static let summary = "a reload hides the content; it is cancelled, and the content is back"

  private let data = AsyncData<[String]>()

  func play(on stage: Stage) async throws {
    let note = stage.workspace.appending("note.txt")
    try FileSystem.write("Buy bread.\nCall home.\n", to: note)
    let backend = stage.backend(lag: 300...500)
    let request = { (data: AsyncData<[String]>, mode: LoadMode) in
      _ = data.start(mode) { try await backend.answer("note") { try await FileSystem.lines(of: note) } }
    }
    let panels = StatusPanels(clock: stage.clock) { (lines: [String]) in lines }
    let host = AsyncHost(data: data, request: request, children: panels.children)

    stage.follow(data) { "\($0.count) lines" }
    stage.tell("Read a note from the disk.")
    host.load()
    stage.show(host)
    await data.settled()

    try await stage.pause(200)
    stage.tell("Reload.")
    request(data, .reload)
    try await stage.pause(200)
    stage.tell("Cancel.")
    data.cancel()
    try await stage.pause(400)
  }
}
#endif
