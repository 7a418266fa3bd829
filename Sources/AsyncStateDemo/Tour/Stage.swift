#if os(macOS) || os(Linux)
import AsyncState

/// What a scene plays on: a clock, a folder or two, and somebody who takes down what happens.
@MainActor
final class Stage {
  /// The folder that the user has asked for.
  let folder: FilePath
  /// An empty folder on the disk, for the scene to play with.
  let workspace: FilePath
  /// Stands at zero when the scene begins, and moves by itself.
  let clock: any Clock<Duration>
  let timeline: Timeline
  /// Random numbers that are the same whenever this scene is played with this seed.
  var random: SplitMix64

  private let seed: UInt64
  private let display: any Display
  /// What is kept for the scene and ends with it.
  private var kept: [Any] = []
  private var exits: [() -> Void] = []

  init(
    _ scene: any Scene.Type, folder: FilePath, workspace: FilePath, seed: UInt64, clock: any Clock<Duration>,
    timeline: Timeline, display: any Display
  ) {
    self.folder = folder
    self.workspace = workspace
    self.clock = clock
    self.timeline = timeline
    self.display = display
    random = SplitMix64(seed: seed, stream: scene.name)
    self.seed = random.next()
  }

  /// A backend whose answers take as many milliseconds as this.
  func backend(lag: ClosedRange<Int>, heedsCancellation: Bool = true) -> LaggyBackend {
    backend(lag: .constant(lag), heedsCancellation: heedsCancellation)
  }

  /// A backend whose answers take as many milliseconds as this says by then.
  func backend(lag: Observed<ClosedRange<Int>>, heedsCancellation: Bool = true) -> LaggyBackend {
    let conduct = lag.map { lag in
      LaggyBackend.Conduct(
        lag: .milliseconds(lag.lowerBound) ... .milliseconds(lag.upperBound), heedsCancellation: heedsCancellation)
    }
    return LaggyBackend(conduct, seed: seed, clock: clock)
  }

  /// Tells what somebody does.
  func tell(_ text: String) {
    timeline.add(.story, text)
  }

  /// Lets time pass.
  func pause(_ milliseconds: Int) async throws {
    try await clock.sleep(for: .milliseconds(milliseconds))
  }

  /// Takes down every change of `data` from now on.
  func follow<Value: Equatable>(_ data: AsyncData<Value>, describe: @escaping (Value) -> String) {
    var trace = FactsTrace(describe: describe)
    let token = data.observed.observe { [timeline] snapshot in
      if let change = trace.change(to: snapshot) { timeline.add(.facts, change) }
    }
    kept.append(token)
  }

  /// Puts a host on show and takes down what its container does.
  func show<Value>(_ host: AsyncHost<Value>) {
    show(host.container) { "\($0.kind)" }
    // Its data hold a host weakly: it is often the screen that has both.
    kept.append(host)
  }

  /// Puts a container on show and takes down what it does.
  ///
  /// - Parameters:
  ///   - isAnimated: Whether its animations take time.
  ///   - name: What a state is called.
  func show<State>(_ container: StateContainer<State>, isAnimated: Bool = false, name: @escaping (State) -> String) {
    let trace = ContainerTrace(timeline, isAnimated: isAnimated, name: name)
    container.delegate = trace
    container.willAppear(animated: false)
    container.didAppear(animated: false)
    trace.tellChildren()
    display.show { container.children }
    kept.append(trace)
    exits.append {
      container.delegate = nil
      container.willDisappear(animated: false)
      container.didDisappear(animated: false)
    }
  }

  /// The scene is over: what was on show goes.
  func clear() {
    display.show { [] }
    for exit in exits { exit() }
    (kept, exits) = ([], [])
  }
}
#endif
