// SPDX-License-Identifier: MIT
import AsyncState

/// What a container has called, checked for the laws that hold for every sequence.
///
/// Not a `Recorder`: it checks each call when it is made, and lets the test act in any of them.
final class ContainerTrace {
  typealias Callback = AllTests.ContainerReentryTests.Callback

  let reentry: Reentry<Callback>
  /// Laws that have been broken.
  private(set) var broken: [String] = []
  private(set) var lastRequested: [String] = []
  private(set) var lastArranged: [String] = []
  var hasDelegate = true
  var isDropped = false

  private var marks: [String] = []
  private var isInTransition = false
  /// Where each child is on its walk, and whether it is attached.
  private var walks: [String: String] = [:]
  private var attachments: [String: String] = [:]

  init(_ reentry: Reentry<Callback>) {
    self.reentry = reentry
  }

  var text: String { "\(broken) in \(marks.joined(separator: " "))" }

  /// How often children have been requested.
  private(set) var requests = 0

  func requested(_ children: [ContainerTraceChild]) {
    requests += 1
    lastRequested = children.map(\.name)
    marks.append("K(\(lastRequested.joined(separator: ",")))")
  }

  func arranged(_ names: [String]) {
    mark("A(\(names.joined(separator: ",")))")
    if names == lastArranged, !names.isEmpty || marks.count == 1 { break_("5.6: arranged twice as \(names)") }
    lastArranged = names
  }

  func mark(_ mark: String) {
    marks.append(mark)
  }

  func break_(_ law: String) {
    broken.append(law)
  }

  func transition(begins: Bool) {
    mark(begins ? "W" : "D")
    if isInTransition == begins { break_("5.16: \(begins ? "W" : "D") twice") }
    isInTransition = begins
  }

  /// The edges of 5.16.
  private static let edges: [String: (from: [String], to: String)] = [
    "willAppear": (["gone", "disappearing"], "appearing"), "didAppear": (["appearing"], "visible"),
    "willDisappear": (["visible"], "disappearing"), "didDisappear": (["disappearing"], "gone"),
  ]
  private static let attachmentEdges: [String: (from: String, to: String)] = [
    "willAttach": ("detached", "attaching"), "didAttach": ("attaching", "attached"),
    "willDetach": ("attached", "detaching"), "didDetach": ("detaching", "detached"),
  ]

  func child(_ name: String, _ call: String) {
    let before = marks.last
    mark("\(name).\(call)")
    if let edge = Self.edges[call] {
      let walk = walks[name] ?? "gone"
      if !edge.from.contains(walk) { break_("5.16: \(name) \(call) while \(walk)") }
      walks[name] = edge.to
      // 5.1: "will" of the container is before the child's own.
      if call.hasPrefix("will"), hasDelegate, before != "c\(call) \(name)" {
        break_("5.1: \(name).\(call) after \(before ?? "")")
      }
      if call == "didDisappear" || call == "didDetach", attachments[name] == "detaching", lastArranged.contains(name),
        hasDelegate
      {
        break_("5.1: \(name) \(call) on the surface")
      }
    }
    if let edge = Self.attachmentEdges[call] {
      let attachment = attachments[name] ?? "detached"
      if attachment != edge.from { break_("5.16: \(name) \(call) while \(attachment)") }
      attachments[name] = edge.to
    }
  }

  func delegate(_ call: String, _ name: String) {
    let before = marks.last
    mark("c\(call) \(name)")
    // 5.1: "did" of the container is after the child's own.
    if call.hasPrefix("did"), before != "\(name).\(call)" { break_("5.1: c\(call) \(name) after \(before ?? "")") }
  }

  /// At rest nothing is half done.
  func brokenAtRest(isVisible: Bool, _ names: [String]) -> [String] {
    var broken: [String] = []
    if hasDelegate, isInTransition { broken.append("5.16: a W without its D") }
    for (name, walk) in walks {
      let wanted = isVisible && names.contains(name) ? "visible" : "gone"
      if walk != wanted { broken.append("5.16: at rest \(name) is \(walk)") }
    }
    for (name, attachment) in attachments {
      let wanted = names.contains(name) ? "attached" : "detached"
      if attachment != wanted { broken.append("5.16: at rest \(name) is \(attachment)") }
    }
    return broken
  }
}

final class ContainerTraceChild: TransitioningController {
  let name: String
  private let trace: ContainerTrace
  private let farewell: Farewell

  init(_ name: String, _ trace: ContainerTrace) {
    self.name = name
    self.trace = trace
    farewell = Farewell { [reentry = trace.reentry] in reentry.reached(.releaseOfAChild) }
  }

  private func called(_ call: String, _ callback: ContainerTrace.Callback) {
    trace.child(name, call)
    trace.reentry.reached(callback)
  }

  func willAttach() { called("willAttach", .willAttach) }
  func didAttach() { called("didAttach", .didAttach) }
  func willDetach() { called("willDetach", .willDetach) }
  func didDetach() { called("didDetach", .didDetach) }
  func willAppear(animated: Bool) { called("willAppear", .willAppear) }
  func didAppear(animated: Bool) { called("didAppear", .didAppear) }
  func willDisappear(animated: Bool) { called("willDisappear", .willDisappear) }
  func didDisappear(animated: Bool) { called("didDisappear", .didDisappear) }
  func transitionWillBegin(isAppearing: Bool) { called("willBegin", .willBegin) }
  func animateTransition(isAppearing: Bool) { called("animate", .animate) }
  func transitionDidEnd(isAppearing: Bool) { called("didEnd", .didEnd) }

  func transitionDuration(isAppearing: Bool) -> Duration {
    trace.reentry.reached(.duration)
    return .seconds(1)
  }

  func transitionDelay(isAppearing: Bool) -> Duration {
    trace.reentry.reached(.delay)
    return .zero
  }
}

final class ContainerTraceDelegate<State>: StateContainerDelegate {
  private let trace: ContainerTrace

  init(_ trace: ContainerTrace) {
    self.trace = trace
  }

  private func called(_ call: String, _ child: any ChildController, _ callback: ContainerTrace.Callback) {
    trace.delegate(call, (child as? ContainerTraceChild)?.name ?? "?")
    trace.reentry.reached(callback)
  }

  func container(_ container: StateContainer<State>, willTransitionTo nextState: State, animated: Bool) {
    trace.transition(begins: true)
    trace.reentry.reached(.willTransition)
  }

  func container(_ container: StateContainer<State>, didTransitionFrom previousState: State?, animated: Bool) {
    trace.transition(begins: false)
    trace.reentry.reached(.didTransition)
  }

  func container(_ container: StateContainer<State>, childWillAppear child: any ChildController, animated: Bool) {
    called("willAppear", child, .childWillAppear)
  }

  func container(_ container: StateContainer<State>, childDidAppear child: any ChildController, animated: Bool) {
    called("didAppear", child, .childDidAppear)
  }

  func container(_ container: StateContainer<State>, childWillDisappear child: any ChildController, animated: Bool) {
    called("willDisappear", child, .childWillDisappear)
  }

  func container(_ container: StateContainer<State>, childDidDisappear child: any ChildController, animated: Bool) {
    called("didDisappear", child, .childDidDisappear)
  }

  func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) {
    trace.arranged(children.map { ($0 as? ContainerTraceChild)?.name ?? "?" })
    trace.reentry.reached(.didArrange)
  }
}
