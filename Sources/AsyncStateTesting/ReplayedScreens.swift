// SPDX-License-Identifier: MIT
import AsyncStateJournal
public import AsyncState

// Containers and hosts in a replay.

/// A container whose requests and life-cycle calls are carried out by hand.
private class ReplayedContainer<State>: ReplayedSubject {
  let container: StateContainer<State>
  private let states: [State]
  private let stateName: (State) -> String
  let childName: (any ChildController) -> String

  init(
    _ container: StateContainer<State>, _ states: [State], _ stateName: @escaping (State) -> String,
    _ childName: @escaping (any ChildController) -> String
  ) {
    self.container = container
    self.states = states
    // As they stand in entries.
    self.stateName = { StateJournal.text(of: stateName($0)) }
    self.childName = { StateJournal.text(of: childName($0)) }
  }

  override func attach(
    to journal: StateJournal, _ name: String, before steps: [StateJournal.Entry], isolation: isolated any Actor
  ) {
    journal.attach(container, name: name, state: stateName, child: childName, isolation: isolation)
  }

  override func isAnswer(
    _ step: StateJournal.Entry, to cause: StateJournal.Entry, in replay: Replay
  ) -> Bool {
    // The end of an animation.
    guard cause.subject == step.subject, case .willTransition = cause.event else { return false }
    switch step.event {
    case .childDidAppear, .childDidDisappear, .arranged: return true
    // What precedes an animation.
    default: return false
    }
  }

  override func carryOut(
    _ step: StateJournal.Entry, in replay: Replay, isolation: isolated any Actor
  ) -> String? {
    switch step.event {
    case .appearance(let appearance):
      // The flag of the call is the one of the transition that it begins.
      let isAnimated =
        if case .willTransition(_, let animated)? = replay.following.first?.event { animated } else { false }
      advance(to: appearance, animated: isAnimated)
    case .willTransition(let text, let animated):
      guard let state = states.first(where: { stateName($0) == text }) else {
        return "None of the states that were given to the replay is written like that."
      }
      container.setNeedsTransition(to: state, animated: animated, isolation: isolation)
    case .childDidAppear(let name): return finish(replay) { $0.isAppearing && childName($0.child) == name }
    case .childDidDisappear(let name): return finish(replay) { !$0.isAppearing && childName($0.child) == name }
    case .arranged(let names):
      return finish(replay) { !$0.isAppearing && !names.contains(childName($0.child)) }
    // What the container does by itself follows from the calls above.
    default: return Self.unrepeatable
    }
    return nil
  }

  private func advance(to appearance: Appearance, animated: Bool) {
    switch appearance {
    case .appearing: container.willAppear(animated: animated)
    case .visible: container.didAppear(animated: animated)
    case .disappearing: container.willDisappear(animated: animated)
    case .gone: container.didDisappear(animated: animated)
    }
  }

  private func finish(_ replay: Replay, _ isMeant: (TransitionAnimation) -> Bool) -> String? {
    let children = container.children
    let isDone = replay.animations.finish { animation in
      children.contains { $0 === animation.child } && isMeant(animation)
    }
    return isDone ? nil : "No such animation runs: give the container the `animator` of the replay."
  }
}

/// A host that is reloaded and appears by hand. Its statuses follow from its data.
private final class ReplayedHost<Value>: ReplayedContainer<AsyncStatus<Value>> {
  let host: AsyncHost<Value>
  /// It is attached to the journal of the replay.
  private(set) var isRecorded = false

  init(_ host: AsyncHost<Value>, _ childName: @escaping (any ChildController) -> String) {
    self.host = host
    super.init(host.container, [], { "\($0.kind)" }, childName)
  }

  override func attach(
    to journal: StateJournal, _ name: String, before steps: [StateJournal.Entry], isolation: isolated any Actor
  ) {
    isRecorded = true
    journal.attach(host, name: name, child: childName, isolation: isolation)
  }

  override func carryOut(
    _ step: StateJournal.Entry, in replay: Replay, isolation: isolated any Actor
  ) -> String? {
    switch step.event {
    case .statusChanged:
      guard !host.hasStarted else { return "The status follows from the data, which has another one." }
      host.start(isolation: isolation)
      return nil
    // The host's container.
    default: return super.carryOut(step, in: replay, isolation: isolation)
    }
  }
}

/// Animations that end when a recording says so.
final class ReplayedAnimations: TransitionAnimator {
  private var animations: [TransitionAnimation] = []

  func animate(_ animation: TransitionAnimation) {
    animation.run()
    animations.append(animation)
  }

  /// Ends the newest animation that is meant: older ones were cut short.
  ///
  /// - Returns: Whether there is one.
  func finish(_ isMeant: (TransitionAnimation) -> Bool) -> Bool {
    guard let index = animations.lastIndex(where: isMeant) else { return false }
    animations.remove(at: index).finish()
    return true
  }
}

extension Replay {
  /// The host that displays data, if it is recorded by now.
  func host<Value>(of data: AsyncData<Value>) -> AsyncHost<Value>? {
    subjects(of: ReplayedHost<Value>.self).first { $0.isRecorded && $0.host.data === data }?.host
  }

  /// Repeats the requests and the life-cycle calls of a container that came from outside.
  ///
  /// - Parameters:
  ///   - container: The subject, in the state that the recorded one had at first. If that was animated over time, with
  ///     the replay's ``animator``.
  ///   - name: The subject's name in the entries.
  ///   - states: The states that are requested, found by how they are written.
  ///   - state: How a state is written, as for the journal.
  ///   - child: How a child is written, as for the journal.
  public func attach<State>(
    _ container: StateContainer<State>, name: String, states: some Sequence<State>,
    state: @escaping (State) -> String = { "\($0)" },
    child: @escaping (any ChildController) -> String = { "\(type(of: $0))" }
  ) {
    attach(ReplayedContainer(container, Array(states), state, child), name)
  }

  /// Repeats the life-cycle calls of a host that came from outside, its `start()` and its `reload()`. Its data is a
  /// subject of its own.
  ///
  /// - Parameters:
  ///   - host: The subject. If its animations took time, with the replay's ``animator``.
  ///   - name: The subject's name in the entries.
  ///   - child: How a child is written, as for the journal.
  public func attach<Value>(
    _ host: AsyncHost<Value>, name: String,
    child: @escaping (any ChildController) -> String = { "\(type(of: $0))" }
  ) {
    attach(ReplayedHost(host, child), name)
  }
}
