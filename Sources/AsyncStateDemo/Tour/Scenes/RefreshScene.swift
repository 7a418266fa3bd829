#if os(macOS) || os(Linux)
import AsyncState

/// `start(.refresh)` and `errorReplacesData: false`: the content stays, and the error is bound to a place beside it.
final class RefreshScene: Scene {
  static let name = "refresh"
  static let summary = "content stays while a refresh runs, and beside a failure"

  func play(on stage: Stage) async throws {
    let inbox = stage.workspace.appending("inbox")
    try FileSystem.makeFolder(inbox)
    try FileSystem.write("Hello!\n", to: inbox.appending("hello.txt"))
    let backend = stage.backend(lag: 200...300)
    let entries = AsyncResource { try await backend.answer("inbox") { try await FileSystem.entries(of: inbox) } }
    let data = entries.data
    let panels = StatusPanels(clock: stage.clock) { (letters: [FileEntry]) in letters.map(\.description) }
    let footnote = Box(Panel("footnote"))
    footnote.bind(to: data.observed.map(\.error)) { $0.rows = $1.map { [Row("✗ \($0)", .bad)] } ?? [] }
    let host = AsyncHost(
      entries, policy: .emptyIsNoData(errorReplacesData: false),
      children: { panels.children(for: $0) + [footnote.unbox] })

    stage.follow(data) { $0.map(\.description).joined(separator: ", ") }
    stage.tell("Open the inbox.")
    host.load()
    stage.show(host)
    await data.settled()

    try await stage.pause(150)
    stage.tell("Another letter arrives. Pull to refresh.")
    try FileSystem.write("News!\n", to: inbox.appending("news.txt"))
    entries.refresh()
    await data.settled()

    try await stage.pause(150)
    stage.tell("The inbox is taken off the disk. Pull to refresh.")
    try FileSystem.remove(inbox)
    entries.refresh()
    await data.settled()
    stage.tell("What is on show is still \(host.container.currentState.kind); the error stands beside it.")
  }
}
#endif
