#if os(macOS) || os(Linux)
import AsyncState

/// `mutate`: a change that shows before it is confirmed, and is taken out alone if it fails.
final class LikeScene: Scene {
  static let name = "like"
  static let summary = "two changes show at once; one of them fails and is taken back, the other stands"

  /// The cities, and whether each is liked.
  private let cities = AsyncData<[String: Bool]>()

  func play(on stage: Stage) async throws {
    let folder = stage.workspace
    for city: FileName in ["Oslo", "Rome"] { try FileSystem.makeFolder(folder.appending(city)) }
    let backend = stage.backend(lag: 200...300)
    let panels = StatusPanels(clock: stage.clock, describe: Self.lines)
    let host = AsyncHost(
      data: cities,
      request: { data, mode in
        data.start(mode) {
          let entries = try await backend.answer("cities") { try await FileSystem.entries(of: folder) }
          return Dictionary(uniqueKeysWithValues: entries.map { ("\($0.name)", false) })
        }
      }, children: panels.children)

    stage.follow(cities) { Self.lines($0).joined(separator: "  ") }
    stage.tell("Read which cities there are.")
    host.load()
    stage.show(host)
    await cities.settled()

    try await stage.pause(150)
    stage.tell("Somebody takes Rome off the disk. Somebody else likes both.")
    try FileSystem.remove(folder.appending("Rome"))
    let likes = ["Oslo", "Rome"].map { city in Task { await like(city, in: folder, through: backend, on: stage) } }
    for like in likes { await like.value }
  }

  /// Shows a like at once, and has it put on the disk.
  private func like(_ city: FileName, in folder: FilePath, through backend: LaggyBackend, on stage: Stage) async {
    let heart = folder.appending(city).appending("heart")
    let outcome = await cities.mutate({ $0["\(city)"] = true }) {
      try await backend.answer("like \(city)") { try FileSystem.write("♥\n", to: heart) }
    }
    do {
      _ = try outcome.get()
      stage.tell("The like for \(city) is on the disk.")
    } catch {
      stage.tell("The like for \(city) has failed: \(error)")
    }
  }

  private static func lines(_ cities: [String: Bool]) -> [String] {
    cities.sorted { $0.key < $1.key }.map { city, isLiked in isLiked ? "♥ \(city)" : "♡ \(city)" }
  }
}
#endif
