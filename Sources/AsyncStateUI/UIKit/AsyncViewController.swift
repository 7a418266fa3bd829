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
  /// The request is made when the view is loaded. Each value gets a controller of its own, unless the controller is an
  /// `AsyncContent` of the value: that one stays, and gets each value by `apply(_:animated:)`.
  open class AsyncViewController<Value>: StateViewController<AsyncStatus<Value>>, @MainActor AsyncStatusPresenter {
    /// Loads, reloads and refreshes. Its presenter is this controller.
    public let host: AsyncHost<Value>
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
      host = AsyncHost(resource, policy: policy, pacer: pacer)
      makeContent = content
      super.init(initialState: .loading, animator: animator)
      host.presenter = self
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      host.load()
    }

    /// The content for a value, and nothing else.
    open override func children(for status: AsyncStatus<Value>) -> [UIViewController] {
      guard case .data(let value) = status else { return [] }
      if !(content is any AsyncContent<Value>) { content = makeContent(value) }
      (content as? any AsyncContent<Value>)?.apply(value, animated: content?.viewIfLoaded?.window != nil)
      return content.map { [$0] } ?? []
    }

    /// What is displayed in the place of the content: the system's indicator, or a message with a button that requests
    /// again; nil for nothing. An override may change what `super` returns.
    open func configuration(for status: AsyncStatus<Value>) -> UIContentUnavailableConfiguration? {
      var configuration = UIContentUnavailableConfiguration.empty()
      switch status {
      case .data: return nil
      case .loading: return .loading()
      case .error(let error):
        configuration.image = UIImage(systemName: "exclamationmark.triangle")
        configuration.text = String(describing: error)
      case .noData:
        configuration.image = UIImage(systemName: "tray")
        configuration.text = StatusBoard<Value>.defaultNoDataMessage
      }
      configuration.button.title = "Try Again"
      configuration.buttonProperties.primaryAction = UIAction { [weak self] _ in self?.host.reload() }
      return configuration
    }

    override func children(of status: AsyncStatus<Value>) -> [any ChildController] {
      // While a pacer displays nothing, the host is in no state.
      contentUnavailableConfiguration = host.container.hasDeterminedState ? configuration(for: status) : nil
      return super.children(of: status)
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

  #if !os(tvOS)
    extension UIRefreshControl {
      /// Refreshes `resource` when the user pulls, and stops when no load is running, also one that another caller has started.
      ///
      /// - Returns: The observation, which ends when the token is cancelled or released.
      public func bind<Value>(to resource: AsyncResource<Value>) -> ObservationToken {
        let refresh = UIAction { [weak self, weak resource] _ in
          resource?.refresh()
          if resource?.isRunning != true { self?.endRefreshing() }
        }
        addAction(refresh, for: .valueChanged)
        return resource.observed.isRunning.observe { [weak self] isRunning in
          if !isRunning, self?.isRefreshing == true { self?.endRefreshing() }
        }
      }
    }
  #endif
#endif
