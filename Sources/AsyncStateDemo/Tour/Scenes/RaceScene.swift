#if os(macOS) || os(Linux)
import AsyncState

/// `start` supersedes: nothing here remembers which request was the last.
final class RaceScene: Scene {
  static let name = "race"
  static let summary = "two requests; the older one answers last, and is not shown"

  private let data = AsyncData<[FileEntry]>()

  func play(on stage: Stage) async throws {
    for bird: FileName in ["sparrow", "swallow", "swan", "wren"] {
      try FileSystem.write("", to: stage.workspace.appending(bird))
    }
    // Deaf, as servers are: they answer, whether or not anybody still wants to know.
    let slow = stage.backend(lag: 600...700, heedsCancellation: false)
    let quick = stage.backend(lag: 150...250, heedsCancellation: false)

    let panels = StatusPanels(clock: stage.clock) { (birds: [FileEntry]) in birds.map(\.description) }
    let host = AsyncHost(
      data: data, policy: .emptyIsNoData(), request: { _, _ in self.search("s", through: slow, on: stage) },
      children: panels.children)

    stage.follow(data) { $0.map(\.description).joined(separator: ", ") }
    stage.tell("Somebody types “s”, and the line is slow.")
    host.load()
    stage.show(host)

    try await stage.pause(200)
    stage.tell("Somebody types “sw”, and the line is quick.")
    search("sw", through: quick, on: stage)
    await data.settled()
    try await stage.pause(500)
  }

  private func search(_ beginning: String, through backend: LaggyBackend, on stage: Stage) {
    let folder = stage.workspace
    data.start(id: LoadID(beginning)) {
      let birds = try await backend.answer("birds with \(beginning)") {
        try await FileSystem.entries(of: folder).filter { $0.description.hasPrefix(beginning) }
      }
      stage.tell("The answer to “\(beginning)” arrives: \(birds.count) birds.")
      return birds
    }
  }
}
#endif
