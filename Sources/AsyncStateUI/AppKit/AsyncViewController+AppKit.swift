// SPDX-License-Identifier: MIT
#if canImport(AppKit) && !canImport(UIKit) && canImport(SwiftUI)
  public import AppKit
  public import AsyncState
  import SwiftUI

  /// Displays a resource: a loading indicator, an error with a retry button, a message that there is nothing, or the
  /// content, which is a view controller.
  ///
  /// ```swift
  /// let screen = AsyncViewController(articles) { ArticlesViewController($0) }
  /// ```
  ///
  /// Each time it appears it requests what is stale. Each value gets a controller of its own, unless the controller is an
  /// `AsyncContent` of the value: that one stays, and gets each value by `apply(_:animated:)`.
  ///
  /// What is displayed in the place of the content are the standard views of SwiftUI, with the texts of ``AsyncTexts/app``.
  open class AsyncViewController<Value>: StateViewController<AsyncStatus<Value>>, @MainActor AsyncStatusPresenter {
    /// Loads, reloads and refreshes. Its presenter is this controller.
    public let host: AsyncHost<Value>
    private let resource: AsyncResource<Value>
    private let requests = RequestsOnAppearance()
    private let makeContent: (Value) -> NSViewController
    private var content: NSViewController?

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
      animator: any TransitionAnimator = ViewAnimator(), content: @escaping (Value) -> NSViewController
    ) {
      self.resource = resource
      host = requests.makeHost(of: resource, policy, pacer)
      makeContent = content
      super.init(initialState: .loading, animator: animator)
      host.presenter = self
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      requests.start(host)
    }

    open override func viewWillAppear() {
      resource.start(.refresh, when: .stale)
      super.viewWillAppear()
    }

    /// The controller of the content for a value, otherwise that of a standard view.
    open override func children(for status: AsyncStatus<Value>) -> [NSViewController] {
      let actions = AsyncActions(
        error: resource.error, retry: { [weak host] in host?.reload() }, reload: { [weak host] in host?.reload() })
      switch status {
      // While a pacer displays nothing, the host is in no state.
      case .loading where !host.container.hasDeterminedState: return []
      case .loading: return [NSHostingController(rootView: AsyncLoadingView())]
      case .error(let error): return [NSHostingController(rootView: AsyncFailureView(error, actions))]
      case .noData(_, isWaiting: true): return [NSHostingController(rootView: AsyncWaitingView())]
      case .noData: return [NSHostingController(rootView: AsyncEmptyView(actions))]
      case .data(let value):
        let content = (content is any AsyncContent<Value> ? content : nil) ?? makeContent(value)
        self.content = content
        (content as? any AsyncContent<Value>)?.apply(value, animated: content.viewIfLoaded?.window != nil)
        return [content]
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
