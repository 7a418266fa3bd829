// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// The tour as lines: for each scene its code, what happens when, and how it ends.
@MainActor
final class TourText {
  private let scenes: [any Scene]
  private let speed: Double
  private var failure: OutputError?
  private var playing: Task<Void, any Error>?

  init(_ scenes: [any Scene], speed: Double?) {
    (self.scenes, self.speed) = (scenes, speed ?? 1)
  }

  /// Prints the scenes, and ends by itself; sooner, when the output cannot be written.
  ///
  /// - Returns: The exit status.
  func run() async throws -> Int32 {
    // With the default effect, `head` would end the process before it can say why.
    signal(SIGPIPE, SIG_IGN)
    print(Row("A tour of AsyncState. Times are in seconds."))
    let playing = Task {
      for scene in scenes where failure == nil { try await play(scene) }
    }
    self.playing = playing
    do { try await playing.value } catch is CancellationError {}
    if let failure {
      guard failure.isBrokenPipe else { throw failure }
      return ExitStatus.signal(SIGPIPE)
    }
    return ExitStatus.success
  }

  private func play(_ scene: any Scene) async throws {
    print(Row())
    print(Row("\(scene.name): \(scene.summary)"))
    print(Row())
    for (title, code) in [("By hand:", scene.codeByHand), ("AsyncState:", scene.code)] {
      print(Row(title).indented(by: 2))
      for line in code { print(Row(line).indented(by: 4)) }
    }
    print(Row())
    let playing = Playing(scene, speed: speed) { [weak self] line in
      var row = Row()
      let time = line.time.inSeconds
      row.put(time, at: 7 - time.count)
      row.put(line.lane, at: 9)
      row.put(line.text, at: 24)
      self?.print(row)
    }
    try await playing.play()
    print(Row())
    for box in [playing.stage.byHand, playing.stage.library] {
      if let words = box.countWords { print(Row("\(box.name): \(words)").indented(by: 2)) }
    }
    for verdict in scene.verdicts { print(Row(verdict.text).indented(by: 2)) }
  }

  private func print(_ row: Row) {
    guard failure == nil else { return }
    do throws(OutputError) {
      try StandardStream.output.write(row.plainText + "\n")
    } catch {
      failure = error
      playing?.cancel()
    }
  }
}

extension Duration {
  /// The seconds, with three places: "1.250".
  fileprivate var inSeconds: String {
    "\(milliseconds / 1000)." + String(milliseconds % 1000 + 1000).dropFirst()
  }
}
#endif
