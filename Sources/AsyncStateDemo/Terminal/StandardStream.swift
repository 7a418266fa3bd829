#if os(macOS) || os(Linux)
import Foundation

/// Where the process's output goes.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// Whether a person reads it, on a terminal that can move its cursor.
  var isTerminal: Bool {
    isatty(rawValue) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// How large the terminal is; what most are, if it does not tell.
  var size: Size {
    var size = winsize()
    guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return Size(columns: 80, rows: 24) }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Somebody else who has the terminal, too, has told it not to let writers wait.
  private func waitForRoom() {
    var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    poll(&descriptor, 1, -1)
  }

  /// Writes all of `text`, at once.
  ///
  /// - Returns: Whether there is still somebody who reads.
  @discardableResult
  func write(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(rawValue, $0.baseAddress, $0.count) }
      if count < 0 {
        switch errno {
        case EINTR: break
        case EAGAIN: waitForRoom()
        default: return false
        }
      }
      rest = rest.dropFirst(max(count, 0))
    }
    return true
  }
}
#endif
