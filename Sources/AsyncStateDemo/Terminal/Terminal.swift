#if os(macOS) || os(Linux)
import Dispatch
import Foundation

/// The user's terminal, taken over for a while: raw keys, and a screen of its own.
@MainActor
final class Terminal {
  /// What comes from the terminal.
  enum Event: Sendable {
    case input([UInt8])
    case resize
    /// A signal asks the process to end.
    case stop(signal: Int32)
    /// Nobody is there any more.
    case hangUp
  }

  /// Whether there is somebody to talk to.
  static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.output.isTerminal }

  /// What comes from the terminal, in order.
  let events: AsyncStream<Event>

  private let continuation: AsyncStream<Event>.Continuation
  private let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
  private let signals: Signals
  private var former = termios()
  private let palette = Palette.current

  /// What the terminal shows; nil: nobody knows.
  private var shown: Frame?

  private init() async {
    let (events, continuation) = AsyncStream<Event>.makeStream()
    (self.events, self.continuation) = (events, continuation)
    signals = await Signals([SIGINT, SIGTERM, SIGHUP, SIGWINCH]) { number in
      continuation.yield(number == SIGWINCH ? .resize : .stop(signal: number))
    }
  }

  /// Takes the terminal over while `body` runs. However that ends, the terminal is then as it was.
  static func takeOver<Result>(_ body: (Terminal) async throws -> Result) async rethrows -> Result {
    let terminal = await Terminal()
    terminal.begin()
    defer { terminal.end() }
    return try await body(terminal)
  }

  /// How large it is at the moment.
  var size: Size { StandardStream.output.size }

  /// Shows `frame`, writing only what differs.
  func show(_ frame: Frame) {
    StandardStream.output.write(frame.update(from: shown, palette))
    shown = frame
  }

  /// Forgets what the terminal shows, because something else has written to it: the next frame is written whole.
  func invalidate() {
    shown = nil
  }

  // MARK: Taking over and giving back

  // Alternate screen, hidden cursor, no wrapping at the right edge; and the same the other way round.
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leave = "\u{1B}[m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private func begin() {
    listen()
    tcgetattr(STDIN_FILENO, &former)
    var raw = former
    cfmakeraw(&raw)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    StandardStream.output.write(Self.enter)
  }

  private func end() {
    input.cancel()
    signals.end()
    StandardStream.output.write(Self.leave)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
  }

  private func listen() {
    input.setEventHandler { @Sendable [continuation] in
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0 && errno == EINTR { return }
      continuation.yield(count > 0 ? .input(Array(bytes.prefix(count))) : .hangUp)
    }
    input.resume()
  }
}
#endif
