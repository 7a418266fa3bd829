// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Dispatch
import Foundation
import Synchronization

/// The user's terminal while a program uses all of it: raw keys, and a screen of its own.
@MainActor
final class Terminal {
  /// An event that a program reacts to.
  enum Event: Sendable {
    case key(Key)
    /// All is to be drawn again: the size has changed, or the process was stopped and continues.
    case redraw
    /// A signal requests that the process ends.
    case stop(signal: Int32)
    /// The terminal was closed.
    case hangUp
  }

  /// An arrival, before it is an event.
  private enum Arrival: Sendable {
    case input([UInt8])
    case signal(Int32)
    /// The terminal has input for another job: this one is in the background.
    case inputElsewhere
    case end
  }

  /// Signals that end the process by default.
  private static let endings = [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2]

  /// Whether there is a person at a terminal that can move its cursor.
  static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.output.isTerminal }

  /// Whether input for another job is an event that was not looked at yet.
  private nonisolated static let isElsewhere = Atomic<Bool>(false)

  private let arrivals: AsyncStream<Arrival>.Iterator
  private let input: any DispatchSourceRead
  private let continuation: AsyncStream<Arrival>.Continuation
  private let signals: Signals
  private var keys = KeyParser()
  /// Events that have arrived together with one that was returned.
  private var pending: [Event] = []
  private var former = termios()
  private let palette = Palette.current

  /// The frame that the terminal displays; nil: that is unknown.
  private var displayed: Frame?

  private init() {
    let (stream, continuation) = AsyncStream<Arrival>.makeStream()
    (arrivals, self.continuation) = (stream.makeAsyncIterator(), continuation)
    input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
    signals = Signals(endings: Self.endings, others: [SIGWINCH, SIGTSTP, SIGCONT]) { continuation.yield(.signal($0)) }
    input.setEventHandler { @Sendable in
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0 && [EINTR, EAGAIN].contains(errno) { return }
      if count < 0 && errno == EIO && !Self.isInputClosed {
        // The process has continued in the background, and something is typed for another job. This is called again and
        // again until the event is looked at.
        if !Self.isElsewhere.exchange(true, ordering: .relaxed) { continuation.yield(.inputElsewhere) }
      } else {
        continuation.yield(count > 0 ? .input(Array(bytes.prefix(count))) : .end)
      }
    }
  }

  /// Uses the whole terminal while `body` runs. However that ends, the terminal is then as it was.
  ///
  /// A background job is stopped until the shell brings it to the foreground.
  ///
  /// - Returns: What `body` returns; nil if the process may not use the terminal.
  static func takeOver<Result>(_ body: (Terminal) async throws -> Result) async rethrows -> Result? {
    let terminal = Terminal()
    unsafe tcgetattr(STDIN_FILENO, &terminal.former)
    guard terminal.enter() else {
      terminal.signals.end()
      return nil
    }
    terminal.input.resume()
    defer {
      terminal.input.cancel()
      terminal.leave()
      terminal.signals.end()
    }
    return try await body(terminal)
  }

  /// The size of the terminal.
  var size: Size { StandardStream.output.size }

  /// Displays `frame`, writing only what differs.
  func show(_ frame: Frame) {
    write(frame.update(from: displayed, palette))
    displayed = frame
  }

  /// The next event. A request to stop, such as Ctrl-Z, is carried out here: the terminal is restored meanwhile.
  func nextEvent() async -> Event {
    while true {
      if !pending.isEmpty { return pending.removeFirst() }
      var iterator = arrivals
      switch await iterator.next(isolation: MainActor.shared) {
      case .input(let bytes): pending = keys.keys(from: bytes).map { $0 == .control("z") ? stopJob() : .key($0) }
      case .signal(SIGTSTP): return stopJob()
      case .signal(SIGCONT): return resume()
      case .inputElsewhere:
        // Stops until the process is in the foreground, so that nothing else has to keep the input waiting.
        input.suspend()
        defer {
          Self.isElsewhere.store(false, ordering: .relaxed)
          input.resume()
        }
        return resume()
      case .signal(SIGWINCH): return invalidated()
      case .signal(let number): return .stop(signal: number)
      case .end, nil: return .hangUp
      }
    }
  }

  // MARK: Using and restoring the terminal

  // Alternate screen, hidden cursor, no wrapping at the right edge; and the same the other way round.
  private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leaveSequence = "\u{1B}[m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// - Returns: Whether the process may use the terminal.
  private func enter() -> Bool {
    // In the background this stops the process until it is in the foreground, as nothing else was written yet. It fails
    // where no shell could continue it.
    guard isInForeground ? makeRaw() : signals.withDefaultEndings(makeRaw) else { return false }
    write(Self.enterSequence)
    displayed = nil
    return true
  }

  private func makeRaw() -> Bool {
    var raw = former
    unsafe cfmakeraw(&raw)
    return Signals.withDefault([SIGTTOU]) {
      var status: Int32
      repeat { status = unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) } while status != 0 && errno == EINTR
      return status == 0
    }
  }

  /// In the background the terminal belongs to another job.
  private var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Whether the other end of the terminal is closed.
  private nonisolated static var isInputClosed: Bool {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLHUP) != 0
  }

  private func leave() {
    guard isInForeground else { return }
    write(Self.leaveSequence)
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
  }

  private func stopJob() -> Event {
    leave()
    signals.stopJob()
    return resume()
  }

  /// The process continues: a shell has used the terminal, and its size may be another.
  private func resume() -> Event {
    enter() ? .redraw : .hangUp
  }

  private func invalidated() -> Event {
    displayed = nil
    return .redraw
  }

  private func write(_ text: String) {
    do {
      try StandardStream.output.write(text)
    } catch {
      continuation.yield(.end)
    }
  }
}
#endif
