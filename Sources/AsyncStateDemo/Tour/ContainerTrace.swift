#if os(macOS) || os(Linux)
import AsyncState

/// Tells a timeline what a container does.
@MainActor
final class ContainerTrace<State> {
  private let timeline: Timeline
  private let isAnimated: Bool
  private let name: (State) -> String
  /// What children have heard and the timeline has not: those who come and go together share a line.
  private var untold: [String] = []

  /// - Parameters:
  ///   - isAnimated: Whether children that begin together may end at different times.
  ///   - name: What a state is called.
  init(_ timeline: Timeline, isAnimated: Bool, name: @escaping (State) -> String) {
    self.timeline = timeline
    self.isAnimated = isAnimated
    self.name = name
  }

  private func transition(of container: StateContainer<State>, from former: State?, to next: State) -> String {
    guard let former, container.appearance == .visible else { return "appear in \(name(next))" }
    return "\(name(former)) → \(name(next))"
  }

  /// Tells what children have heard since the last time.
  func tellChildren() {
    if !untold.isEmpty { timeline.add(.children, untold.joined(separator: ", ")) }
    untold = []
  }
}

extension ContainerTrace: @MainActor StateContainerDelegate {
  func container(_ container: StateContainer<State>, willTransitionTo nextState: State, animated: Bool) {
    timeline.add(.will, transition(of: container, from: container.currentState, to: nextState))
  }

  func container(_ container: StateContainer<State>, didTransitionFrom previousState: State?, animated: Bool) {
    tellChildren()
    timeline.add(.did, transition(of: container, from: previousState, to: container.currentState))
  }

  func container(_ container: StateContainer<State>, childWillAppear child: any ChildController, animated: Bool) {
    untold.append("\(child) comes")
  }

  func container(_ container: StateContainer<State>, childDidAppear child: any ChildController, animated: Bool) {
    untold.append("\(child) is here")
    if isAnimated { tellChildren() }
  }

  func container(_ container: StateContainer<State>, childWillDisappear child: any ChildController, animated: Bool) {
    untold.append("\(child) goes")
  }

  func container(_ container: StateContainer<State>, childDidDisappear child: any ChildController, animated: Bool) {
    untold.append("\(child) is gone")
    if isAnimated { tellChildren() }
  }

  func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) {
    tellChildren()
  }
}
#endif
