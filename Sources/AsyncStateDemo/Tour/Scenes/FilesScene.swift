#if os(macOS) || os(Linux)
import AsyncState

/// `DisplayPolicy.emptyIsNoData`: a folder without entries is "no data", and an error of the disk is an error.
final class FilesScene: Scene {
  static let name = "files"
  static let summary = "folders read from the disk: entries, none at all, and one that is not there until it is"

  func play(on stage: Stage) async throws {
    let backend = stage.backend(lag: 150...300)
    let folder = Input(stage.folder)
    let panels = StatusPanels(clock: stage.clock) { (entries: [FileEntry]) in entries.map(\.description) }
    let entries = AsyncResource {
      let path = folder.value
      return try await backend.answer("entries") { try await FileSystem.entries(of: path) }
    }
    let data = entries.data
    let host = AsyncHost(entries, policy: .emptyIsNoData(), children: panels.children)

    stage.follow(data, describe: Self.describe)
    stage.tell("Open the folder \(stage.folder.label).")
    host.load()
    stage.show(host)
    await data.settled()

    try await stage.pause(200)
    stage.tell("Open a folder with nothing in it.")
    try FileSystem.makeFolder(stage.workspace.appending("empty"))
    folder.write(stage.workspace.appending("empty"))
    host.reload()
    await data.settled()

    try await stage.pause(200)
    stage.tell("Open a folder that does not exist.")
    folder.write(stage.workspace.appending("missing"))
    host.reload()
    await data.settled()

    try await stage.pause(200)
    stage.tell("Somebody makes it, and puts a file into it. Reload.")
    try FileSystem.makeFolder(folder.value)
    try FileSystem.write("It was here all the time.\n", to: folder.value.appending("found.txt"))
    host.reload()
    await data.settled()
  }

  private static func describe(_ entries: [FileEntry]) -> String {
    let names = entries.prefix(3).map(\.description).joined(separator: ", ")
    switch entries.count {
    case 0: return "no entries"
    case 1: return "1 entry: \(names)"
    case 2...3: return "\(entries.count) entries: \(names)"
    default: return "\(entries.count) entries: \(names), …"
    }
  }
}
#endif
