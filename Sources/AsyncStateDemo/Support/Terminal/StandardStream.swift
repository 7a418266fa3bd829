// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// The output of the process.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// Occupies the numbers of closed streams, so that the next file that is opened gets none of them, and is not written to
  /// instead. What stands there cannot be used: writing is the error that it was.
  static func reserveClosed() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      // The first number that is free.
      _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether it is a terminal that can move its cursor. One that does not say what it is cannot.
  var isTerminal: Bool {
    isatty(rawValue) == 1 && !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM", default: ""])
  }

  /// The size of the terminal; 80×24 if it is unknown.
  var size: Size {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Another process that shares the terminal may have made it non-blocking.
  private func waitForRoom() {
    var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    unsafe poll(&descriptor, 1, -1)
  }

  /// Writes all of `text`.
  ///
  /// - Throws: ``OutputError``, if the output is closed or full.
  func write(_ text: String) throws(OutputError) {
    var rest = Array(TextEncoding.current.bytes(of: text))[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(rawValue, $0.baseAddress, $0.count) }
      if count < 0 {
        switch errno {
        case EINTR: break
        case EAGAIN: waitForRoom()
        case let code: throw OutputError(code: code)
        }
      }
      rest = rest.dropFirst(max(count, 0))
    }
  }
}

/// The output cannot be written: it is closed, or the disk is full.
struct OutputError: Error, Equatable, CustomStringConvertible {
  let code: Int32

  /// Whether the reader of a pipe has ended, as `head` does when it has enough.
  var isBrokenPipe: Bool { code == EPIPE }

  var description: String { unsafe "cannot write the output: \(String(cString: strerror(code)))" }
}
#endif
