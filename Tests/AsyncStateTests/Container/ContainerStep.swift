// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// What is done to a container on a stage.
enum ContainerStep {
  case appear(animated: Bool), disappear(animated: Bool), willAppear, didAppear, willDisappear, didDisappear
  case request(Scene, animated: Bool)
  /// The state to appear in is another from here on.
  case initial(Scene)
  /// All states have fresh children from here on, under the old names.
  case recast
  /// The animation of a child starts, or ends.
  case run(String), end(String)
  /// Each animation that there was runs and ends, if it has not.
  case lateEnds

  static var appear: Self { .appear(animated: false) }
  static var disappear: Self { .disappear(animated: false) }
  static func request(_ state: Scene) -> Self { .request(state, animated: false) }

  func take(on stage: Stage) {
    let container = stage.container
    switch self {
    case .appear(let animated): container.appear(animated: animated)
    case .disappear(let animated): container.disappear(animated: animated)
    case .willAppear: container.willAppear(animated: false)
    case .didAppear: container.didAppear(animated: false)
    case .willDisappear: container.willDisappear(animated: false)
    case .didDisappear: container.didDisappear(animated: false)
    case .request(let state, let animated): container.setNeedsTransition(to: state, animated: animated)
    case .initial(let state): stage.initial = state
    case .recast: stage.recast()
    case .run(let name): stage.held.of(name).run()
    case .end(let name): stage.held.of(name).finish()
    case .lateEnds: for animation in stage.held.animations { animation.finish() }
    }
  }
}

/// Does the steps `before` and then those of `calls`, each with the calls that must follow; in the callback with a mark those of
/// `inside`, once.
func expectCalls(
  _ law: Comment, with cast: [Scene: [String]] = Stage.cast, keepsState: Bool = false,
  isSurfaceTraced: Bool = false,
  animator: any TransitionAnimator = ImmediateAnimator(), before: [ContainerStep] = [],
  inside: (mark: String, steps: [ContainerStep])? = nil,
  _ calls: KeyValuePairs<ContainerStep, String>, then: (Stage) -> Void = { _ in },
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let stage = Stage(cast, keepsState: keepsState, animator: animator)
  stage.tracesSurface = isSurfaceTraced
  for step in before { step.take(on: stage) }
  _ = stage.trace.take()
  if let inside { stage.trace.once(inside.mark) { for step in inside.steps { step.take(on: stage) } } }
  for (step, expected) in calls {
    step.take(on: stage)
    expectEqual(stage.trace.takeTrace(), expected, "\(law): \(step)", sourceLocation: sourceLocation)
  }
  then(stage)
  (animator as? HeldAnimator)?.finishAll()
}
