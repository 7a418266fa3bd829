// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// The tour on a terminal: a scene fills the screen, and its last frame stays until a key is pressed.
@MainActor
final class TourScreen {
  /// Slow enough to follow what happens.
  private static let defaultSpeed = 0.4
  private static let speeds = 0.1...1000

  private let scenes: [any Scene]
  private var index = 0
  private var playing: Playing
  private var isPaused = false { didSet { setPace() } }
  private var speed: Double { didSet { setPace() } }
  private var size = Size(columns: 80, rows: 24)
  private var task: Task<Void, Never>?

  init(_ scenes: [any Scene], speed: Double?) {
    self.scenes = scenes
    self.speed = speed ?? Self.defaultSpeed
    playing = Playing(scenes[0], speed: self.speed)
  }

  /// Plays the scenes until the user quits, or presses Enter after the last.
  ///
  /// - Returns: The exit status.
  func run(on terminal: Terminal) async -> Int32 {
    play(0, on: terminal)
    defer { task?.cancel() }
    while true {
      draw(on: terminal)
      switch await terminal.nextEvent() {
      case .key(.enter), .key(.right), .key(.character("l")):
        if index + 1 == scenes.count { return ExitStatus.success }
        play(index + 1, on: terminal)
      case .key(.backspace), .key(.left), .key(.character("h")): play(max(index - 1, 0), on: terminal)
      case .key(.character("r")): play(index, on: terminal)
      case .key(.character("p")), .key(.character(" ")): isPaused.toggle()
      case .key(.character("+")), .key(.character("=")): speed = min(speed * 2, Self.speeds.upperBound)
      case .key(.character("-")): speed = max(speed / 2, Self.speeds.lowerBound)
      case .key(.character("q")): return ExitStatus.success
      case .key(.control("c")): return ExitStatus.interrupt
      case .key, .redraw: break
      case .stop(let signal): return ExitStatus.signal(signal)
      case .hangUp: return ExitStatus.hangUp
      }
    }
  }

  /// Prints the last frame of the scene that was played last, so that it stays when the tour is over.
  func printLastFrame() throws {
    let rows = frame(footer: nil).rows
    let count = (rows.lastIndex { !$0.pieces.isEmpty } ?? -1) + 1
    let palette = Palette.current
    try StandardStream.output.write(rows.prefix(count).map { $0.styledText(palette) + "\r\n" }.joined())
  }

  private func play(_ index: Int, on terminal: Terminal) {
    task?.cancel()
    self.index = index
    isPaused = false
    let playing = Playing(scenes[index], speed: speed)
    self.playing = playing
    task = Task { [weak self] in
      // Cancelled when another scene is played instead.
      try? await playing.play { if self?.playing === playing { self?.draw(on: terminal) } }
    }
  }

  private func setPace() {
    playing.speed = isPaused ? 0 : speed
  }

  // MARK: Drawing

  private func draw(on terminal: Terminal) {
    size = terminal.size
    terminal.show(frame(footer: footer))
  }

  private func frame(footer: Row?) -> Frame {
    SceneFrame(
      playing: playing, position: scenes.count > 1 ? "\(index + 1) of \(scenes.count)" : "", footer: footer, size: size
    ).frame
  }

  /// The meaning of keys, as many as there is room for, and how to quit.
  private var footer: Row {
    let hints = [
      ("⏎", !playing.isOver ? "skip" : index + 1 == scenes.count ? "end" : "next"), ("p", isPaused ? "go on" : "pause"),
      ("±", "speed \(speed < 10 ? "\((speed * 100).rounded() / 100)" : "\(Int(speed))")"), ("r", "again"),
      ("←", "back"),
    ]
    var row = Row()
    func add(_ hint: (key: String, meaning: String)) {
      row.put(" \(hint.key)", at: row.pieces.isEmpty ? 0 : row.endColumn + 1, .strong)
      row.put(" \(hint.meaning)", .faint)
    }
    let quit = ("q", "quit")
    for hint in hints where row.endColumn + hint.0.columns + hint.1.columns + 11 <= size.columns { add(hint) }
    add(quit)
    return row
  }
}
#endif
