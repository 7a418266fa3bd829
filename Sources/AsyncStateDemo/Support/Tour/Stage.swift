// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// The stage of a scene: a clock, a slow server, and boxes that display something.
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
  private(set) var previews: [StageBox] = []
  private var updates: [() -> Void] = []
  /// The objects that live as long as the scene.
  private var kept: [Any] = []
  private let token: ObservedToken

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
    let box = StageBox(name)
    boxes.append(box)
    updates.append { [recording] in
      guard let change = box.update(to: status(), beside: beside().map { "\($0)" }) else { return }
      recording.add(change.text, isDisplayedIn: name, change.style)
    }
  }

  /// Displays a status that does not change, in a small box.
  func preview(_ name: String, _ status: AsyncStatus<[String]>) {
    let box = StageBox(name)
    previews.append(box)
    if let change = box.update(to: status) { recording.add(change.text, isPreviewedIn: name) }
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
#endif
