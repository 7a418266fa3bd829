// SPDX-License-Identifier: MIT
@testable import AsyncState
@testable import AsyncStateTesting

/// What a container under test is in.
enum Scene: String, CaseIterable {
  case loading
  case ready
  case failed
  case empty
}

/// A container with children that record their calls. It belongs to no actor: any may make one.
final class Stage {
  let trace = Recorder()
  let container: StateContainer<Scene>
  /// Whether arranging is recorded, too.
  var tracesSurface = false {
    didSet { trace.record(container, tracesSurface ? .all : [.transitions, .children]) }
  }
  private let ensemble: Ensemble
  private let animator: any TransitionAnimator
  /// The children of each state where a test says nothing else.
  static let cast: [Scene: [String]] = [.loading: ["spin"], .ready: ["list"], .failed: ["note"], .empty: []]

  /// - Parameter keepsState: Whether the container is of the kind that keeps its state, `loading` at first. The other
  ///   kind requests `initial` at each appearance.
  init(
    _ cast: [Scene: [String]] = Stage.cast,
    keepsState: Bool = false, animator: any TransitionAnimator = ImmediateAnimator()
  ) {
    let ensemble = Ensemble(cast, trace)
    self.ensemble = ensemble
    self.animator = animator
    container =
      keepsState
      ? StateContainer(initialState: .loading, animator: animator) { ensemble.children(for: $0) }
      : StateContainer(appearanceState: { ensemble.askInitial() }, animator: animator) { ensemble.children(for: $0) }
    trace.record(container, [.transitions, .children])
  }

  /// The children of each state, by name.
  var cast: [Scene: [String]] {
    get { ensemble.cast }
    set { ensemble.cast = newValue }
  }

  var initial: Scene {
    get { ensemble.initial }
    set { ensemble.initial = newValue }
  }

  /// The child with this name. One whose name begins with a capital letter has a say in its animation.
  func child(_ name: String) -> TracedChild {
    ensemble.child(name)
  }

  /// The animator, if it is one that holds animations.
  var held: HeldAnimator { animator as! HeldAnimator }

  func animatedChild(_ name: String) -> AnimatedChild {
    child(name) as! AnimatedChild
  }

  /// Fresh children from here on, under the old names.
  func recast() {
    ensemble.recast()
  }

  var surface: [String] { container.children.map { ($0 as! TracedChild).name } }

  // MARK: The container's commands, and its calls

  func appear(animated: Bool = false) -> RecordedTrace { calls { $0.appear(animated: animated) } }
  func disappear(animated: Bool = false) -> RecordedTrace { calls { $0.disappear(animated: animated) } }
  func willAppear(animated: Bool = false) -> RecordedTrace { calls { $0.willAppear(animated: animated) } }
  func didAppear(animated: Bool = false) -> RecordedTrace { calls { $0.didAppear(animated: animated) } }
  func willDisappear(animated: Bool = false) -> RecordedTrace { calls { $0.willDisappear(animated: animated) } }
  func didDisappear(animated: Bool = false) -> RecordedTrace { calls { $0.didDisappear(animated: animated) } }

  func go(_ state: Scene, animated: Bool = false) -> RecordedTrace {
    calls { $0.setNeedsTransition(to: state, animated: animated) }
  }

  private func calls(of body: (StateContainer<Scene>) -> Void) -> RecordedTrace {
    body(container)
    return trace.takeTrace()
  }
}

/// The children of each state of a container on a stage. Apart from the stage, as the container keeps it.
private final class Ensemble {
  var cast: [Scene: [String]]
  var initial = Scene.loading
  private var players: [String: TracedChild] = [:]
  private let trace: Recorder

  init(_ cast: [Scene: [String]], _ trace: Recorder) {
    self.cast = cast
    self.trace = trace
  }

  func askInitial() -> Scene {
    trace.note("I")
    return initial
  }

  func children(for state: Scene) -> [any ChildController] {
    trace.note("K")
    return (cast[state] ?? []).map { child($0) }
  }

  func child(_ name: String) -> TracedChild {
    if let child = players[name] { return child }
    let child = name.first!.isUppercase ? AnimatedChild(name, trace) : TracedChild(name, trace)
    players[name] = child
    return child
  }

  func recast() {
    players = [:]
  }
}

/// A child that is recorded, and keeps the flags of its callbacks, which the contract's notation does not have.
class TracedChild: RecordedChild {
  let trace: Recorder
  /// The flags of the calls that have one, in order.
  private var flags = ""

  init(_ name: String, _ trace: Recorder) {
    self.trace = trace
    super.init(name, recorder: trace)
  }

  override func willAppear(animated: Bool) {
    flags += letter(animated)
    super.willAppear(animated: animated)
  }

  override func didAppear(animated: Bool) {
    flags += letter(animated)
    super.didAppear(animated: animated)
  }

  override func willDisappear(animated: Bool) {
    flags += letter(animated)
    super.willDisappear(animated: animated)
  }

  override func didDisappear(animated: Bool) {
    flags += letter(animated)
    super.didDisappear(animated: animated)
  }

  func takeFlags() -> String {
    defer { flags = "" }
    return flags
  }
}

/// A child that has a say in its animation. Its marks: `begin`, `time`, `wait`, `move`, `end`, with `in` or `out`.
final class AnimatedChild: TracedChild, TransitioningController {
  var duration = Duration.seconds(1)
  var delay = Duration.zero

  func transitionDuration(isAppearing: Bool) -> Duration {
    mark("time", isAppearing)
    return duration
  }

  func transitionDelay(isAppearing: Bool) -> Duration {
    mark("wait", isAppearing)
    return delay
  }

  func transitionWillBegin(isAppearing: Bool) { mark("begin", isAppearing) }
  func animateTransition(isAppearing: Bool) { mark("move", isAppearing) }
  func transitionDidEnd(isAppearing: Bool) { mark("end", isAppearing) }

  private func mark(_ call: String, _ isAppearing: Bool) {
    trace.note("\(name).\(call)(\(isAppearing ? "in" : "out"))")
  }
}

/// A delegate that keeps the flags of the calls about a child, which the contract's notation does not have.
final class FlagDelegate: StateContainerDelegate {
  private var flags = ""

  func container(_ container: StateContainer<Scene>, childWillAppear child: any ChildController, animated: Bool) {
    flags += letter(animated)
  }
  func container(_ container: StateContainer<Scene>, childDidAppear child: any ChildController, animated: Bool) {
    flags += letter(animated)
  }
  func container(_ container: StateContainer<Scene>, childWillDisappear child: any ChildController, animated: Bool) {
    flags += letter(animated)
  }
  func container(_ container: StateContainer<Scene>, childDidDisappear child: any ChildController, animated: Bool) {
    flags += letter(animated)
  }

  func takeFlags() -> String {
    defer { flags = "" }
    return flags
  }
}

/// An animator that keeps what it is given until the test says otherwise.
final class HeldAnimator: TransitionAnimator {
  var animations: [TransitionAnimation] = []

  func animate(_ animation: TransitionAnimation) {
    animations.append(animation)
  }

  /// Finishes what is left: until then it keeps the container, and the container keeps this.
  func finishAll() {
    // Taken out first: a transition that ends may begin another one.
    var ended: [TransitionAnimation] = []
    swap(&ended, &animations)
    for animation in ended { animation.finish() }
  }

  /// The animation of the child with this name.
  func of(_ name: String) -> TransitionAnimation {
    animations.last { ($0.child as! TracedChild).name == name }!
  }
}

extension Recorder {
  /// Does `body`, and waits for the callback that makes this mark next.
  func reaches(_ mark: String, isolation: isolated any Actor = #isolation, after body: () async -> Void) async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    once(mark) { continuation.finish() }
    await body()
    for await _ in stream {}
  }
}

/// The contract's letter for a flag.
func letter(_ flag: Bool) -> String { flag ? "t" : "f" }
