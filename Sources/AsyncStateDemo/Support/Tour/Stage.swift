// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal
import AsyncStateTesting

/// The stage of a scene: a clock, a slow server, and two boxes that display something.
@MainActor
final class Stage {
  /// Stands at zero when the scene begins. It is the clock of tests: here ``Playing`` moves it.
  let clock = ManualClock()
  let server: Server
  /// Records what a scene attaches to it, and the requests on the server.
  let journal: StateJournal
  let recording: Recording
  let byHand = StageBox("by hand")
  let library = StageBox("AsyncState")
  private var updates: [() -> Void] = []
  private let token: ObservedToken

  /// - Parameter onLine: Called with each thing that happens.
  init(onLine: @escaping (Recording.Line) -> Void) {
    journal = StateJournal(clock: clock)
    server = Server(clock: clock, journal: journal)
    let recording = Recording(now: { [clock] in clock.now.offset }, onLine: onLine)
    self.recording = recording
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

  /// Displays a status in each box from now on.
  ///
  /// - Parameters:
  ///   - beside: An error that is displayed below the content of the library's.
  ///   - requested: What was requested, which both display above their content.
  ///   - counting: What is counted in both.
  ///   - library: The status; nil: what was displayed stays.
  func display(
    byHand: @escaping () -> AsyncStatus<[String]>, beside: @escaping () -> (any Error)? = { nil },
    requested: @escaping () -> String = { "" }, counting: StageBox.DisplayCount? = nil,
    library: @escaping () -> AsyncStatus<[String]>?
  ) {
    for box in [self.byHand, self.library] { box.counting = counting }
    updates = [
      { [self] in for box in [self.byHand, self.library] { box.requested = requested() } },
      { [self] in update(self.byHand, to: byHand(), beside: nil) },
      { [self] in update(self.library, to: library(), beside: beside()) },
    ]
  }

  /// Lets both boxes display their statuses: called when all that happens at one time has happened.
  func update() {
    for update in updates { update() }
  }

  private func update(_ box: StageBox, to status: AsyncStatus<[String]>?, beside error: (any Error)?) {
    guard let change = box.update(to: status, beside: error.map { "\($0)" }) else { return }
    recording.add(change.text, isDisplayedIn: box.name, change.style)
  }

  /// The scene is over.
  func clear() {
    updates = []
  }
}
#endif
