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
  /// `AsyncContent` of the value: that one stays, and gets the later values by `apply(_:animated:)`.
  @MainActor
  open class AsyncViewController<Value>: StateViewController<AsyncStatus<Value>> {
    /// Loads, reloads and refreshes. Its presenter is this controller's own.
    public let host: AsyncHost<Value>
    private let presenter = UnavailablePresenter<Value>()
    private var content: UIViewController?
    private let makeContent: (Value) -> UIViewController

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
      let stage = ControllerStage<AsyncStatus<Value>>(animator: animator) { _ in [] }
      host = AsyncHost(resource, policy: policy, pacer: pacer, animator: animator) { stage.children(for: $0) }
      makeContent = content
      super.init(stage: stage, container: host.container)
      presenter.owner = self
      host.presenter = presenter
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      host.load()
    }

    /// The content for a value, and nothing else.
    open override func children(for status: AsyncStatus<Value>) -> [UIViewController] {
      guard case .data(let value) = status else { return [] }
      if let content, let display = content as? any AsyncContent<Value> {
        display.apply(value, animated: view.window != nil)
        return [content]
      }
      let new = makeContent(value)
      content = new
      return [new]
    }

    // MARK: Without content

    /// What is displayed in the place of the content; nil for nothing. The default uses the messages below.
    open func configuration(for status: AsyncStatus<Value>) -> (any UIContentConfiguration)? {
      switch status {
      case .loading: return UIContentUnavailableConfiguration.loading()
      case .error(let error): return messageConfiguration(message(for: error), image: "exclamationmark.triangle")
      case .noData: return messageConfiguration(noDataMessage, image: "tray")
      case .data: return nil
      }
    }

    /// The message for an error. The default is its description.
    open func message(for error: any Error) -> String { String(describing: error) }

    /// The message if there is nothing. The default is the text of a `StatusBoard`.
    open var noDataMessage: String { StatusBoard<Value>.defaultNoDataMessage }

    /// The title of the button that requests again. Nil for no button.
    open var retryTitle: String? { "Try Again" }

    private func messageConfiguration(_ message: String, image: String) -> UIContentUnavailableConfiguration {
      var configuration = UIContentUnavailableConfiguration.empty()
      configuration.image = UIImage(systemName: image)
      configuration.text = message
      guard let retryTitle else { return configuration }
      configuration.button.title = retryTitle
      configuration.buttonProperties.primaryAction = UIAction(title: retryTitle) { [weak self] _ in
        self?.host.reload()
      }
      return configuration
    }
  }

  /// Displays what is in the place of the content. A host calls it for each status that is displayed, and while a pacer
  /// displays nothing it does not.
  @MainActor
  final class UnavailablePresenter<Value>: @MainActor AsyncStatusPresenter {
    weak var owner: AsyncViewController<Value>?

    private func display() {
      guard let owner else { return }
      owner.contentUnavailableConfiguration = owner.configuration(for: owner.container.currentState)
    }

    func transitionToLoading(animated: Bool) { display() }
    func transitionToError(_ error: any Error, animated: Bool) { display() }
    func transitionToNoData(animated: Bool) { display() }
    func transitionToData(_ value: Value, animated: Bool) { display() }
  }

  #if !os(tvOS)
    extension UIRefreshControl {
      /// Refreshes `resource` when the user pulls, and stops when no load is running, however it was started.
      ///
      /// - Returns: The observation, which ends when the token is cancelled or released.
      public func bind<Value>(to resource: AsyncResource<Value>) -> ObservationToken {
        let action = UIAction { [weak self, weak resource] _ in
          resource?.refresh()
          if resource?.isRunning != true { self?.endRefreshing() }
        }
        addAction(action, for: .valueChanged)
        return resource.observed.isRunning.observe { [weak self] isRunning in
          if !isRunning, self?.isRefreshing == true { self?.endRefreshing() }
        }
      }
    }
  #endif
#endif
