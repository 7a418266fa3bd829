#if os(macOS) || os(Linux)
import AsyncState

/// A container for any states: children appear and disappear, each in its own time.
struct Custom: Scene {
  let name = "custom"
  let summary = "a container for states of its own, with animations"

  func play(on stage: Stage) async throws {
    let editor = Sheet("editor", .milliseconds(200))
    let shade = Sheet("shade", .milliseconds(100))
    let receipt = Sheet("receipt", .milliseconds(300))

    let animator = ClockAnimator(clock: stage.clock)

    let letter = StateContainer(initialState: Draft.editing, animator: animator) { draft in
      // snippet.show
      switch draft {
      case .editing: [editor]
      case .saving: [editor, shade]
      case .saved: [receipt]
      }
      // snippet.hide
    }
    stage.journal.attach(letter, name: "letter", child: { "\($0)" })
    letter.appear(animated: false)
    stage.keep(letter)
    stage.box("screen") { .data(letter.children.map { "\($0)" }) }

    for next in [Draft.saving, .saved] {
      try await stage.pause(200)
      stage.user("\(next)")
      // snippet.show
      _ = await letter.transition(to: next, animated: true)
      // snippet.hide
    }
    try await stage.pause(100)
    stage.user("three requests")
    letter.setNeedsTransition(to: .editing, animated: true)
    letter.setNeedsTransition(to: .saving, animated: true)
    _ = await letter.transition(to: .saved, animated: true)
    letter.disappear(animated: false)
    stage.conclude(library: "every “will” has its “did”; the request in between is skipped.")
  }

  private enum Draft { case editing, saving, saved }
}

/// A child whose appearing takes time, and whose disappearing takes half of it.
@MainActor
private final class Sheet: @MainActor TransitioningController, CustomStringConvertible {
  nonisolated let description: String
  private let duration: Duration

  init(_ name: String, _ duration: Duration) {
    (description, self.duration) = (name, duration)
  }

  func transitionDuration(isAppearing: Bool) -> Duration { isAppearing ? duration : duration / 2 }
}
#endif
