// SPDX-License-Identifier: MIT
#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  public import AsyncState

  /// Displays the view controllers of a state, and exchanges them in AppKit's order.
  ///
  /// A controller that two states have in common stays. In AppKit appearance follows the view: a child that is removed
  /// with an animation is notified of `viewWillDisappear()` when the animation is over.
  ///
  /// For a loading indicator and messages use an ``AsyncViewController``, or list SwiftUI's `AsyncView` in a hosting
  /// controller:
  ///
  /// ```swift
  /// let browser = StateViewController(initialState: Page.articles) { page in
  ///   switch page {
  ///   case .articles: [NSHostingController(rootView: AsyncView(articles) { Text($0) })]
  ///   case .settings: [SettingsViewController()]
  ///   }
  /// }
  /// ```
  open class StateViewController<State>: NSViewController, @MainActor StateContainerDelegate, ChildOwner {
    /// The state, its transitions and their order. Its delegate is this controller.
    public private(set) lazy var container = StateContainer(initialState: initialState, animator: animator) {
      [weak self] in self?.children(of: $0) ?? []
    }
    private let initialState: State
    private let animator: any TransitionAnimator
    private let makeChildren: (State) -> [NSViewController]

    /// A controller that appears in `initialState`.
    ///
    /// - Parameters:
    ///   - initialState: The first state.
    ///   - animator: Runs the animated transitions.
    ///   - children: The view controllers of a state, from bottom to top. Called once for each transition.
    public init(
      initialState: State, animator: any TransitionAnimator = ViewAnimator(),
      children: @escaping (State) -> [NSViewController] = { _ in [] }
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
      ContainerStep.request(in: self) { [self] in container.setNeedsTransition(to: state, animated: animated) }
    }

    /// The view controllers of a state, from bottom to top. The default calls the closure of the initialiser.
    open func children(for state: State) -> [NSViewController] { makeChildren(state) }

    /// A transition begins; the state and the children are still the previous ones. The default does nothing.
    open func willTransition(to state: State, animated: Bool) {}

    /// A transition has ended. `previous` is nil the first time. The default does nothing.
    open func didTransition(from previous: State?, animated: Bool) {}

    /// Places the view of a child that is being added. The default fills this controller's view by constraints, so that a
    /// window, a sheet or a popover can be as large as the content.
    open func layout(_ child: NSViewController) { child.view.fill(view) }

    // MARK: Life cycle

    // Without it AppKit looks for a nib that is named like the class.
    open override func loadView() { view = ContainerView() }

    open override func viewDidLoad() {
      super.viewDidLoad()
      // A window takes the size of the view before that appears: the first children have to be there by then.
      ContainerStep.request(in: self) { [self] in
        if !container.hasDeterminedState { container.setNeedsTransition(to: container.currentState, animated: false) }
      }
      arrange()
      if view.frame.size == .zero { view.setFrameSize(contentSize) }
    }

    /// The size that the topmost child prefers, or that fits it.
    private var contentSize: NSSize {
      guard let child = members.last?.controller else { return .zero }
      return [child.preferredContentSize, child.view.fittingSize, child.view.frame.size].first { $0 != .zero } ?? .zero
    }

    open override func preferredContentSizeDidChange(for viewController: NSViewController) {
      super.preferredContentSizeDidChange(for: viewController)
      takePreferredContentSize()
    }

    open override func viewWillAppear() {
      super.viewWillAppear()
      forward(StateContainer.willAppear)
    }

    open override func viewDidAppear() {
      super.viewDidAppear()
      forward(StateContainer.didAppear)
    }

    open override func viewWillDisappear() {
      super.viewWillDisappear()
      forward(StateContainer.willDisappear)
    }

    open override func viewDidDisappear() {
      super.viewDidDisappear()
      forward(StateContainer.didDisappear)
    }

    // AppKit does not say whether it animates.
    private func forward(_ call: (StateContainer<State>) -> (_ animated: Bool) -> Void) {
      ContainerStep.run(in: self) { call(container)(false) }
    }

    // MARK: The surface

    func giveUp(_ child: NSViewController) {
      members.first { $0.controller === child }?.giveUp()
    }

    private func children(of state: State) -> [any ChildController] {
      let members = members
      return children(for: state).map { controller in
        members.first { $0.controller === controller } ?? ControllerChild(controller, in: self, animator)
      }
    }

    /// Makes the subviews the views of the children, in their order, below all other subviews.
    private func arrange() {
      // No view of a child is loaded before the view that it belongs into.
      guard isViewLoaded else { return }
      // A child may be taken when another is loaded or laid out.
      for child in members { child.controller.loadViewIfNeeded() }
      let added = members.filter { $0.controller.view.superview !== view }
      for (index, child) in members.enumerated()
      where child.isMember && view.subviews.firstIndex(of: child.controller.view) != index {
        let above = index < view.subviews.count ? view.subviews[index] : nil
        view.addSubview(child.controller.view, positioned: above == nil ? .above : .below, relativeTo: above)
      }
      for child in added where child.isMember {
        child.willPlace()
        layout(child.controller)
      }
      takePreferredContentSize()
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
