#if os(macOS) || os(Linux)
import AsyncState
import Observation

/// `StateContainer` by itself, with a `ClockAnimator`: any states will do, and children that have a say in their
/// animation.
final class CustomScene: Scene {
  static let name = "custom"
  static let summary = "a container over states of its own: editing, saving, saved, with animations that take time"

  private enum Draft {
    case editing, saving, saved
  }

  func play(on stage: Stage) async throws {
    let editor = Sheet("editor", "Dear all, …", .milliseconds(200))
    let shade = Sheet("shade", "saving …", .milliseconds(100))
    let receipt = Sheet("receipt", "✓ saved", .milliseconds(300))
    let container = StateContainer(initialState: Draft.editing, animator: ClockAnimator(clock: stage.clock)) { draft in
      switch draft {
      case .editing: [editor]
      case .saving: [editor, shade]
      case .saved: [receipt]
      }
    }
    stage.tell("A letter is being edited.")
    stage.show(container, isAnimated: true) { "\($0)" }

    try await stage.pause(200)
    stage.tell("Save it. The editor stays, below a shade.")
    container.setNeedsTransition(to: .saving, animated: true)
    let letter = stage.workspace.appending("letter.txt")
    try await stage.backend(lag: 300...400).answer("save") { try FileSystem.write("Dear all, …", to: letter) }

    stage.tell("It is on the disk. The receipt comes while editor and shade go, each in its own time.")
    let outcome = await container.transition(to: .saved, animated: true)
    stage.tell("The transition is \(outcome).")

    try await stage.pause(100)
    stage.tell("Three requests at once. The first begins, the last waits, and what is between never shows.")
    container.setNeedsTransition(to: .editing, animated: true)
    container.setNeedsTransition(to: .saving, animated: true)
    _ = await container.transition(to: .saved, animated: true)
  }
}

/// A child that says how long its coming takes, goes in half the time, and is faint while it does either.
@MainActor @Observable
private final class Sheet {
  nonisolated let description: String
  private let text: String
  private let duration: Duration
  private var style = Style.plain

  init(_ name: String, _ text: String, _ duration: Duration) {
    description = name
    self.text = text
    self.duration = duration
  }
}

extension Sheet: @MainActor TransitioningController {
  func transitionDuration(isAppearing: Bool) -> Duration { isAppearing ? duration : duration / 2 }
  func transitionDelay(isAppearing: Bool) -> Duration { .zero }
  func transitionWillBegin(isAppearing: Bool) { style = .faint }
  // On a terminal there is nothing between the first position and the last.
  func animateTransition(isAppearing: Bool) {}
  func transitionDidEnd(isAppearing: Bool) { style = .plain }
}

extension Sheet: @MainActor Drawable {
  func rows(in size: Size) -> [Row] { [Row(text, style)] }
}

extension Sheet: CustomStringConvertible {}
#endif
