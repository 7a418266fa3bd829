#if os(macOS) || os(Linux)
import Dispatch
import Foundation

/// Signals as events, instead of the sudden end of the process.
///
/// A handler writes the signal's number to a pipe, which is one of the few things that a handler may do.
@MainActor
final class Signals {
  // Made before the first handler is installed, so that a handler only reads it.
  private static let pipe = {
    var ends: [Int32] = [0, 0]
    precondition(Foundation.pipe(&ends) == 0, "There are no file descriptors left.")
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (output: ends[0], input: ends[1])
  }()
  private nonisolated static let input = MainActor.assumeIsolated { pipe.input }

  private let numbers: [Int32]
  private let source: any DispatchSourceRead

  /// Handles signals until ``end()``.
  ///
  /// - Parameter handler: Called with the number of each, on any thread.
  init(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
    self.numbers = numbers
    let output = Self.pipe.output
    _ = Self.input
    source = DispatchSource.makeReadSource(fileDescriptor: output)
    source.setEventHandler { @Sendable in
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(output, &bytes, bytes.count)
      for number in bytes.prefix(max(count, 0)) { handler(Int32(number)) }
    }
    source.resume()
    for number in numbers { handle(number) }
  }

  /// From here on signals have their default effect again.
  func end() {
    source.cancel()
    for number in numbers { signal(number, SIG_DFL) }
  }

  /// Stops the process and its job, as Ctrl-Z does, and returns when it continues. At once where no shell could
  /// continue it.
  func stopJob() {
    _ = Self.withDefault(SIGTSTP) { kill(0, SIGTSTP) }
    handle(SIGTSTP)
  }

  /// Calls `body` while a signal has its default effect on this thread. The threads of a pool may block signals.
  static func withDefault<Result>(_ number: Int32, _ body: () -> Result) -> Result {
    signal(number, SIG_DFL)
    var (numbers, former) = (sigset_t(), sigset_t())
    sigemptyset(&numbers)
    sigaddset(&numbers, number)
    pthread_sigmask(SIG_UNBLOCK, &numbers, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    return body()
  }

  private func handle(_ number: Int32) {
    var action = sigaction()
    action.sa_flags = SA_RESTART
    let handler: @convention(c) (Int32) -> Void = { number in
      let error = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(Signals.input, &byte, 1)
      errno = error
    }
    #if canImport(Darwin)
    action.__sigaction_u.__sa_handler = handler
    #else
    action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(number, &action, nil)
  }
}
#endif
