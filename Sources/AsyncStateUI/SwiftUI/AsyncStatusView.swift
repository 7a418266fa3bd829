// SPDX-License-Identifier: MIT
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
    ///   - empty: The view if there is nothing. While nothing is known and nothing is being requested, an ``AsyncIdleView`` is
    ///     displayed, and an ``AsyncWaitingView`` while the request waits for its gate.
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
      case .waiting: AsyncWaitingView(OwnMessage(), actions.announcer)
      case .idle: AsyncIdleView(actions)
      case .noData: empty(actions)
      case .data(let value): content(value)
      }
    }
  }

  extension AsyncStatusView
  where Loading == AsyncLoadingView, Failure == AsyncFailureView, Empty == AsyncEmptyView {
    /// A view of `status` with the system's indicator, messages with a retry button, and a ``StaleBanner``.
    public init<Shown: View>(
      _ status: AsyncStatus<Value>, actions: AsyncActions, @ViewBuilder content: @escaping (Value) -> Shown
    ) where Content == StaleBanner<Shown> {
      self.init(
        status, actions: actions, content: { value in StaleBanner(actions) { content(value) } },
        loading: { AsyncLoadingView() }, failure: AsyncFailureView.init, empty: AsyncEmptyView.init)
    }
  }

  extension AsyncView {
    /// A view of the value, with the system's indicator, messages with a retry button, and a ``StaleBanner``.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - previous: What is displayed of a previous resource while there is nothing of this one.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering, by default as the app says; nil: each status is displayed at once. It
    ///     stays, and the policy with it, as long as the resource is displayed.
    ///   - isRefreshable: Whether lists below, in sheets and pushed screens too, refresh the resource when they are pulled.
    ///   - content: The view of a value. It stays, with the empty value, below the message when its last row was deleted.
    public init<Shown: View>(
      _ resource: AsyncResource<Value>, previous: PreviousValue = .hidden,
      policy: DisplayPolicy<Value> = DisplayPolicy(),
      pacer: DisplayPacer? = .app, isRefreshable: Bool = true,
      @ViewBuilder content: @escaping (Value) -> Shown
    )
    where
      Content == AsyncStatusView<
        Value, StaleBanner<Shown>, AsyncLoadingView, AsyncFailureView, AsyncEmptyView
      >
    {
      self.init(resource, previous, policy, pacer, isRefreshable) { status, actions in
        status.map { AsyncStatusView($0, actions: actions, content: content) }
      }
    }

    /// A view of the value, with a view of one's own for each other status.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - previous: What is displayed of a previous resource while there is nothing of this one.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering, by default as the app says; nil: each status is displayed at once. It
    ///     stays, and the policy with it, as long as the resource is displayed.
    ///   - isRefreshable: Whether lists below, in sheets and pushed screens too, refresh the resource when they are pulled.
    ///   - content: The view of a value.
    ///   - loading: The view while a value is on its way.
    ///   - failure: The view of an error, with a retry for its button.
    ///   - empty: The view if there is nothing.
    public init<Shown: View, Loading: View, Failure: View, Empty: View>(
      _ resource: AsyncResource<Value>, previous: PreviousValue = .hidden,
      policy: DisplayPolicy<Value> = DisplayPolicy(),
      pacer: DisplayPacer? = .app, isRefreshable: Bool = true,
      @ViewBuilder content: @escaping (Value) -> Shown,
      @ViewBuilder loading: @escaping () -> Loading,
      @ViewBuilder failure: @escaping (any Error, AsyncActions) -> Failure,
      @ViewBuilder empty: @escaping (AsyncActions) -> Empty
    ) where Content == AsyncStatusView<Value, Shown, Loading, Failure, Empty> {
      self.init(resource, previous, policy, pacer, isRefreshable) { status, actions in
        status.map {
          AsyncStatusView($0, actions: actions, content: content, loading: loading, failure: failure, empty: empty)
        }
      }
    }

    /// A view of the value, which displays a sample of it, drawn as a placeholder, while a value is on its way.
    ///
    /// ```swift
    /// AsyncView(article, placeholder: .sample) { Text($0.title) }
    /// ```
    ///
    /// The placeholder is there at once. With a pacer an indicator appears in front of it if the request takes longer than
    /// the pacer's delay.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - placeholder: The sample. Its texts and images are redacted; it cannot be touched, and VoiceOver says that it
    ///     loads.
    ///   - previous: What is displayed of a previous resource while there is nothing of this one.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Says when an indicator appears in front of the placeholder, and how long it stays; nil: none appears. It
    ///     stays, and the policy with it, as long as the resource is displayed.
    ///   - isRefreshable: Whether lists below, in sheets and pushed screens too, refresh the resource when they are pulled.
    ///   - content: The view of a value.
    public init<Shown: View>(
      _ resource: AsyncResource<Value>, placeholder: Value, previous: PreviousValue = .hidden,
      policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil, isRefreshable: Bool = true,
      @ViewBuilder content: @escaping (Value) -> Shown
    )
    where
      Content == AsyncStatusView<
        Value, StaleBanner<Shown>, AsyncPlaceholder<Shown>, AsyncFailureView, AsyncEmptyView
      >
    {
      self.init(resource, previous, policy, pacer, isRefreshable) { status, actions in
        AsyncStatusView(
          status ?? .loading, actions: actions, content: { value in StaleBanner(actions) { content(value) } },
          loading: { AsyncPlaceholder(hasIndicator: pacer != nil && status != nil) { content(placeholder) } },
          failure: AsyncFailureView.init, empty: AsyncEmptyView.init)
      }
    }
  }
#endif
