// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import Toolkit

/// A screen with containers three deep in a window, in UIKit in a navigation stack, and everything that can happen to it.
@MainActor
final class World {
  enum Command {
    case request(level: Int, state: Int, animated: Bool)
    /// Requested inside the callback that is so many callbacks later.
    case inside(after: Int, level: Int, state: Int, animated: Bool)
    case endAnimation(Int)
    case turn
    /// In AppKit: the window leaves the screen, or is back.
    case orderOut(Bool)
    // In UIKit.
    case push(animated: Bool)
    case pop(animated: Bool)
    case swipeBack
    case finishTransition
    case cancelTransition
    case present(covers: Bool, animated: Bool)
    case dismiss(animated: Bool)
    case handOver(politely: Bool)
    case memoryWarning

    static func random(using generator: inout Generator) -> Command {
      let flag = Bool.random(using: &generator)
      let level = Int.random(in: 0...2, using: &generator)
      let state = Int.random(in: 0..<32, using: &generator)
      let kind = Int.random(in: 0..<24, using: &generator)
      #if !canImport(UIKit)
        if kind > 12 { return kind > 18 ? .endAnimation(state) : .orderOut(flag) }
      #endif
      return switch kind {
      case 0...6: .request(level: level, state: state, animated: flag)
      case 7...8: .inside(after: state / 2, level: level, state: level * 7, animated: flag)
      case 9...11: .endAnimation(state)
      case 12: .turn
      case 13: .push(animated: flag)
      case 14: .pop(animated: flag)
      case 15: .swipeBack
      case 16...17: .finishTransition
      case 18...19: .cancelTransition
      case 20: .present(covers: flag, animated: level > 0)
      case 21: .dismiss(animated: flag)
      case 22: .handOver(politely: flag)
      default: .memoryWarning
      }
    }
  }

  final class MovingLeaf: Leaf, @MainActor AnimatedTransitioning {
    var begun = 0
    func transitionDelay(isAppearing: Bool) -> Duration { isAppearing ? .milliseconds(10) : .zero }
    func transitionWillBegin(isAppearing: Bool) { begun += 1 }
    func animateTransition(isAppearing: Bool) { view.frame.origin.x = isAppearing ? 0 : 100 }
    func transitionDidEnd(isAppearing: Bool) { begun -= 1 }
  }

  let window = makeWindow()
  let shared = Leaf("shared")
  #if canImport(UIKit)
    let panel = Leaf("panel")
    let navigation = UINavigationController(rootViewController: Leaf("base"))
  #endif
  var leaves: [Leaf] = []
  var screens: [StateViewController<Int>] = []
  var violations: [String] = []
  private var waiting: [(after: Int, level: Int, state: Int, animated: Bool)] = []
  private var callbacks = 0
  private var isQuiet = false
  /// What has happened, for the report of a failure; nil: it is not read.
  var log: [String]?

  init(isLogging: Bool = false) {
    log = isLogging ? [] : nil
    StandIn.onViolation = { [weak self] in self?.violations.append($0) }
    var inner: ViewController?
    for level in [2, 1, 0] {
      let own: [Leaf] = [Leaf("\(level)a"), MovingLeaf("\(level)b"), Leaf("\(level)c")]
      leaves += own
      let parts: [ViewController] = own + (inner.map { [$0] } ?? []) + [shared]
      #if canImport(UIKit)
        let animator = ViewAnimator(isInterruptible: level == 1)
      #else
        let animator = ViewAnimator()
      #endif
      let screen = StateViewController(initialState: 1 + 8 * level, animator: animator) { state in
        World.children(parts, of: state)
      }
      screens.insert(screen, at: 0)
      inner = screen
    }
    leaves.append(shared)
    for leaf in leaves {
      leaf.onCall = { [weak self, weak leaf] call in
        self?.log?.append("\(leaf?.name ?? "").\(call)")
        // Inside addChild the controller has no parent yet; what takes it then, it belongs to twice, in UIKit, too. And in
        // AppKit no other container may take a child off its window inside its own viewWillDisappear.
        var isFree = call != "x+" && call != "load"
        #if !canImport(UIKit)
          if leaf === self?.shared { isFree = false }
        #endif
        if isFree { self?.callback() }
      }
    }
    #if canImport(UIKit)
      window.root = navigation
    #else
      window.root = screens[0]
    #endif
  }

  /// The bits of a state say which parts it has; an odd one has them in another order.
  static func children(_ parts: [ViewController], of state: Int) -> [ViewController] {
    let listed = parts.enumerated().filter { state & (1 << $0.offset) != 0 }.map(\.element)
    return state % 3 == 0 ? listed.reversed() : listed
  }

  private func callback() {
    callbacks += 1
    guard !isQuiet, let index = waiting.firstIndex(where: { $0.after <= callbacks }) else { return }
    let next = waiting.remove(at: index)
    screens[next.level].setNeedsTransition(to: next.state, animated: next.animated)
  }

  func carryOut(_ command: Command) {
    switch command {
    case .request(let level, let state, let animated):
      screens[level].setNeedsTransition(to: state, animated: animated)
    case .inside(let after, let level, let state, let animated):
      waiting.append((callbacks + after, level, state, animated))
    #if canImport(UIKit)
      case .endAnimation(let number):
        guard StandIn.isAnimating else { return }
        UIView.pendingAnimations[number % UIView.pendingAnimations.count].end()
      case .turn:
        StandIn.nextTurn()
      case .memoryWarning:
        StandIn.sendMemoryWarning()
      case .push(let animated):
        guard isFree, navigation.viewControllers.count == 1 else { return }
        navigation.pushViewController(screens[0], animated: animated)
      case .pop(let animated):
        guard isFree else { return }
        navigation.popViewController(animated: animated)
      case .swipeBack:
        guard isFree, navigation.presentedViewController == nil else { return }
        navigation.beginInteractivePop()
      case .finishTransition:
        StandIn.transition?.finish()
      case .cancelTransition:
        if StandIn.transition?.canCancel == true { StandIn.transition?.cancel() }
      case .present(let covers, let animated):
        guard isFree, navigation.presentedViewController == nil else { return }
        panel.modalPresentationStyle = covers ? .fullScreen : .pageSheet
        navigation.present(panel, animated: animated)
      case .dismiss(let animated):
        guard isFree else { return }
        navigation.dismiss(animated: animated)
      case .handOver(let politely):
        handOver(politely: politely)
      case .orderOut: break
    #else
      case .endAnimation: StandIn.endAnimation()
      case .orderOut(let isOut): window.isOrderedOut = isOut
      default: break
    #endif
    }
  }

  #if canImport(UIKit)
    private var isFree: Bool { StandIn.transition == nil }

    /// The panel takes the shared child, if it is visible.
    private func handOver(politely: Bool) {
      guard isFree, navigation.presentedViewController === panel, shared.parent !== panel, let former = shared.parent
      else { return }
      if politely {
        (former as? StateViewController<Int>)?.giveUp(shared)
        guard shared.parent == nil else { return }
      } else {
        // Without a word. In the middle of an animation that is not for the stand-in to judge.
        guard shared.view.window != nil, screens.allSatisfy({ !$0.container.isTransitioning }) else { return }
        shared.view.removeFromSuperview()
      }
      isQuiet = true
      defer { isQuiet = false }
      panel.addChild(shared)
      panel.view.addSubview(shared.view)
      shared.didMove(toParent: panel)
    }
  #endif

  /// What is not as it should be at rest.
  func findings() -> [String] {
    var findings = violations + StandIn.audit()
    for screen in screens {
      if screen.container.isTransitioning { findings.append("\(screen) is in a transition") }
      let members = screen.children
      let listed = screen.children(for: screen.container.currentState).filter { $0.parent === screen }
      if Set(members.map(ObjectIdentifier.init)) != Set(listed.map(ObjectIdentifier.init)) {
        findings.append("The children of \(screen) are not those of its state")
      }
      if screen.isViewLoaded, screen.view.subviews != listed.map({ $0.view }) {
        findings.append("The surface of \(screen) is not in the order of its state")
      }
      #if canImport(UIKit)
        if screen.topChild !== listed.last { findings.append("\(screen) has another child at the top") }
      #endif
    }
    for leaf in leaves {
      let loads = leaf.calls.count { $0 == "load" }
      if loads > 1 { findings.append("\(leaf) loaded its view \(loads) times") }
      #if !canImport(UIKit)
        // Each in turn, from the first.
        let turns = ["wa", "da", "wd", "dd"]
        let calls = leaf.appearances
        if calls != calls.indices.map({ turns[$0 % 4] }) { findings.append("\(leaf): \(calls)") }
      #endif
    }
    for case let leaf as MovingLeaf in leaves where leaf.begun != 0 {
      findings.append("\(leaf) was not notified of the end of its animation")
    }
    if StandIn.isAnimating { findings.append("Animations run at rest") }
    return findings
  }

  /// Ends everything that is under way.
  func settle() {
    #if !canImport(UIKit)
      window.isOrderedOut = false
    #endif
    StandIn.settle()
  }

  /// Closes the window, and what is left then.
  func close() -> [String] {
    #if canImport(UIKit)
      navigation.dismiss(animated: false)
    #endif
    window.root = nil
    StandIn.settle()
    return findings()
  }
}
