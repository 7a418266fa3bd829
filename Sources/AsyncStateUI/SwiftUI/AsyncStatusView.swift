#if canImport(SwiftUI)
  public import AsyncState
  public import SwiftUI

  /// Displays a status with one view for each of its cases.
  public struct AsyncStatusView<Value, Content: View, Loading: View, Failure: View, Empty: View>: View {
    private let status: AsyncStatus<Value>
    private let actions: AsyncActions
    private let content: (Value) -> Content
    private let loading: () -> Loading
    private let failure: (any Error, AsyncActions) -> Failure
    private let empty: (AsyncActions) -> Empty

    /// A view of `status`.
    ///
    /// - Parameters:
    ///   - status: What is displayed.
    ///   - actions: What the buttons do.
    ///   - content: The view of a value.
    ///   - loading: The view while a value is on its way.
    ///   - failure: The view of an error.
    ///   - empty: The view if there is nothing.
    public init(
      _ status: AsyncStatus<Value>, actions: AsyncActions, @ViewBuilder content: @escaping (Value) -> Content,
      @ViewBuilder loading: @escaping () -> Loading,
      @ViewBuilder failure: @escaping (any Error, AsyncActions) -> Failure,
      @ViewBuilder empty: @escaping (AsyncActions) -> Empty
    ) {
      self.status = status
      self.actions = actions
      self.content = content
      self.loading = loading
      self.failure = failure
      self.empty = empty
    }

    /// The view of the case.
    public var body: some View {
      switch status {
      case .loading: loading()
      case .error(let error): failure(error, actions)
      case .noData: empty(actions)
      case .data(let value): content(value)
      }
    }
  }

  extension AsyncStatusView
  where Loading == ProgressView<EmptyView, EmptyView>, Failure == MessageView, Empty == MessageView {
    /// A view of `status` with the system's indicator, messages with a retry button, and a ``StaleBanner``.
    public init<Shown: View>(
      _ status: AsyncStatus<Value>, actions: AsyncActions, @ViewBuilder content: @escaping (Value) -> Shown
    ) where Content == StaleBanner<Shown> {
      self.init(
        status, actions: actions, content: { value in StaleBanner(actions) { content(value) } },
        loading: { ProgressView() }, failure: MessageView.init, empty: MessageView.init)
    }
  }

  extension AsyncView {
    /// A view of the value, with the system's indicator, messages with a retry button, and a ``StaleBanner``.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - keepsFormer: Whether the value of a former resource is displayed until this one has a value or an error.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once. It stays, and the policy
    ///     with it, as long as the resource is displayed.
    ///   - content: The view of a value.
    public init<Shown: View>(
      _ resource: AsyncResource<Value>, keepsFormer: Bool = false, policy: DisplayPolicy<Value> = DisplayPolicy(),
      pacer: DisplayPacer? = nil,
      @ViewBuilder content: @escaping (Value) -> Shown
    )
    where
      Content == AsyncStatusView<
        Value, StaleBanner<Shown>, ProgressView<EmptyView, EmptyView>, MessageView, MessageView
      >
    {
      self.init(status: resource, keepsFormer: keepsFormer, policy: policy, pacer: pacer) { status, actions in
        AsyncStatusView(status, actions: actions, content: content)
      }
    }

    /// A view of the value, with a view of one's own for each other status.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - keepsFormer: Whether the value of a former resource is displayed until this one has a value or an error.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once. It stays, and the policy
    ///     with it, as long as the resource is displayed.
    ///   - content: The view of a value.
    ///   - loading: The view while a value is on its way.
    ///   - failure: The view of an error, with a retry for its button.
    ///   - empty: The view if there is nothing.
    public init<Shown: View, Loading: View, Failure: View, Empty: View>(
      _ resource: AsyncResource<Value>, keepsFormer: Bool = false, policy: DisplayPolicy<Value> = DisplayPolicy(),
      pacer: DisplayPacer? = nil,
      @ViewBuilder content: @escaping (Value) -> Shown,
      @ViewBuilder loading: @escaping () -> Loading,
      @ViewBuilder failure: @escaping (any Error, AsyncActions) -> Failure,
      @ViewBuilder empty: @escaping (AsyncActions) -> Empty
    ) where Content == AsyncStatusView<Value, Shown, Loading, Failure, Empty> {
      self.init(status: resource, keepsFormer: keepsFormer, policy: policy, pacer: pacer) { status, actions in
        AsyncStatusView(
          status, actions: actions, content: content, loading: loading, failure: failure, empty: empty)
      }
    }
  }

  /// Content that the last request could not renew, with a banner above it that requests again; without an error, the
  /// content alone.
  ///
  /// Such content is displayed with `DisplayPolicy(errors: .never)`.
  public struct StaleBanner<Content: View>: View {
    private let actions: AsyncActions
    private let content: Content

    /// Content with a banner if there is an error.
    public init(_ actions: AsyncActions, @ViewBuilder content: () -> Content) {
      self.actions = actions
      self.content = content()
    }

    /// The content, and the banner in the safe area above it.
    public var body: some View {
      content.safeAreaInset(edge: .top) {
        if let error = actions.error {
          Button("Not updated: \(String(describing: error))", action: actions.retry)
        }
      }
    }
  }

  /// A message in the place of content, with a button that requests again.
  public struct MessageView: View {
    private let message: String
    private let symbol: String
    private let actions: AsyncActions

    /// The message for an error: its description.
    public init(_ error: any Error, _ actions: AsyncActions) {
      message = String(describing: error)
      symbol = "exclamationmark.triangle"
      self.actions = actions
    }

    /// The message that there is nothing.
    public init(_ actions: AsyncActions) {
      message = StatusBoard<Never>.defaultNoDataMessage
      symbol = "tray"
      self.actions = actions
    }

    /// The message and the button.
    public var body: some View {
      ContentUnavailableView {
        Label(message, systemImage: symbol)
      } actions: {
        Button("Try Again", action: actions.retry)
      }
    }
  }
#endif
