// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Observation

/// The tour on a terminal: a scene fills the screen, and its last frame stays until a key is pressed.
@MainActor @Observable
final class TourScreen {
  /// Slow enough to follow what happens.
  private static let defaultSpeed = 0.4
  private static let speeds = 0.1...1000

  @ObservationIgnored private let scenes: [any Scene]
  @ObservationIgnored private let folder: FilePath
  @ObservationIgnored private let options: TourOptions
  private var index = 0
  private var playing: Playing
  private var time = Duration.zero
  private var isOver = false
  private var isPaused = false { didSet { setPace() } }
  private var speed: Double { didSet { setPace() } }
  private var size = Size(columns: 80, rows: 24)
  @ObservationIgnored private var task: Task<Void, Never>?

  init(_ scenes: [any Scene], folder: FilePath, options: TourOptions) {
    (self.scenes, self.folder, self.options) = (scenes, folder, options)
    let speed = options.speed ?? Self.defaultSpeed
    self.speed = speed
    playing = Playing(scenes[0], folder: folder, seed: options.seed, speed: speed)
  }

  /// Plays the scenes until the user quits, or presses Enter after the last.
  ///
  /// - Returns: The exit status.
  func run(on terminal: Terminal) async -> Int32 {
    size = terminal.size
    play(0)
    defer { task?.cancel() }
    let redrawing = Redrawing { terminal.show(self.frame()) }
    while true {
      switch await terminal.nextEvent() {
      case .key(.enter), .key(.right), .key(.character("l")):
        if index + 1 == scenes.count { return ExitStatus.success }
        play(index + 1)
      case .key(.backspace), .key(.left), .key(.character("h")): play(max(index - 1, 0))
      case .key(.character("r")): play(index)
      case .key(.character("p")), .key(.character(" ")): isPaused.toggle()
      case .key(.character("+")), .key(.character("=")): speed = min(speed * 2, Self.speeds.upperBound)
      case .key(.character("-")): speed = max(speed / 2, Self.speeds.lowerBound)
      case .key(.character("q")): return ExitStatus.success
      case .key(.control("c")): return ExitStatus.interrupt
      case .key: break
      case .redraw:
        size = terminal.size
        redrawing.drawNow()
      case .stop(let signal): return ExitStatus.signal(signal)
      case .hangUp: return ExitStatus.hangUp
      }
    }
  }

  /// Prints the last frame of the scene that was played last, so that it stays when the tour is over.
  func printLastFrame() throws {
    let rows = frame(isLast: true).rows
    let count = (rows.lastIndex { !$0.pieces.isEmpty } ?? -1) + 1
    let palette = Palette.current
    try StandardStream.output.write(rows.prefix(count).map { $0.styledText(palette) + "\r\n" }.joined())
  }

  private func play(_ index: Int) {
    task?.cancel()
    self.index = index
    time = .zero
    isOver = false
    isPaused = false
    let playing = Playing(scenes[index], folder: folder, seed: options.seed, speed: speed)
    self.playing = playing
    task = Task { [weak self] in
      do {
        try await playing.play { time in self?.tick(time, of: playing) }
        self?.end(playing)
      } catch {
        // Another scene is played instead.
      }
    }
  }

  private func setPace() {
    playing.speed = isPaused ? 0 : speed
  }

  private func tick(_ time: Duration, of playing: Playing) {
    if self.playing === playing && !isOver { self.time = time }
  }

  private func end(_ playing: Playing) {
    if self.playing === playing { isOver = true }
  }

  // MARK: Drawing

  private func frame(isLast: Bool = false) -> Frame {
    let hints = Hints(
      hints: [
        ("⏎", !isOver ? "skip" : index + 1 == scenes.count ? "end" : "next"), ("p", isPaused ? "go on" : "pause"),
        ("±", "speed \(Self.text(ofSpeed: speed))"), ("r", "again"), ("←", "back"),
      ], last: [("q", "quit")])
    let scene = SceneFrame(
      stage: playing.stage, scene: playing.scene, position: "\(index + 1) of \(scenes.count)", time: time,
      footer: isLast ? nil : hints.row(columns: size.columns), size: size)
    return scene.frame
  }

  private static func text(ofSpeed speed: Double) -> String {
    speed < 10 ? "\((speed * 100).rounded() / 100)" : "\(Int(speed))"
  }
}
#endif
