// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  /// Displays a resource: a loading indicator, an error with a retry button, a message that there is nothing, or the
  /// content, which is a view controller.
  ///
  /// ```swift
  /// let screen = AsyncViewController(articles) { ArticlesViewController($0) }
  /// ```
  ///
  /// Each time it appears it requests what is stale, as SwiftUI's `AsyncView` does. Each value gets a controller of its
  /// own, unless the controller is an `AsyncContent` of the value: that one stays, gets each value by
  /// `apply(_:animated:)`, and decides about the messages.
  ///
  /// Beside content that a refresh could not renew a banner says so. Which errors are displayed beside content, the policy
  /// says: by default those of refreshes.
  ///
  /// The texts are ``AsyncTexts/app``, the looks ``AsyncStyle/app``; override ``configuration(for:)`` for one screen.
  open class AsyncViewController<Value>: StateViewController<AsyncStatus<Value>>, @MainActor AsyncStatusPresenter {
    /// Loads, reloads and refreshes. Its presenter is this controller.
    public let host: AsyncHost<Value>
    private let resource: AsyncResource<Value>
    private let policy: DisplayPolicy<Value>
    private var outcomes: ObservedToken?
    private var banner: FailureBanner?
    private var bannerDecision = BannerDecision()
    private let makeContent: (Value) -> UIViewController
    private var content: UIViewController?

    /// A controller that displays `resource`.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once.
    ///   - animator: Runs the animated transitions.
    ///   - content: Creates the controller of a value.
    public init(
      _ resource: AsyncResource<Value>, policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
      animator: any TransitionAnimator = ViewAnimator(), content: @escaping (Value) -> UIViewController
    ) {
      self.resource = resource
      self.policy = policy
      host = AsyncHost(resource, policy: policy, pacer: pacer)
      makeContent = content
      super.init(initialState: .loading, animator: animator)
      host.presenter = self
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      outcomes = resource.observed.observe { [weak self] _ in self?.updateBanner() }
    }

    open override func viewWillAppear(_ animated: Bool) {
      host.start(when: .stale)
      super.viewWillAppear(animated)
      host.willAppear(animated: animated)
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      host.didAppear(animated: animated)
    }

    open override func viewWillDisappear(_ animated: Bool) {
      super.viewWillDisappear(animated)
      host.willDisappear(animated: animated)
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      host.didDisappear(animated: animated)
    }

    /// The content for a value, and nothing else.
    open override func children(for status: AsyncStatus<Value>) -> [UIViewController] {
      guard case .data(let value) = status else { return [] }
      if !(content is any AsyncContent<Value>) { content = makeContent(value) }
      (content as? any AsyncContent<Value>)?.apply(value, animated: content?.viewIfLoaded?.window != nil)
      return content.map { [$0] } ?? []
    }

    /// Whether a button that requests again belongs beside an error and beside "there is nothing". The default is true: the
    /// screen knows how to request its resource, whatever its content says for a `StatusBoard`.
    open var canReload: Bool { true }

    /// The text for a status: that of the content if it has one, else that of ``AsyncTexts/app``; nil for content. A content is
    /// made by the first value: before that its texts are not known.
    open func message(for status: AsyncStatus<Value>) -> String? {
      statusMessage(for: status, content as? any AsyncContent<Value>)?.string
    }

    /// The configuration that is displayed in the place of the content; nil for none. An override may change what `super` returns.
    open func configuration(for status: AsyncStatus<Value>) -> UIContentUnavailableConfiguration? {
      var configuration: UIContentUnavailableConfiguration
      switch status {
      case .data: return nil
      case .loading: return AsyncStyle.app.loading()
      case .error(let error): configuration = AsyncStyle.app.failure(error)
      case .noData(_, isWaiting: true):
        // The request is made already: no button.
        configuration = AsyncStyle.app.waiting()
        configuration.text = configuration.text ?? message(for: status)
        return configuration
      case .noData(isIdle: true, _): configuration = AsyncStyle.app.idle()
      case .noData(isIdle: false, _): configuration = AsyncStyle.app.empty()
      }
      configuration.text = configuration.text ?? message(for: status)
      // Without a key there is nothing to request.
      guard canReload, resource.hasKey, configuration.buttonProperties.primaryAction == nil else {
        return configuration
      }
      configuration.button.title = configuration.button.title ?? AsyncTexts.app.retry.string
      configuration.buttonProperties.primaryAction = UIAction { [weak self] _ in self?.host.reload() }
      return configuration
    }

    /// Whether a banner says that a refresh has failed, beside content. The default is true.
    open var showsFailedRefresh: Bool { true }

    /// Displays the banner while there is content, and the last request has failed.
    private func updateBanner() {
      switch bannerDecision.change(to: showsFailedRefresh ? StaleContent(resource, policy, message: message) : nil) {
      case .stays: break
      case .ends: closeBanner()
      case .displays(let content, let isNews):
        if let banner { banner.message = content.message } else if isNews { placeBanner(content.message) }
        if isNews, view.window != nil { UIAccessibility.post(notification: .announcement, argument: content.message) }
      }
    }

    private func placeBanner(_ message: String) {
      let banner = FailureBanner(message: message) { [weak self] in
        self?.host.refresh()
      } dismiss: { [weak self] in
        self?.closeBanner()
      }
      self.banner = banner
      banner.place(in: view)
    }

    private func closeBanner() {
      banner?.removeFromSuperview()
      banner = nil
    }

    override func children(of status: AsyncStatus<Value>) -> [any ChildController] {
      // While a pacer displays nothing, the host is in no state.
      let isDisplayed = host.container.hasDeterminedState
      contentUnavailableConfiguration = isDisplayed ? configuration(for: status) : nil
      if isDisplayed, viewIfLoaded?.window != nil { announce(status) }
      return super.children(of: status)
    }

    /// Notifies VoiceOver of a status. Its focus stays where it is, unless that is removed.
    private func announce(_ status: AsyncStatus<Value>) {
      if let message = message(for: status) {
        UIAccessibility.post(notification: .announcement, argument: message)
      } else {
        UIAccessibility.post(notification: .layoutChanged, argument: nil)
      }
    }

    private func display(animated: Bool) { setNeedsTransition(to: host.container.currentState, animated: animated) }

    // MARK: Called by the host

    /// Requests the transition to the status.
    public func transitionToLoading(animated: Bool) { display(animated: animated) }
    /// Requests the transition to the status.
    public func transitionToError(_ error: any Error, animated: Bool) { display(animated: animated) }
    /// Requests the transition to the status.
    public func transitionToNoData(animated: Bool) { display(animated: animated) }
    /// Requests the transition to the status.
    public func transitionToData(_ value: Value, animated: Bool) { display(animated: animated) }
  }
#endif
