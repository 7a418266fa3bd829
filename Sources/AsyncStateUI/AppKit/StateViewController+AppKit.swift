#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  public import AsyncState

  /// Displays the view controllers of a state, and exchanges them in AppKit's order.
  ///
  /// A controller that two states have in common stays. In AppKit appearance follows the view: a child that is removed
  /// with an animation is notified of `viewWillDisappear()` when the animation is over. For a loading indicator and
  /// messages, put SwiftUI's `AsyncView` into a hosting controller.
  @MainActor
  open class StateViewController<State>: NSViewController {
    /// The state, its transitions and their order. Its delegate is this controller's own.
    public let container: StateContainer<State>
    private let stage: ControllerStage<State>

    /// A controller that appears in `initialState`.
    ///
    /// - Parameters:
    ///   - initialState: The first state.
    ///   - animator: Runs the animated transitions.
    ///   - children: The view controllers of a state, from bottom to top. Called once for each transition.
    public init(
      initialState: State, animator: any TransitionAnimator = ImmediateAnimator(),
      children: @escaping (State) -> [NSViewController]
    ) {
      let stage = ControllerStage(children: children)
      self.stage = stage
      container = StateContainer(initialState: initialState, animator: animator) { stage.children(for: $0) }
      super.init(nibName: nil, bundle: nil)
      stage.owner = self
      container.delegate = stage
    }

    /// Not available: a state cannot be read from a storyboard.
    @available(*, unavailable, message: "Make the controller in code: the closures cannot be archived.")
    public required init?(coder: NSCoder) {
      fatalError("AsyncStateUI: StateViewController has no archived form. Make it in code, with its initial state.")
    }

    /// Requests a transition to `state`: now, or after the current one. Of several requests that wait, the last one wins.
    public func setNeedsTransition(to state: State, animated: Bool) {
      container.setNeedsTransition(to: state, animated: animated)
    }

    /// A transition begins; the state and the children are still the former ones. The default does nothing.
    open func willTransition(to state: State, animated: Bool) {}

    /// A transition has ended. `former` is nil the first time. The default does nothing.
    open func didTransition(from former: State?, animated: Bool) {}

    /// Places the view of a child that is being added. The default fills this controller's view.
    open func layout(_ child: NSViewController) {
      child.view.frame = view.bounds
      child.view.autoresizingMask = [.width, .height]
    }

    open override func loadView() { view = NSView() }

    open override func viewDidLoad() {
      super.viewDidLoad()
      arrange()
    }

    open override func viewWillAppear() {
      super.viewWillAppear()
      container.willAppear(animated: false)
    }

    open override func viewDidAppear() {
      super.viewDidAppear()
      container.didAppear(animated: false)
    }

    open override func viewWillDisappear() {
      super.viewWillDisappear()
      container.willDisappear(animated: false)
    }

    open override func viewDidDisappear() {
      super.viewDidDisappear()
      container.didDisappear(animated: false)
    }

    /// Makes the subviews the views of the children, in their order, below all other subviews.
    func arrange() {
      // No view of a child is loaded before the view that it belongs into.
      guard isViewLoaded else { return }
      let members = container.children.compactMap { $0 as? ControllerChild }.filter(\.isMember)
      for child in stage.takeLost(from: members) where child.controller.viewIfLoaded?.superview === view {
        child.controller.view.removeFromSuperview()
      }
      var below: NSView?
      for child in members {
        let childView = child.controller.view
        let isNew = childView.superview !== view
        if isNew { layout(child.controller) }
        let index = view.subviews.firstIndex(of: childView)
        if index == nil || index != below.map({ (view.subviews.firstIndex(of: $0) ?? -1) + 1 }) ?? 0 {
          view.addSubview(childView, positioned: below == nil ? .below : .above, relativeTo: below)
        }
        below = childView
      }
    }
  }

  /// What is between a container and the controller that displays it.
  @MainActor
  final class ControllerStage<State>: @MainActor StateContainerDelegate {
    weak var owner: StateViewController<State>?
    private let makeChildren: (State) -> [NSViewController]
    private var displayed: [ControllerChild] = []

    init(children: @escaping (State) -> [NSViewController]) { makeChildren = children }

    func children(for state: State) -> [any ChildController] {
      let current = (owner?.container.children ?? []).compactMap { $0 as? ControllerChild }.filter(\.isMember)
      return makeChildren(state).map { controller in
        current.first { $0.controller === controller } ?? ControllerChild(controller, in: owner)
      }
    }

    func takeLost(from members: [ControllerChild]) -> [ControllerChild] {
      let former = displayed
      displayed = members
      return former.filter { child in !members.contains { $0 === child } }
    }

    func container(_ container: StateContainer<State>, willTransitionTo state: State, animated: Bool) {
      owner?.willTransition(to: state, animated: animated)
    }

    func container(_ container: StateContainer<State>, didTransitionFrom former: State?, animated: Bool) {
      owner?.didTransition(from: former, animated: animated)
    }

    func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) { owner?.arrange() }
  }

  /// A view controller as a child of a container. It is touched only while it belongs to the container's controller.
  @MainActor
  final class ControllerChild: @MainActor TransitioningController {
    let controller: NSViewController
    private weak var parent: NSViewController?
    private var isAttached = false
    private var isAnimated = false

    init(_ controller: NSViewController, in parent: NSViewController?) {
      self.controller = controller
      self.parent = parent
    }

    var isMember: Bool { isAttached && parent != nil && controller.parent === parent }

    func willAttach() {
      if controller.parent != nil { controller.viewIfLoaded?.removeFromSuperview() }
      parent?.addChild(controller)
      isAttached = true
    }

    func didDetach() {
      if isMember { controller.removeFromParent() }
      isAttached = false
    }

    func transitionWillBegin(isAppearing: Bool) {
      isAnimated = isMember
      if isAnimated, isAppearing { controller.view.alphaValue = 0 }
    }

    func animateTransition(isAppearing: Bool) {
      if isAnimated { controller.view.animator().alphaValue = isAppearing ? 1 : 0 }
    }

    func transitionDidEnd(isAppearing: Bool) {
      if isAnimated { controller.view.alphaValue = 1 }
      isAnimated = false
    }
  }
#endif
