#if os(macOS) || os(Linux)
import Observation

/// The tour on a terminal: a scene fills the screen, and its last frame stays until a key is pressed.
@MainActor @Observable
final class TourScreen {
  @ObservationIgnored private let scenes: [any Scene]
  @ObservationIgnored private let folder: FilePath
  @ObservationIgnored private let options: TourOptions
  private var index = 0
  private var playing: Playing
  private var time = Duration.zero
  private var isOver = false
  private var size = Size(columns: 80, rows: 24)
  @ObservationIgnored private var task: Task<Void, Never>?

  init(_ scenes: [any Scene], folder: FilePath, options: TourOptions) {
    (self.scenes, self.folder, self.options) = (scenes, folder, options)
    playing = Playing(scenes[0], folder: folder, options: options)
  }

  /// Plays the scenes until the user quits, or presses Enter after the last.
  ///
  /// - Returns: The exit status.
  func run(on terminal: Terminal) async -> Int32 {
    size = terminal.size
    play(0)
    defer { task?.cancel() }
    let redrawing = Redrawing { terminal.show(self.frame) }
    while true {
      switch await terminal.nextEvent() {
      case .key(.enter), .key(.character(" ")), .key(.right), .key(.character("l")):
        if index + 1 == scenes.count { return ExitStatus.success }
        play(index + 1)
      case .key(.backspace), .key(.left), .key(.character("h")): play(max(index - 1, 0))
      case .key(.character("r")): play(index)
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
    let rows = frame(hint: "").rows
    let count = (rows.lastIndex { !$0.pieces.isEmpty } ?? -1) + 1
    let palette = Palette.current
    try StandardStream.output.write(rows.prefix(count).map { $0.styledText(palette) + "\r\n" }.joined())
  }

  private func play(_ index: Int) {
    task?.cancel()
    self.index = index
    time = .zero
    isOver = false
    let playing = Playing(scenes[index], folder: folder, options: options)
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

  private func tick(_ time: Duration, of playing: Playing) {
    if self.playing === playing && !isOver { self.time = time }
  }

  private func end(_ playing: Playing) {
    if self.playing === playing { isOver = true }
  }

  // MARK: Drawing

  private var frame: Frame {
    let enter = !isOver ? "skip" : index + 1 == scenes.count ? "end" : "next"
    return frame(hint: "⏎ \(enter)   ← back   r again   q quit")
  }

  private func frame(hint: String) -> Frame {
    let columns = size.columns
    var title = Row(" \(playing.scene.name)", .strong)
    let position = "\(index + 1) of \(scenes.count)"
    if columns > 40 { title.put(playing.scene.summary, at: 10, limit: columns - 12 - position.columns) }
    title.put(position, at: max(columns - position.columns - 1, 0), .faint)
    var rows = [title, Row()]

    let verdicts = playing.stage.recording.verdicts.map { Row(" " + $0.text, $0.style) }
    let footer = hint.isEmpty ? [] : [Row(" " + hint, .faint)]
    var room = size.rows - rows.count - footer.count
    let boxes = arrangedBoxes(rows: room).prefix(max(room - verdicts.count, 0))
    rows += boxes
    room -= boxes.count + verdicts.count
    let axis = LaneAxis(to: time, columns: LaneChart.axisColumns(of: columns - 1))
    let lanes = LaneChart(lanes: playing.stage.recording.lanes, axis: axis).rows(limit: room - 1)
    if !lanes.isEmpty { rows += [Row()] + lanes.map { $0.indented(by: 1) } }
    rows += verdicts
    let space = size.rows - rows.count - footer.count
    rows =
      space < 0 ? Array(rows.prefix(max(size.rows - footer.count, 0))) : rows + Array(repeating: Row(), count: space)
    return Frame(size: size, rows: rows + footer)
  }

  /// The boxes one above the other, with the code beside them where there is room, else below.
  private func arrangedBoxes(rows room: Int) -> [Row] {
    let columns = size.columns
    let code = playing.scene.code
    let codeColumns = (code.map(\.columns).max() ?? 0) + 2
    let boxColumns = min(columns - codeColumns - 3, 48)
    let isGallery = playing.stage.boxes.count > 2
    let isBeside = boxColumns >= 22 && !isGallery
    let width = isBeside ? boxColumns : isGallery ? min(columns / 2 - 1, 40) : min(columns - 2, 60)
    let boxes = rows(of: playing.stage.boxes, columns: width)
    guard isBeside else {
      let all = boxes + [Row()] + code.map { Row($0, .faint).indented(by: 1) }
      return room > all.count ? all : boxes
    }
    return (0..<max(boxes.count, code.count)).map { index in
      var row = index < boxes.count ? boxes[index] : Row()
      if index < code.count { row.put(code[index], at: width + 3, .plain) }
      return row
    }
  }

  /// The boxes one above the other; more than two in two columns.
  private func rows(of boxes: [StageBox], columns: Int) -> [Row] {
    let blocks = boxes.map { $0.rows(columns: columns, time: time) }
    guard blocks.count > 2 else { return blocks.flatMap(\.self).map { $0.indented(by: 1) } }
    return stride(from: 0, to: blocks.count, by: 2).flatMap { first in
      (0..<StageBox.height).map { index in
        var row = blocks[first][index].indented(by: 1)
        if first + 1 < blocks.count { row.put(blocks[first + 1][index], at: columns + 2) }
        return row
      }
    }
  }
}
#endif
