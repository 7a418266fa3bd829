// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// The use of a container that is the same everywhere: written once, called on the main actor, on an actor of its own
/// and on no actor at all.
func exerciseContainer() -> String {
  let stage = Stage()
  let received = [stage.appear(), stage.go(.ready), stage.go(.failed, animated: true), stage.disappear()]
  return received.map(\.text).joined(separator: " | ")
}

/// A session on a server: data and a host on an actor of its own.
actor Session {
  let number: Int
  private let trace = Recorder()
  private let data = AsyncData<Int>()
  private var host: AsyncHost<Int>?
  private var touched = 0

  init(_ number: Int) {
    self.number = number
  }

  /// Loads, shows, refreshes and disappears, and returns the calls.
  func run() async -> String {
    let host = AsyncHost(
      data: data, request: { _, _ in }, children: { [trace] in [TracedChild("\($0.kind)", trace)] })
    self.host = host
    trace.record(statusesOf: host)
    host.appear(animated: false)
    host.start()
    await data.load {
      self.touched += 1
      return self.number
    }
    await data.load(.refresh) { (reporter: LoadReporter<Int>) in
      self.touched += 1
      try reporter.yield(self.number + 1)
      return reporter.current
    }
    host.disappear(animated: false)
    self.host = nil
    return trace.marks.filter { $0.hasPrefix("W") || $0.hasPrefix("D") }.joined(separator: " ") + " touched \(touched)"
  }
}
