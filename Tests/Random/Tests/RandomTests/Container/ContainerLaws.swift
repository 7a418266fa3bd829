// SPDX-License-Identifier: MIT
@testable import AsyncState

/// The rules for every container at any time, whatever is requested: law 5.16, without any model of a container.
struct ContainerLaws {
  private enum Attachment { case detached, attaching, attached, detaching }

  private struct Child {
    var appearance = Appearance.gone
    var attachment = Attachment.detached
  }

  /// False if its delegate was released: then nothing is known of the calls to that.
  var hasDelegate = true
  private var children: [Int: Child] = [:]
  /// The transition that has begun and not ended.
  private var open: (state: Int, animated: Bool)?
  private var state: Int?
  private var lastCast: [Int] = []
  private var surface: [Int] = []

  /// - Parameter cast: The children of each state.
  /// - Returns: What does not hold.
  mutating func hear(_ marks: [ContainerMark], cast: (Int) -> [Int]) -> String? {
    // Where animations move depends on the animator, and may be inside any other callback.
    let received = marks.filter { if case .animation = $0 { false } else { true } }
    for (index, mark) in received.enumerated() {
      if let broken = hear(mark, cast: cast) { return "5.16 \(broken) at \(mark)" }
      let next = received.indices.contains(index + 1) ? received[index + 1] : nil
      if let follower = follower(of: mark), follower != next { return "5.1 \(mark) is not followed by \(follower)" }
    }
    return nil
  }

  /// What follows at once: the child's own "will" after the container's, the container's "did" after the child's.
  private func follower(of mark: ContainerMark) -> ContainerMark? {
    guard hasDelegate else { return nil }
    return switch mark {
    case .delegateAppear(let call, let child, let animated) where call == .willAppear || call == .willDisappear:
      .appear(call, child, animated)
    case .appear(let call, let child, let animated) where call == .didAppear || call == .didDisappear:
      .delegateAppear(call, child, animated)
    default: nil
    }
  }

  private mutating func hear(_ mark: ContainerMark, cast: (Int) -> [Int]) -> String? {
    switch mark {
    case .initialState, .delegateAppear, .animation: return nil
    case .arranged(let next):
      defer { surface = next }
      return next == surface ? "5.6 arranged without a change" : nil
    case .will(let next, let animated):
      defer { open = (next, animated) }
      return open == nil ? nil : "a will inside a transition"
    case .children(let state):
      var seen: Set<Int> = []
      lastCast = cast(state).filter { seen.insert($0).inserted }
      return open?.state == state || !hasDelegate ? nil : "children of another state"
    case .did(let left, let animated):
      defer {
        state = open?.state
        open = nil
      }
      return left == state && open?.animated == animated ? nil : "a did that does not fit its will"
    case .attach(let call, let child): return attach(call, child)
    case .appear(let call, let child, _): return appear(call, child)
    }
  }

  private func isOnSurface(_ child: Int) -> Bool { hasDelegate && surface.contains(child) }

  private mutating func attach(_ call: ContainerMark.AttachCall, _ child: Int) -> String? {
    let (from, to): (Attachment, Attachment) =
      switch call {
      case .willAttach: (.detached, .attaching)
      case .didAttach: (.attaching, .attached)
      case .willDetach: (.attached, .detaching)
      case .didDetach: (.detaching, .detached)
      }
    defer { children[child, default: Child()].attachment = to }
    if to == .detached && isOnSurface(child) { return "5.1 detached while on the surface" }
    if to == .detached && children[child, default: Child()].appearance != .gone {
      return "detached while \(children[child, default: Child()].appearance)"
    }
    return children[child, default: Child()].attachment == from
      ? nil : "\(call) while \(children[child, default: Child()].attachment)"
  }

  private mutating func appear(_ call: LifecycleCall, _ child: Int) -> String? {
    let former = children[child, default: Child()].appearance
    let edges: [(LifecycleCall, Appearance, Appearance)] = [
      (.willAppear, .gone, .appearing), (.didAppear, .appearing, .visible), (.willDisappear, .visible, .disappearing),
      (.didDisappear, .disappearing, .gone), (.willAppear, .disappearing, .appearing),
    ]
    guard let edge = edges.first(where: { $0.0 == call && $0.1 == former }) else { return "\(call) while \(former)" }
    children[child, default: Child()].appearance = edge.2
    if call == .didDisappear && children[child, default: Child()].attachment == .detaching && isOnSurface(child) {
      return "5.1 disappeared while on the surface"
    }
    return children[child, default: Child()].attachment == .detached ? "\(call) while detached" : nil
  }

  /// - Returns: What does not hold of a container between two commands.
  func rest(surface: [Int], isTransitioning: Bool, appearance: Appearance) -> String? {
    if hasDelegate, isTransitioning != (open != nil) {
      return "5.16 transitioning is \(isTransitioning), but not by its calls"
    }
    guard !isTransitioning else { return nil }
    if hasDelegate, surface != self.surface { return "5.6 at rest the surface is \(surface), not \(self.surface)" }
    if surface != lastCast { return "5.16 at rest the surface is \(surface), and not \(lastCast)" }
    for (number, child) in children {
      let belongs = surface.contains(number)
      if child.attachment != (belongs ? .attached : .detached) { return "5.16 at rest a child is \(child.attachment)" }
      if child.appearance != (belongs ? appearance : .gone) { return "5.16 at rest a child is \(child.appearance)" }
    }
    return nil
  }
}
