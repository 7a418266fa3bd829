// SPDX-License-Identifier: MIT
#if canImport(AppKit) && !canImport(UIKit) && canImport(SwiftUI)
  public import AppKit
  public import AsyncState
  import SwiftUI

  /// Displays a resource: a loading indicator, an error with a retry button, a message that there is nothing, or the
  /// content, which is a view controller.
  ///
  /// ```swift
  /// let screen = AsyncViewController(articles) { ArticlesController() }
  /// ```
  ///
  /// Each time it appears it requests what is stale. A content that is an `AsyncContent` of the value stays: it gets each value
  /// by `apply(_:animated:)`, the first one when its view is loaded, and decides about the messages. A value that is empty by
  /// the policy is applied, too, and the message lies over the content. Any other content, `{ EditorController($0) }`, is
  /// replaced by another one for each value.
  ///
  /// Beside content that a refresh could not renew a banner says so. Which errors are displayed beside content, the policy
  /// says: by default those of refreshes.
  ///
  /// In the place of the content the standard views of SwiftUI are displayed, with the texts of ``AsyncTexts/app``.
  open class AsyncViewController<Value>: StateViewController<AsyncStatus<Value>>, @MainActor AsyncStatusPresenter {
    /// Loads, reloads and refreshes. Its presenter is this controller.
    public let host: AsyncHost<Value>
    let resource: AsyncResource<Value>
    let policy: DisplayPolicy<Value>
    private var outcomes: ObservedToken?
    var banner = FailedRefreshBanner<NSHostingView<FailureBannerView>>()
    let announcer = Announcer()
    /// The views of messages, which keep the focus where a message follows another.
    private var messages: [AsyncStatusKind: NSViewController] = [:]
    /// The host displays a status: a pacer may display nothing.
    var isDisplayed = false
    /// The write whose value is displayed.
    var displayedWrite: UInt32?
    let content: ScreenContent<Value>

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
      animator: any TransitionAnimator = ViewAnimator(), content: @escaping (Value) -> NSViewController
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
    public convenience init<Content: NSViewController & AsyncContent<Value>>(
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
    }

    open override func viewWillAppear() {
      // A step of its own: inside that of its parent, what is there already is presented, and not after it.
      ContainerStep.run(in: self) { host.start(when: .stale) }
      super.viewWillAppear()
      host.willAppear(animated: false)
    }

    open override func viewDidAppear() {
      super.viewDidAppear()
      host.didAppear(animated: false)
    }

    open override func viewWillDisappear() {
      super.viewWillDisappear()
      host.willDisappear(animated: false)
    }

    open override func viewDidDisappear() {
      super.viewDidDisappear()
      host.didDisappear(animated: false)
    }

    /// The controller of the content for a value, otherwise that of a standard view: in front of the content for a value that
    /// is empty, if the content stays.
    open override func children(for status: AsyncStatus<Value>) -> [NSViewController] {
      let reload: @MainActor () -> Void = { [weak self] in self?.retry(hidingContent: true) }
      let actions = AsyncActions(
        error: resource.error, failure: FailureID(of: resource), canRequest: resource.hasKey, retry: reload,
        reload: reload, announcer: announcer)
      let own = OwnMessage(text: message(for: status).map { AsyncText($0) }, hasButton: canReload)
      let front: NSViewController? =
        switch status {
        case .data: nil
        case .loading: isDisplayed ? hosting(.loading, AsyncLoadingView()) : nil
        case .error(let error): hosting(.error, AsyncFailureView(error, actions, own))
        case .waiting: hosting(.waiting, AsyncWaitingView(own, announcer))
        case .idle: hosting(.idle, AsyncIdleView(actions, own))
        case .noData: hosting(.noData, AsyncEmptyView(actions, own))
        }
      let below =
        status.value.map { content.controller(for: $0, ofWrite: displayedWrite) }
        ?? content.controller(below: resource, policy)
      return [below, front].compactMap(\.self)
    }

    private func hosting<Root: View>(_ kind: AsyncStatusKind, _ root: Root) -> NSViewController {
      if let kept = messages[kind] as? NSHostingController<Root> {
        kept.rootView = root
        return kept
      }
      let made = NSHostingController(rootView: root)
      messages[kind] = made
      return made
    }

    /// Whether a button that requests again belongs beside an error and beside "there is nothing". The default is true: the
    /// screen knows how to request its resource, whatever its content says for a `StatusBoard`.
    open var canReload: Bool { true }

    /// The text for a status: that of the content if it has one, else that of ``AsyncTexts/app``; nil for content. A content is
    /// made by the first value: before that its texts are not known.
    open func message(for status: AsyncStatus<Value>) -> String? {
      statusMessage(for: status, content.lasting)?.string
    }

    /// Whether a banner says that a refresh has failed, beside content. The default is true.
    open var showsFailedRefresh: Bool { true }

    func showBanner(_ next: Announcement) {
      if let view = banner.view { view.rootView = bannerView(next) } else { placeBanner(next) }
    }

    private func bannerView(_ message: Announcement) -> FailureBannerView {
      FailureBannerView(
        text: AsyncText(message.text), message: message, announcer: announcer,
        retry: { [weak self] in self?.retry(hidingContent: false) }
      ) { [weak self] in
        self?.closeBanner()
      }
    }

    private func placeBanner(_ message: Announcement) {
      let banner = NSHostingView(rootView: bannerView(message))
      self.banner.view = banner
      banner.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(banner)
      NSLayoutConstraint.activate([
        banner.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        banner.leadingAnchor.constraint(equalTo: view.leadingAnchor),
        banner.trailingAnchor.constraint(equalTo: view.trailingAnchor),
      ])
    }

    /// Calls `didTransition(from:animated:)`.
    public override func container(
      _ container: StateContainer<AsyncStatus<Value>>, didTransitionFrom previous: AsyncStatus<Value>?, animated: Bool
    ) {
      if isViewLoaded { updateBanner() }
      super.container(container, didTransitionFrom: previous, animated: animated)
    }
  }
#endif
