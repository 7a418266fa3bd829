// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  /// Displays the view controllers of a state, and exchanges them in UIKit's documented order.
  ///
  /// ```swift
  /// let checkout = StateViewController(initialState: Step.address) { step in
  ///   switch step {
  ///   case .address: [AddressViewController()]
  ///   case .payment: [PaymentViewController()]
  ///   }
  /// }
  /// checkout.setNeedsTransition(to: .payment, animated: true)
  /// ```
  ///
  /// A controller that two states have in common stays. The state is kept while the screen is covered. A controller that
  /// another parent takes belongs to that parent until a transition lists it here again.
  ///
  /// A navigation or tab controller reads the title, the bar items and the badge of its direct child: they are those of the
  /// topmost child, and follow its changes. What the child leaves out is that of this controller.
  ///
  /// A child that conforms to `AnimatedTransitioning` decides how it is animated; others fade. A child that is a plain
  /// view is listed as `UIViewController.containing(_:)`.
  open class StateViewController<State>: UIViewController, @MainActor StateContainerDelegate, ChildOwner {
    /// The state, its transitions and their order. Its delegate is this controller.
    public private(set) lazy var container = StateContainer(initialState: initialState, animator: animator) {
      [weak self] in self?.children(of: $0) ?? []
    }
    private let initialState: State
    private let animator: any TransitionAnimator
    private let makeChildren: (State) -> [UIViewController]
    private lazy var bars = BarItemsPassage(to: self)

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
      self.initialState = initialState
      self.animator = animator
      makeChildren = children
      super.init(nibName: nil, bundle: nil)
      container.delegate = self
    }

    /// Not available: closures have no archived form.
    @available(*, unavailable, message: "Make the controller in code: the closures cannot be archived.")
    public required init?(coder: NSCoder) { fatalError("AsyncStateUI: a StateViewController has no archived form.") }

    // MARK: Transitions

    /// Requests a transition to `state`: now, or after the current one. Of several requests that wait, the last one wins.
    ///
    /// A request made in a callback of another container's children begins when that container's step is over: its views
    /// must not be removed in the middle of it.
    public func setNeedsTransition(to state: State, animated: Bool) {
      ContainerStep.request(in: self) { [self] in
        let isInterrupting = container.isTransitioning
        container.setNeedsTransition(to: state, animated: animated)
        if isInterrupting, let animator = animator as? ViewAnimator, animator.isInterruptible { animator.finishAll() }
      }
    }

    /// The view controllers of a state, from bottom to top. The default calls the closure of the initialiser.
    open func children(for state: State) -> [UIViewController] { makeChildren(state) }

    /// A transition begins; the state and the children are still the previous ones. The default does nothing.
    open func willTransition(to state: State, animated: Bool) {}

    /// A transition has ended. `previous` is nil the first time. The default does nothing.
    open func didTransition(from previous: State?, animated: Bool) {}

    /// Places the view of a child that is being added. The default fills this controller's view by constraints, so that a
    /// cell, a sheet or a popover can be as large as the content.
    open func layout(_ child: UIViewController) { child.view.fill(view) }

    /// Removes a child at once, in the documented order, so that another parent can take it.
    ///
    /// Another `StateViewController` that lists the child takes it by itself; call this before any other parent's
    /// `addChild(_:)`. The state does not change. A later transition that lists the child takes it back. In a callback of
    /// a container that is the child, or inside it, the child is removed when that container's step is over.
    public func giveUp(_ child: UIViewController) {
      ContainerStep.handOver(child) { [self] in
        members.first { $0.controller === child }?.giveUp()
        bars.follow(topChild)
      }
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

    /// The topmost child that stays: it decides about the status bar, the home indicator and the like.
    public var topChild: UIViewController? { topMember }

    func children(of state: State) -> [any ChildController] {
      let members = members
      return children(for: state).map { controller in
        members.first { $0.controller === controller } ?? ControllerChild(controller, in: self, animator)
      }
    }

    /// Makes the subviews the views of the children, in their order, below all other subviews.
    private func arrange() {
      bars.follow(topChild)
      // No view of a child is loaded before the view that it belongs into.
      guard isViewLoaded else { return }
      // A child may be given up when another is loaded or laid out.
      for child in members { child.controller.loadViewIfNeeded() }
      let (members, added) = (members, members.filter { $0.controller.view.superview !== view })
      for (index, child) in members.enumerated()
      where child.isMember && view.subviews.firstIndex(of: child.controller.view) != index {
        view.insertSubview(child.controller.view, at: index)
      }
      for child in added where child.isMember {
        child.willPlace()
        layout(child.controller)
        guard child.controller.view.window != nil else { continue }
        UIView.performWithoutAnimation { child.controller.view.layoutIfNeeded() }
      }
      takePreferredContentSize()
      setNeedsFocusUpdate()
      #if !os(tvOS) && !os(visionOS)
        setNeedsStatusBarAppearanceUpdate()
        setNeedsUpdateOfHomeIndicatorAutoHidden()
        setNeedsUpdateOfScreenEdgesDeferringSystemGestures()
      #endif
    }

    #if !os(tvOS)
      #if !os(visionOS)
        open override var childForStatusBarStyle: UIViewController? { topChild }
        open override var childForStatusBarHidden: UIViewController? { topChild }
      #endif
      open override var childForHomeIndicatorAutoHidden: UIViewController? { topChild }
      open override var childForScreenEdgesDeferringSystemGestures: UIViewController? { topChild }
    #endif

    #if !os(tvOS)
      /// That of the topmost child, or of this controller. UIKit reads it when this is pushed: list the child before, or set
      /// it here.
      open override var hidesBottomBarWhenPushed: Bool {
        get { super.hidesBottomBarWhenPushed || topChild?.hidesBottomBarWhenPushed == true }
        set { super.hidesBottomBarWhenPushed = newValue }
      }
    #endif

    open override var preferredFocusEnvironments: [any UIFocusEnvironment] {
      topChild.map { [$0] } ?? super.preferredFocusEnvironments
    }

    open override func preferredContentSizeDidChange(forChildContentContainer container: any UIContentContainer) {
      super.preferredContentSizeDidChange(forChildContentContainer: container)
      takePreferredContentSize()
    }

    open override func contentScrollView(for edge: NSDirectionalRectEdge) -> UIScrollView? {
      topChild?.contentScrollView(for: edge) ?? super.contentScrollView(for: edge)
    }

    // MARK: Called by the container

    /// Calls ``willTransition(to:animated:)``.
    public func container(_ container: StateContainer<State>, willTransitionTo state: State, animated: Bool) {
      willTransition(to: state, animated: animated)
    }

    /// Calls ``didTransition(from:animated:)``.
    public func container(_ container: StateContainer<State>, didTransitionFrom previous: State?, animated: Bool) {
      didTransition(from: previous, animated: animated)
    }

    /// Arranges the views of the children.
    public func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) { arrange() }
  }
#endif
