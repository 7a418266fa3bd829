#if os(macOS) || os(Linux)
import AsyncState

/// `LoadReporter`: values before the answer, and how far the load is.
final class StreamScene: Scene {
  static let name = "stream"
  static let summary = "an answer that comes in parts, and tells how far it is"

  private let data = AsyncData<[String]>()

  func play(on stage: Stage) async throws {
    let poem = [
      "I wandered lonely as a cloud", "that floats on high o'er vales and hills,", "when all at once I saw a crowd,",
      "a host, of golden daffodils;",
    ]
    let pages = poem.indices.map { stage.workspace.appending(FileName("page \($0 + 1)")) }
    for (line, page) in zip(poem, pages) { try FileSystem.write(line, to: page) }

    let backend = stage.backend(lag: 100...250)
    let panels = StatusPanels(clock: stage.clock) { (lines: [String]) in lines }
    let host = AsyncHost(
      data: data,
      request: { data, mode in
        data.start(mode) { reporter in
          var lines: [String] = []
          for (index, page) in pages.enumerated() {
            lines += try await backend.answer("page \(index)") { try await FileSystem.lines(of: page) }
            try reporter.yield(lines)
            reporter.report(progress: Double(index + 1) / Double(pages.count))
          }
          return lines
        }
      }, children: panels.children)

    stage.follow(data) { $0.count == 1 ? "1 line" : "\($0.count) lines" }
    stage.tell("Read a poem, a page at a time.")
    host.load()
    stage.show(host)
    await data.settled()
  }
}
#endif
