// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  /// Displays a resource: a loading indicator, an error with a retry button, a message that there is nothing, or the
  /// content, which is a view controller.
  ///
  /// ```swift
  /// let screen = AsyncViewController(articles) { ArticlesController() }
  /// ```
  ///
  /// Each time it appears it requests what is stale, as SwiftUI's `AsyncView` does; turning back from a swipe is no
  /// appearance. A content that is an `AsyncContent` of the value stays: it gets each value by `apply(_:animated:)`, the first
  /// one when its view is loaded, keeps its scroll position, and decides about the messages. A value that is empty by the
  /// policy is applied, too, and the message lies over the content. Any other content, `{ EditorController($0) }`, is replaced
  /// by another one for each value.
  ///
  /// Beside content that a refresh could not renew a banner says so. Which errors are displayed beside content, the policy
  /// says: by default those of refreshes.
  ///
  /// The texts are ``AsyncTexts/app``, the looks ``AsyncStyle/app``; override ``configuration(for:)`` for one screen.
  open class AsyncViewController<Value>: StateViewController<AsyncStatus<Value>>, @MainActor AsyncStatusPresenter {
    /// Loads, reloads and refreshes. Its presenter is this controller.
    public let host: AsyncHost<Value>
    let resource: AsyncResource<Value>
    let policy: DisplayPolicy<Value>
    private var outcomes: ObservedToken?
    private var network: ObservedToken?
    var banner = FailedRefreshBanner<FailureBanner>()
    let content: ScreenContent<Value>
    /// The request of an appearance that the user may still take back.
    private var hasPostponedRequest = false
    private var isAnimating = false
    /// The host displays a status: a pacer may display nothing.
    var isDisplayed = false
    /// The write whose value is displayed.
    var displayedWrite: UInt32?
    /// What is displayed in the place of content as soon as that has left.
    private var unavailable: UIContentUnavailableConfiguration?
    private var previous: AsyncStatusKind?
    let announcer = Announcer()

    /// A controller that displays `resource`.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering, by default as the app says; nil: each status is displayed at once.
    ///   - animator: Runs the animated transitions.
    ///   - content: Creates the controller of a value. One that is an `AsyncContent` is created once.
    public init(
      _ resource: AsyncResource<Value>, policy: DisplayPolicy<Value> = DisplayPolicy(),
      pacer: DisplayPacer? = .app,
      animator: any TransitionAnimator = ViewAnimator(), content: @escaping (Value) -> UIViewController
    ) {
      self.resource = resource
      self.policy = policy
      // A preview displays each status at once.
      host = AsyncHost(resource, policy: policy, pacer: resource.isPreview ? nil : pacer)
      self.content = ScreenContent(content)
      super.init(initialState: .loading, animator: animator)
      host.presenter = self
    }

    /// A controller that displays `resource` in one content, which gets each value.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering, by default as the app says; nil: each status is displayed at once.
    ///   - animator: Runs the animated transitions.
    ///   - content: Creates the content, once, for the first value.
    public convenience init<Content: UIViewController & AsyncContent<Value>>(
      _ resource: AsyncResource<Value>, policy: DisplayPolicy<Value> = DisplayPolicy(),
      pacer: DisplayPacer? = .app,
      animator: any TransitionAnimator = ViewAnimator(), content: @escaping () -> Content
    ) {
      self.init(resource, policy: policy, pacer: pacer, animator: animator) { _ in content() }
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      content.screenDidLoad()
      outcomes = resource.observed.observe { [weak self] _ in self?.resourceDidChange() }
      network = LoadGate.offlineReports.observe { [weak self] _ in self?.updateWaiting() }
    }

    open override func viewWillAppear(_ animated: Bool) {
      // A swipe that was taken back is no appearance; neither is one that may still be.
      if container.appearance == .gone {
        hasPostponedRequest = host.hasStarted && transitionCoordinator?.isInteractive == true
        // A step of its own: inside that of its parent, what is there already is presented, and not after it.
        if !hasPostponedRequest { ContainerStep.run(in: self) { host.start(when: .stale) } }
      }
      super.viewWillAppear(animated)
      host.willAppear(animated: animated)
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      host.didAppear(animated: animated)
      if hasPostponedRequest { host.start(when: .stale) }
      hasPostponedRequest = false
    }

    open override func viewWillDisappear(_ animated: Bool) {
      super.viewWillDisappear(animated)
      host.willDisappear(animated: animated)
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      host.didDisappear(animated: animated)
    }

    /// The content for a value, also for an empty one if it stays: it may be deleting its last row. Otherwise nothing.
    open override func children(for status: AsyncStatus<Value>) -> [UIViewController] {
      switch status {
      case .data(let value): [content.controller(for: value, ofWrite: displayedWrite)]
      case .loading, .error, .noData, .idle, .waiting: content.controller(below: resource, policy).map { [$0] } ?? []
      }
    }

    /// Whether a button that requests again belongs beside an error and beside "there is nothing". The default is true: the
    /// screen knows how to request its resource, whatever its content says for a `StatusBoard`.
    open var canReload: Bool { true }

    /// The text for a status: that of the content if it has one, else that of ``AsyncTexts/app``; nil for content. A content is
    /// made by the first value: before that its texts are not known.
    open func message(for status: AsyncStatus<Value>) -> String? {
      statusMessage(for: status, content.lasting)?.string
    }

    /// The configuration that is displayed in the place of the content; nil for none. An override may change what `super` returns.
    open func configuration(for status: AsyncStatus<Value>) -> UIContentUnavailableConfiguration? {
      var configuration: UIContentUnavailableConfiguration
      switch status {
      case .data: return nil
      case .loading: return AsyncStyle.app.loading()
      case .error(let error): configuration = AsyncStyle.app.failure(error)
      case .waiting:
        configuration = AsyncStyle.app.waiting()
        configuration.text = configuration.text ?? message(for: status)
        // The request is made already. A person can know better than the system whether there is a network.
        guard LoadGate.isOfflineByReport else { return configuration }
        return configuration.withButton { LoadGate.assumeOnline() }
      case .idle: configuration = AsyncStyle.app.idle()
      case .noData: configuration = AsyncStyle.app.empty()
      }
      configuration.text = configuration.text ?? message(for: status)
      // Without a key there is nothing to request.
      guard canReload, resource.hasKey else { return configuration }
      return configuration.withButton { [weak self] in self?.retry(hidingContent: true) }
    }

    /// Whether a banner says that a refresh has failed, beside content. The default is true.
    open var showsFailedRefresh: Bool { true }

    func showBanner(_ next: Announcement) {
      if let view = banner.view { view.message = next.text } else { placeBanner(next.text) }
      if view.window != nil { announcer.announce(next) }
    }

    private func placeBanner(_ message: String) {
      let banner = FailureBanner(message: message) { [weak self] in
        self?.retry(hidingContent: false)
      } dismiss: { [weak self] in
        self?.closeBanner()
      }
      self.banner.view = banner
      banner.place(in: view)
    }

    /// Whether a person can insist that there is a network has changed.
    private func updateWaiting() {
      guard isDisplayed, case .waiting = container.currentState else { return }
      unavailable = configuration(for: .waiting)
      if contentUnavailableConfiguration != nil { contentUnavailableConfiguration = unavailable }
    }

    override func children(of status: AsyncStatus<Value>) -> [any ChildController] {
      let children = super.children(of: status)
      unavailable = isDisplayed ? configuration(for: status) : nil
      let leaving = container.children.filter { child in !children.contains { $0 === child } }
      // A text does not lie over what fades out.
      contentUnavailableConfiguration = isAnimating && !leaving.isEmpty ? nil : unavailable
      if isDisplayed {
        if viewIfLoaded?.window != nil { announce(status, hasLost: !leaving.isEmpty) }
        previous = status.kind
      }
      return children
    }

    /// Notifies VoiceOver of a status. Its focus moves only if the element that may have had it has gone.
    private func announce(_ status: AsyncStatus<Value>, hasLost isContentGone: Bool) {
      let isMessageGone = previous != nil && previous != status.kind && previous != .data
      if isContentGone || isMessageGone {
        UIAccessibility.post(notification: .layoutChanged, argument: nil)
      }
      switch status {
      case .data: break
      case .loading:
        // A poll that fails again and again says nothing.
        let isNews = previous != .error || AskedFailure.isAwaited(of: resource)
        if isNews, let text = message(for: status) { Announcement(text: text, isInterruptible: true).post() }
      case .error, .noData, .idle, .waiting:
        guard let text = message(for: status) else { return }
        let failure = status.kind == .error ? FailureID(of: resource) : nil
        announcer.announce(Announcement(text: text, failure: failure))
      }
    }

    /// Calls `willTransition(to:animated:)`.
    public override func container(
      _ container: StateContainer<AsyncStatus<Value>>, willTransitionTo status: AsyncStatus<Value>, animated: Bool
    ) {
      isAnimating = animated
      super.container(container, willTransitionTo: status, animated: animated)
    }

    /// Displays the message of the status, and calls `didTransition(from:animated:)`.
    public override func container(
      _ container: StateContainer<AsyncStatus<Value>>, didTransitionFrom previous: AsyncStatus<Value>?, animated: Bool
    ) {
      if let unavailable, contentUnavailableConfiguration == nil {
        contentUnavailableConfiguration = unavailable
        if case .loading = container.currentState { host.loadingIsDisplayed() }
      }
      if isViewLoaded { updateBanner() }
      super.container(container, didTransitionFrom: previous, animated: animated)
    }
  }

  extension UIContentUnavailableConfiguration {
    /// The same with a button, unless it has an action of its own.
    @MainActor
    fileprivate func withButton(_ action: @escaping () -> Void) -> Self {
      guard buttonProperties.primaryAction == nil else { return self }
      var configuration = self
      configuration.button.title = button.title ?? AsyncTexts.app.retry.string
      configuration.buttonProperties.primaryAction = UIAction { _ in action() }
      return configuration
    }
  }
#endif
