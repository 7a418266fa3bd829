// SPDX-License-Identifier: MIT
/// That what is compared does the same: the same calls on the same objects, in the same order, with the same arguments.
public enum TraceCheck {
  /// Stops with a message if the screens that are compared make different calls.
  @MainActor public static func run() {
    let all = Stage.recording
    let children = Stage.recordingChildren
    compare({ HostScreen($0) }, with: { HandWrittenScreen($0, isAnimated: true) }, on: all)
    compare({ JoinedScreen($0) }, with: { HandWrittenScreen($0, isAnimated: false) }, on: all)
    compare({ HostScreen($0) }, with: { OpenCombineScreen($0) }, on: children)
    compare({ HostScreen($0) }, with: { ObservationScreen($0) }, on: children)
  }

  @MainActor private static func compare(
    _ library: (Stage) -> any FlippingWork, with peer: (Stage) -> any FlippingWork, on stage: (Trace) -> Stage
  ) {
    let expected = calls(of: library, on: stage)
    let found = calls(of: peer, on: stage)
    guard expected.isEmpty || expected != found else { return }
    // Not a precondition: a release build would stop without the message.
    fatalError(
      """
      Two screens do not make the same calls, so comparing them means nothing. The library's calls:
      \(expected.joined(separator: "\n"))
      Those of the peer:
      \(found.joined(separator: "\n"))
      """)
  }

  /// The calls of two flips, of another value over a value, and of the way back.
  @MainActor private static func calls(of make: (Stage) -> any FlippingWork, on stage: (Trace) -> Stage) -> [String] {
    let trace = Trace()
    let stage = stage(trace)
    let screen = make(stage)
    screen.begin(on: MainActor.shared)
    trace.clear()
    screen.run(2)
    screen.show(1)
    screen.show(2)
    screen.hide()
    return trace.calls
  }
}
