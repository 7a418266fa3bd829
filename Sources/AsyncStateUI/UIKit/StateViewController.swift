#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  /// Displays the view controllers of a state, and exchanges them in UIKit's documented order.
  ///
  /// ```swift
  /// let screen = StateViewController(initialState: Step.address) { step in
  ///   switch step {
  ///   case .address: [AddressViewController()]
  ///   case .payment: [PaymentViewController()]
  ///   }
  /// }
  /// screen.setNeedsTransition(to: .payment, animated: true)
  /// ```
  ///
  /// A controller that two states have in common stays. The state is kept while the screen is covered. A controller that
  /// another parent takes in the meantime belongs to that parent until a transition lists it here again.
  ///
  /// A subclass may override ``children(for:)`` and the hooks. The delegate of the ``container`` is this controller's own.
  @MainActor
  open class StateViewController<State>: UIViewController, ChildKeeper {
    /// The state, its transitions and their order.
    public let container: StateContainer<State>
    private let stage: ControllerStage<State>

    /// A controller that appears in `initialState`.
    ///
    /// - Parameters:
    ///   - initialState: The first state.
    ///   - animator: Runs the animated transitions.
    ///   - children: The view controllers of a state, from bottom to top. Called once for each transition.
    public init(
      initialState: State, animator: any TransitionAnimator = ViewAnimator(),
      children: @escaping (State) -> [UIViewController] = { _ in [] }
    ) {
      let stage = ControllerStage(animator: animator, children: children)
      self.stage = stage
      container = StateContainer(initialState: initialState, animator: animator) { stage.children(for: $0) }
      super.init(nibName: nil, bundle: nil)
      connect()
    }

    /// A controller around a container that was created with the children of `stage`.
    init(stage: ControllerStage<State>, container: StateContainer<State>) {
      self.stage = stage
      self.container = container
      super.init(nibName: nil, bundle: nil)
      connect()
    }

    private func connect() {
      stage.owner = self
      stage.parent = self
      container.delegate = stage
    }

    /// Not available: a state cannot be read from a storyboard.
    @available(*, unavailable, message: "Make the controller in code: the closures cannot be archived.")
    public required init?(coder: NSCoder) {
      fatalError("AsyncStateUI: StateViewController has no archived form. Make it in code, with its initial state.")
    }

    // MARK: Transitions

    /// Requests a transition to `state`: now, or after the current one. Of several requests that wait, the last one wins.
    ///
    /// A request made in a callback of another container's children is carried out when that container's step is over:
    /// its views must not be removed in the middle of it.
    public func setNeedsTransition(to state: State, animated: Bool) {
      ContainerStep.whenFree(for: self) { [weak self] in self?.request(state, animated: animated) }
    }

    private func request(_ state: State, animated: Bool) {
      let isInterrupting = container.isTransitioning
      ContainerStep.run(in: self) { container.setNeedsTransition(to: state, animated: animated) }
      if isInterrupting { stage.animator?.interrupt() }
    }

    /// The view controllers of a state, from bottom to top. The default calls the closure of the initialiser.
    open func children(for state: State) -> [UIViewController] { stage.makeChildren(state) }

    /// A transition begins; the state and the children are still the former ones. The default does nothing.
    open func willTransition(to state: State, animated: Bool) {}

    /// A transition has ended. `former` is nil the first time. The default does nothing.
    open func didTransition(from former: State?, animated: Bool) {}

    /// Places the view of a child that is being added. The default fills this controller's view.
    open func layout(_ child: UIViewController) {
      child.view.frame = view.bounds
      child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    }

    // MARK: Life cycle

    /// False: the container notifies its children.
    public final override var shouldAutomaticallyForwardAppearanceMethods: Bool { false }

    open override func viewDidLoad() {
      super.viewDidLoad()
      arrange()
    }

    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      ContainerStep.run(in: self) { container.willAppear(animated: animated) }
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      ContainerStep.run(in: self) { container.didAppear(animated: animated) }
    }

    open override func viewWillDisappear(_ animated: Bool) {
      super.viewWillDisappear(animated)
      ContainerStep.run(in: self) { container.willDisappear(animated: animated) }
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      ContainerStep.run(in: self) { container.didDisappear(animated: animated) }
    }

    // MARK: The surface

    /// The topmost child that stays: it decides what a single child decides.
    public var topChild: UIViewController? { stage.members(of: container.children).last { !$0.isLeaving }?.controller }

    /// Makes the subviews the views of the children, in their order, below all other subviews.
    func arrange() {
      // No view of a child is loaded before the view that it belongs into.
      guard isViewLoaded else { return }
      let members = stage.members(of: container.children)
      for child in stage.takeLost(from: members) { child.removeView(from: view) }
      for (index, child) in members.enumerated() {
        guard let childView = child.controller.view, view.subviews.firstIndex(of: childView) != index else { continue }
        let isNew = childView.superview !== view
        view.insertSubview(childView, at: index)
        guard isNew else { continue }
        layout(child.controller)
        UIView.performWithoutAnimation { childView.layoutIfNeeded() }
      }
      #if !os(tvOS) && !os(visionOS)
        setNeedsStatusBarAppearanceUpdate()
        setNeedsUpdateOfHomeIndicatorAutoHidden()
        setNeedsUpdateOfScreenEdgesDeferringSystemGestures()
      #endif
    }

    /// Removes a child at once, in the documented order, so that another parent can take it.
    ///
    /// Another `StateViewController` that lists the child takes it by itself; call this before any other parent's
    /// `addChild(_:)`. The state does not change. A later transition that lists the child takes it back.
    public func giveUp(_ child: UIViewController) {
      ContainerStep.run(in: nil) { stage.member(for: child)?.giveUp() }
    }

    #if !os(tvOS)
      #if !os(visionOS)
        open override var childForStatusBarStyle: UIViewController? { topChild }
        open override var childForStatusBarHidden: UIViewController? { topChild }
      #endif
      open override var childForHomeIndicatorAutoHidden: UIViewController? { topChild }
      open override var childForScreenEdgesDeferringSystemGestures: UIViewController? { topChild }
    #endif

    open override func contentScrollView(for edge: NSDirectionalRectEdge) -> UIScrollView? {
      topChild?.contentScrollView(for: edge) ?? super.contentScrollView(for: edge)
    }
  }

  /// What is between a container and the controller that displays it: the container's delegate, and its children.
  @MainActor
  final class ControllerStage<State>: ChildRegister, @MainActor StateContainerDelegate {
    weak var owner: StateViewController<State>?
    let makeChildren: (State) -> [UIViewController]

    let animator: ViewAnimator?

    init(animator: any TransitionAnimator, children: @escaping (State) -> [UIViewController]) {
      makeChildren = children
      self.animator = animator as? ViewAnimator
      super.init(fade: self.animator?.duration)
    }

    func children(for state: State) -> [any ChildController] {
      (owner?.children(for: state) ?? []).map { member(for: $0) ?? ControllerChild($0, in: self) }
    }

    func container(_ container: StateContainer<State>, willTransitionTo state: State, animated: Bool) {
      owner?.willTransition(to: state, animated: animated)
    }

    func container(_ container: StateContainer<State>, didTransitionFrom former: State?, animated: Bool) {
      owner?.didTransition(from: former, animated: animated)
    }

    func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) {
      owner?.arrange()
    }
  }
#endif
