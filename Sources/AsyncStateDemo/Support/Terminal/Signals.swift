// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Dispatch
import Foundation
import Synchronization

/// Signals as events, instead of the sudden end of the process.
///
/// A handler writes the signal's number to a pipe, which is one of the few things that a handler may do.
@MainActor
final class Signals {
  // Made before the first handler is installed, so that a handler only reads it.
  private static let pipe = {
    var ends: [Int32] = [0, 0]
    unsafe precondition(Foundation.pipe(&ends) == 0, "There are no file descriptors left.")
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (output: ends[0], input: ends[1])
  }()
  private nonisolated static let input = MainActor.assumeIsolated { pipe.input }

  /// The signal that was handled last and ends the process by default; zero: none.
  private nonisolated static let ending = Atomic<Int32>(0)

  /// Those that end the process by default.
  private let endings: [Int32]
  private let others: [Int32]
  private let source: any DispatchSourceRead

  /// Handles signals until ``end()``.
  ///
  /// - Parameters:
  ///   - endings: Those that end the process by default.
  ///   - others: All others.
  ///   - handler: Called with the number of each, on any thread.
  init(endings: [Int32], others: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
    (self.endings, self.others) = (endings, others)
    let output = Self.pipe.output
    _ = Self.input
    _ = Self.ending.load(ordering: .relaxed)
    source = DispatchSource.makeReadSource(fileDescriptor: output)
    source.setEventHandler { @Sendable in
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = unsafe read(output, &bytes, bytes.count)
      for number in bytes.prefix(max(count, 0)) { handler(Int32(number)) }
    }
    source.resume()
    for number in endings + others { handle(number) }
  }

  /// From here on signals have their default effect again.
  func end() {
    source.cancel()
    for number in endings + others { signal(number, SIG_DFL) }
  }

  /// Calls `body` while the signals that end the process do so at once: the terminal is restored then, and `body` may stop
  /// the process, which would not see an event.
  func withDefaultEndings<Result>(_ body: () -> Result) -> Result {
    defer { for number in endings { handle(number) } }
    return Self.withDefault(endings) {
      // One that was handled just before is an event that would wait until the process is in the foreground.
      let number = Self.ending.load(ordering: .acquiring)
      if number != 0 { kill(getpid(), number) }
      return body()
    }
  }

  /// Stops the process and its job, as Ctrl-Z does, and returns when it continues. At once where no shell could
  /// continue it.
  func stopJob() {
    withDefaultEndings {
      // The others of the job. This process is stopped by a signal to this thread, so that the call returns only when it
      // continues: one to the process is received by any thread, some time.
      signal(SIGTSTP, SIG_IGN)
      kill(0, SIGTSTP)
      // Where a thread blocks the signal, as in its handler, it is not ignored but waits. This discards it.
      signal(SIGTSTP, SIG_IGN)
      _ = Self.withDefault([SIGTSTP]) { pthread_kill(pthread_self(), SIGTSTP) }
    }
    handle(SIGTSTP)
  }

  /// Calls `body` while signals have their default effect, also on this thread: the threads of a pool may block signals, and
  /// another one may not get the chance to receive one that is pending.
  static func withDefault<Result>(_ numbers: [Int32], _ body: () -> Result) -> Result {
    var (unblocked, former) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&unblocked)
    for number in numbers {
      signal(number, SIG_DFL)
      unsafe sigaddset(&unblocked, number)
    }
    unsafe pthread_sigmask(SIG_UNBLOCK, &unblocked, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    return body()
  }

  private func handle(_ number: Int32) {
    var action = sigaction()
    action.sa_flags = SA_RESTART
    // One after the other: of a signal that ends the process and the one by which it continues, the former is an event first.
    unsafe sigfillset(&action.sa_mask)
    let reportEnding: @convention(c) (Int32) -> Void = { number in
      Signals.ending.store(number, ordering: .releasing)
      Signals.report(number)
    }
    let handler = endings.contains(number) ? reportEnding : { Signals.report($0) }
    #if canImport(Darwin)
    action.__sigaction_u.__sa_handler = handler
    #else
    unsafe action.__sigaction_handler.sa_handler = handler
    #endif
    unsafe sigaction(number, &action, nil)
  }

  private nonisolated static func report(_ number: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(input, &byte, 1)
    errno = error
  }
}
#endif
