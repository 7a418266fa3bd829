// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal
import AsyncStateTesting

/// A container for any states: children appear and disappear, each in its own time.
struct Custom: Scene {
  let name = "custom"
  let summary = "a container for states of its own, with animations"
  let byHand = "the animation that ends last wins: the receipt of “saved”."
  let library = "the editor, as it was requested; each “will” has its “did”."
  let size = (milliseconds: 1200, lanes: 7)

  func play(on stage: Stage) async throws {
    let editor = Sheet("editor", .milliseconds(200))
    let shade = Sheet("shade", .milliseconds(100))
    let receipt = Sheet("receipt", .milliseconds(300))
    func sheets(for draft: Draft) -> [Sheet] {
      switch draft {
      case .editing: [editor]
      case .saving: [editor, shade]
      case .saved: [receipt]
      }
    }
    let byHand = HandWrittenContainer(clock: stage.clock, sheets: sheets)
    let animator = ClockAnimator(clock: stage.clock)

    // snippet.show
    let letter = StateContainer(
      initialState: Draft.editing,
      animator: animator, children: sheets)
    // snippet.hide
    stage.journal.attach(letter, name: "letter", child: { "\($0)" })
    letter.appear(animated: false)
    var wanted = Draft.editing
    stage.display(
      byHand: { .data(byHand.children.map(\.description)) }, requested: { "Requested: \(wanted)" },
      library: { .data(letter.children.map { "\($0)" }) })

    for drafts in [[Draft.saving], [.saved, .saving, .editing]] {
      try await stage.pause(200)
      stage.user(drafts.map { "\($0)" }.joined(separator: ", "))
      for draft in drafts {
        wanted = draft
        // snippet.show
        letter.setNeedsTransition(
          to: draft, animated: true)
        // snippet.hide
        Task { try await byHand.show(draft) }
      }
    }
    try await stage.pause(800)
    letter.disappear(animated: false)
  }
}

private enum Draft { case editing, saving, saved }

/// A child whose appearing takes time, and whose disappearing takes half of it.
@MainActor
private final class Sheet: @MainActor TransitioningController, CustomStringConvertible {
  nonisolated let description: String
  let duration: Duration

  init(_ name: String, _ duration: Duration) {
    (description, self.duration) = (name, duration)
  }

  func transitionDuration(isAppearing: Bool) -> Duration { isAppearing ? duration : duration / 2 }
}

/// Children as most apps change them: an animation, and the assignment when it has ended.
@MainActor
private final class HandWrittenContainer {
  private let clock: ManualClock
  private let sheets: (Draft) -> [Sheet]
  private(set) var children: [Sheet]

  init(clock: ManualClock, sheets: @escaping (Draft) -> [Sheet]) {
    (self.clock, self.sheets) = (clock, sheets)
    children = sheets(.editing)
  }

  func show(_ draft: Draft) async throws {
    // snippet.byHand custom
    let next = sheets(draft)
    try await animate(to: next)
    children = next  // fault: custom
    // snippet.hide
  }

  private func animate(to next: [Sheet]) async throws {
    let duration = next.map(\.duration).max() ?? .zero
    try await clock.sleepOnCaller(until: clock.now.advanced(by: duration))
  }
}
#endif
