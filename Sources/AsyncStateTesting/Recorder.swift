// SPDX-License-Identifier: MIT
public import AsyncState

/// Records what happens, in order, as marks that a test compares.
///
/// ```swift
/// let recorder = Recorder()
/// let container = StateContainer(initialState: 1, children: recorder.children { [recorder.child("page \($0)")] })
/// recorder.record(container)
/// container.willAppear(animated: false)
/// container.didAppear(animated: false)
/// let expected = "W(1,f) K(1) page1+ cwa page1 page1.wa A(page1) page1.da cda page1 page1+! D(nil,f)"
/// #expect(recorder.difference(from: expected) == nil)
/// ```
///
/// | mark | meaning |
/// |---|---|
/// | `W(s,a)` `D(p,a)` | the container's delegate: will transition to `s`, did transition from `p`; `a` is t or f, for animated |
/// | `K(s)` | the children of `s` are requested |
/// | `x+` `x+!` `x-` `x-!` | the child `x`: willAttach, didAttach, willDetach, didDetach |
/// | `x.wa` `x.da` `x.wd` `x.dd` | the child `x`: willAppear, didAppear, willDisappear, didDisappear |
/// | `cwa x` `cda x` `cwd x` `cdd x` | the container's delegate: childWillAppear and so on |
/// | `A(x,y)` | the container's delegate: the surface, bottom to top |
///
/// A recorder belongs to the actor that its subjects belong to.
public final class Recorder {
  /// All marks since the beginning or since they were taken last.
  public private(set) var marks: [String] = []

  private var children: [String: RecordedChild] = [:]
  /// The actions in the callbacks that make a mark.
  private var reactions: [String: [() -> Void]] = [:]
  // What observes the subjects lives as long as the recorder.
  private var observations: [Any] = []

  /// A recorder without marks.
  public init() {}

  /// Adds a mark of the test's own.
  public func note(_ mark: String) {
    marks.append(mark)
    guard var waiting = reactions[mark], !waiting.isEmpty else { return }
    let reaction = waiting.removeFirst()
    reactions[mark] = waiting
    reaction()
  }

  /// Calls `body` inside the next callback that makes this mark. Several for one mark take turns.
  public func once(_ mark: String, _ body: @escaping () -> Void) {
    reactions[mark, default: []].append(body)
  }

  /// Takes all marks out, separated by spaces.
  public func take() -> String {
    defer { marks = [] }
    return marks.joined(separator: " ")
  }

  /// Takes all marks out and compares them with a trace, whose marks are separated by spaces or line breaks.
  ///
  /// - Returns: The first difference in words and with its surroundings; nil if there is none.
  public func difference(from expected: String) -> String? {
    // A mark of the delegate's has a space in it, so both are split in the same way.
    let recorded = take().split(whereSeparator: \.isWhitespace).map(String.init)
    let expected = expected.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let difference = TraceDifference(expected: expected, recorded: recorded) else { return nil }
    let text = difference.text(names: ("expected: ", "recorded: "), context: 6, separator: " ") {
      ">>\($0 ?? "end")<<"
    }
    return """
      The traces differ after \(difference.place) words.
      Expected is \(RecordedMark.sentence(in: expected, at: difference.place, others: recorded, "recorded")).
      Recorded is \(RecordedMark.sentence(in: recorded, at: difference.place, others: expected, "expected")).
      \(text)
      """
  }
}

// MARK: - Containers and hosts

extension Recorder {
  /// Which callbacks of a container's delegate are recorded.
  package struct Callbacks: OptionSet, Sendable {
    /// `W` and `D`.
    package static let transitions = Callbacks(rawValue: 1)
    /// `cwa x`, `cda x`, `cwd x` and `cdd x`.
    package static let children = Callbacks(rawValue: 2)
    /// `A`.
    package static let surface = Callbacks(rawValue: 4)
    /// All of them.
    package static let all: Callbacks = [.transitions, .children, .surface]

    /// The bits.
    package let rawValue: Int

    /// Callbacks from their bits.
    package init(rawValue: Int) {
      self.rawValue = rawValue
    }
  }

  /// Becomes the delegate of `container`, and records what the delegate is notified of.
  ///
  /// - Parameters:
  ///   - container: Whose delegate the recorder becomes.
  ///   - name: How a state is written; as its description unless it is given.
  public func record<State>(
    _ container: StateContainer<State>, state name: @escaping (State) -> String = { "\($0)" }
  ) {
    record(container, .all, state: name)
  }

  /// Records some of the callbacks only.
  package func record<State>(
    _ container: StateContainer<State>, _ callbacks: Callbacks,
    state name: @escaping (State) -> String = { "\($0)" }
  ) {
    let delegate = RecordingDelegate(self, callbacks, name)
    container.delegate = delegate
    observations.append(delegate)
  }

  /// Records each request for children.
  ///
  /// - Parameters:
  ///   - name: How a state is written; as its description unless it is given.
  ///   - children: The children of a state.
  public func children<State>(
    state name: @escaping (State) -> String = { "\($0)" }, _ children: @escaping (State) -> [any ChildController]
  ) -> (State) -> [any ChildController] {
    { [self] state in
      note("K(\(name(state)))")
      return children(state)
    }
  }

  /// A child that records its callbacks, the same one each time for the same name.
  ///
  /// - Parameters:
  ///   - name: The name in the marks. Spaces are left out.
  ///   - wrapped: A child that is called, too, after the mark.
  public func child(_ name: String, wrapping wrapped: (any ChildController)? = nil) -> any ChildController {
    if let child = children[name] { return child }
    let child = RecordedChild(name.filter { !$0.isWhitespace }, wrapped, self)
    children[name] = child
    return child
  }
}

/// A child controller that records its callbacks. A subclass may do more, as for an animation.
package class RecordedChild: ChildController {
  /// The name in the marks.
  package final let name: String
  /// The child that is called, too, after the mark.
  package final let wrapped: (any ChildController)?
  // Weak: the recorder keeps the children that it has made.
  private final weak var recorder: Recorder?

  /// A child that ``Recorder/child(_:wrapping:)`` does not return.
  package init(_ name: String, recorder: Recorder) {
    self.name = name.filter { !$0.isWhitespace }
    wrapped = nil
    self.recorder = recorder
  }

  fileprivate init(_ name: String, _ wrapped: (any ChildController)?, _ recorder: Recorder) {
    self.name = name
    self.wrapped = wrapped
    self.recorder = recorder
  }

  private func note(_ mark: String) { recorder?.note(name + mark) }

  /// Writes `x+`.
  package func willAttach() {
    note("+")
    wrapped?.willAttach()
  }
  /// Writes `x+!`.
  package func didAttach() {
    note("+!")
    wrapped?.didAttach()
  }
  /// Writes `x-`.
  package func willDetach() {
    note("-")
    wrapped?.willDetach()
  }
  /// Writes `x-!`.
  package func didDetach() {
    note("-!")
    wrapped?.didDetach()
  }
  /// Writes `x.wa`.
  package func willAppear(animated: Bool) {
    note(".wa")
    wrapped?.willAppear(animated: animated)
  }
  /// Writes `x.da`.
  package func didAppear(animated: Bool) {
    note(".da")
    wrapped?.didAppear(animated: animated)
  }
  /// Writes `x.wd`.
  package func willDisappear(animated: Bool) {
    note(".wd")
    wrapped?.willDisappear(animated: animated)
  }
  /// Writes `x.dd`.
  package func didDisappear(animated: Bool) {
    note(".dd")
    wrapped?.didDisappear(animated: animated)
  }
}

private final class RecordingDelegate<State>: StateContainerDelegate {
  private weak var recorder: Recorder?
  private let callbacks: Recorder.Callbacks
  private let name: (State) -> String

  init(_ recorder: Recorder, _ callbacks: Recorder.Callbacks, _ name: @escaping (State) -> String) {
    self.recorder = recorder
    self.callbacks = callbacks
    self.name = name
  }

  private func note(_ callback: Recorder.Callbacks, _ mark: @autoclosure () -> String) {
    if callbacks.contains(callback) { recorder?.note(mark()) }
  }

  func container(_ container: StateContainer<State>, willTransitionTo nextState: State, animated: Bool) {
    note(.transitions, "W(\(name(nextState)),\(animated ? "t" : "f"))")
  }
  func container(_ container: StateContainer<State>, didTransitionFrom previousState: State?, animated: Bool) {
    note(.transitions, "D(\(previousState.map(name) ?? "nil"),\(animated ? "t" : "f"))")
  }
  func container(_ container: StateContainer<State>, childWillAppear child: any ChildController, animated: Bool) {
    note(.children, "cwa \(text(child))")
  }
  func container(_ container: StateContainer<State>, childDidAppear child: any ChildController, animated: Bool) {
    note(.children, "cda \(text(child))")
  }
  func container(_ container: StateContainer<State>, childWillDisappear child: any ChildController, animated: Bool) {
    note(.children, "cwd \(text(child))")
  }
  func container(_ container: StateContainer<State>, childDidDisappear child: any ChildController, animated: Bool) {
    note(.children, "cdd \(text(child))")
  }
  func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) {
    note(.surface, "A(\(children.map(text).joined(separator: ",")))")
  }

  /// A child of the user's own is written as its type.
  private func text(_ child: any ChildController) -> String {
    (child as? RecordedChild)?.name ?? "\(type(of: child))"
  }
}

extension Recorder: CustomStringConvertible {
  /// The marks.
  public var description: String { "Recorder: \(marks.isEmpty ? "no marks" : marks.joined(separator: " "))" }
}

extension RecordedChild: CustomStringConvertible {
  /// The type and the name.
  package var description: String { "\(Self.self): \(name)" }
}
