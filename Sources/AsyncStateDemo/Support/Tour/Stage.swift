#if os(macOS) || os(Linux)
import AsyncState
import Observation

/// What a scene plays on: a clock, a slow server, and boxes that display something.
@MainActor
final class Stage {
  /// The folder that the user has chosen.
  let folder: FilePath
  /// Stands at zero when the scene begins, and moves by itself.
  let clock: VirtualClock
  let server: Server
  /// Records what a scene attaches to it, and the requests on the server.
  let journal: StateJournal
  let recording: Recording
  private(set) var boxes: [StageBox] = []
  private var updates: [() -> Void] = []
  /// What lives as long as the scene.
  private var kept: [Any] = []
  private let token: ObservationToken

  init(folder: FilePath, seed: UInt64, clock: VirtualClock, recording: Recording) {
    self.folder = folder
    self.clock = clock
    self.recording = recording
    journal = StateJournal(clock: clock)
    server = Server(seed: seed, clock: clock, journal: journal)
    token = journal.observe { recording.add($0) }
  }

  /// Records what the user, or something outside, does.
  func user(_ text: String) {
    recording.add(userDoes: text)
  }

  /// Lets time pass.
  func pause(_ milliseconds: Int) async throws {
    try await clock.sleepOnCaller(until: clock.now.advanced(by: .milliseconds(milliseconds)))
  }

  /// Displays a status in a box.
  ///
  /// - Parameters:
  ///   - beside: An error that is displayed below the content.
  ///   - status: The status; nil: what was displayed stays.
  func box(
    _ name: String, beside: @escaping () -> (any Error)? = { nil }, status: @escaping () -> AsyncStatus<[String]>?
  ) {
    let box = StageBox(name, recording: recording)
    boxes.append(box)
    updates.append { box.update(to: status(), beside: beside().map { "\($0)" }) }
  }

  /// Lets every box display its status: called when all that happens at one time has happened.
  func update() {
    for update in updates { update() }
  }

  /// Keeps an object as long as the scene.
  func keep(_ object: Any) {
    kept.append(object)
  }

  /// Says how the scene ended by hand, and how with the library.
  func conclude(byHand: String? = nil, library: String) {
    if let byHand { recording.conclude("✗ By hand: \(byHand)", .bad) }
    recording.conclude("✓ AsyncState: \(library)", .good)
  }

  /// The scene is over.
  func clear() {
    (kept, updates) = ([], [])
  }
}

/// One box of a scene: a title, and a status as a screen displays it.
@MainActor @Observable
final class StageBox {
  static let height = 5

  private static let glyphs = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  let name: String
  private var status: AsyncStatus<[String]>?
  private var beside: String?
  @ObservationIgnored private let recording: Recording
  @ObservationIgnored private var summary = ""

  init(_ name: String, recording: Recording) {
    self.name = name
    self.recording = recording
  }

  fileprivate func update(to next: AsyncStatus<[String]>?, beside text: String?) {
    if let next { status = next }
    beside = text
    guard let status else { return }
    let (words, style) = Self.words(for: status)
    let all = text.map { "\(words) (✗ \($0))" } ?? words
    guard all != summary else { return }
    summary = all
    recording.add(all, isDisplayedIn: name, text == nil ? style : .bad)
  }

  private static func words(for status: AsyncStatus<[String]>) -> (String, Style) {
    switch status {
    case .loading: ("Loading", .faint)
    case .error(let error): ("✗ \(error)", .bad)
    case .data(let lines) where lines.count > 5:
      (lines.prefix(3).joined(separator: ", ") + ", … \(lines.count) in all", .good)
    case .data(let lines): (lines.joined(separator: ", "), .good)
    case .noData: ("There is nothing here", .faint)
    }
  }

  /// The box as it is at a time.
  func rows(columns: Int, time: Duration) -> [Row] {
    let room = max(columns - 4, 0)
    var inside: [Row] =
      switch status {
      case .loading:
        [Row("\(Self.glyphs[Int(time / .milliseconds(80)) % Self.glyphs.count]) Loading …", .accent)]
      case .data(let lines): lines.map { Row($0, .good) }
      case .error, .noData: status.map { [Row(Self.words(for: $0).0, Self.words(for: $0).1)] } ?? []
      case nil: []
      }
    let height = Self.height - 2
    if inside.count > height {
      inside = inside.prefix(height - 1) + [Row("… \(inside.count - height + 1) more", .faint)]
    }
    inside += Array(repeating: Row(), count: height - inside.count)
    if let beside { inside[height - 1] = Row("✗ \(beside)", .bad) }
    let title = "╭─ \(name) "
    let edged = inside.map { content in
      var row = Row("│", .faint)
      row.put(content.truncated(toColumns: room), at: 2)
      row.put("│", at: columns - 1, .faint)
      return row
    }
    let rest = String(repeating: "─", count: max(columns - title.columns - 1, 0))
    return [Row(title + rest + "╮", .faint)] + edged + [
      Row("╰\(String(repeating: "─", count: max(columns - 2, 0)))╯", .faint)
    ]
  }
}
#endif
