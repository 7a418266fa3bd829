// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  public import SwiftUI

  /// The looks of the standard views below a view.
  struct AsyncLooks: Sendable {
    var loading: (@MainActor () -> AnyView)?
    var waiting: (@MainActor () -> AnyView)?
    var failure: (@MainActor (any Error, AsyncActions) -> AnyView)?
    var empty: (@MainActor (AsyncActions) -> AnyView)?
    var idle: (@MainActor (AsyncActions) -> AnyView)?
    var errorText: (@MainActor (any Error) -> String)?
    var animation: Animation?
    /// What is below is drawn as a placeholder of something that is on its way: it requests nothing.
    var isSample = false

    @MainActor
    func text(of error: any Error) -> AsyncText {
      errorText.map { AsyncText($0(error)) } ?? AsyncTexts.app.failure(error)
    }
  }

  private enum AsyncLooksKey: EnvironmentKey {
    static let defaultValue = AsyncLooks()
  }

  extension EnvironmentValues {
    var asyncLooks: AsyncLooks {
      get { self[AsyncLooksKey.self] }
      set { self[AsyncLooksKey.self] = newValue }
    }
  }

  // Set once at the root of an app, they hold for all its screens, sheets included.
  extension View {
    /// Displays `view` while a value is on its way, in every ``AsyncView`` below that has no loading view of its own.
    ///
    /// ```swift
    /// ContentView()
    ///   .asyncLoading { Text("One moment…") }
    /// ```
    public func asyncLoading<Loading: View>(
      @ViewBuilder _ view: @escaping @MainActor () -> Loading
    ) -> some View {
      transformEnvironment(\.asyncLooks) { $0.loading = { AnyView(view()) } }
    }

    /// Displays `view` while nothing is known and the request waits for its gate, as without a network, in every
    /// ``AsyncView`` below.
    public func asyncWaiting<Waiting: View>(
      @ViewBuilder _ view: @escaping @MainActor () -> Waiting
    ) -> some View {
      transformEnvironment(\.asyncLooks) { $0.waiting = { AnyView(view()) } }
    }

    /// Displays `view` for an error, in every ``AsyncView`` below that has no failure view of its own.
    public func asyncFailure<Failure: View>(
      @ViewBuilder _ view: @escaping @MainActor (any Error, AsyncActions) -> Failure
    ) -> some View {
      transformEnvironment(\.asyncLooks) { $0.failure = { AnyView(view($0, $1)) } }
    }

    /// Displays `view` if there is nothing, in every ``AsyncView`` below that has no empty view of its own.
    public func asyncEmpty<Empty: View>(
      @ViewBuilder _ view: @escaping @MainActor (AsyncActions) -> Empty
    ) -> some View {
      transformEnvironment(\.asyncLooks) { $0.empty = { AnyView(view($0)) } }
    }

    /// Displays `view` if nothing is known and nothing is being requested, as after a cancel or a log-out, in every
    /// ``AsyncView`` below.
    public func asyncIdle<Idle: View>(
      @ViewBuilder _ view: @escaping @MainActor (AsyncActions) -> Idle
    ) -> some View {
      transformEnvironment(\.asyncLooks) { $0.idle = { AnyView(view($0)) } }
    }

    /// Animates the change from one status to another, such as from the indicator to the content, in every ``AsyncView``
    /// below. Its first status is displayed at once, and one value after another is not animated.
    ///
    /// Without it no status is animated. It also says how a ``StateView`` below animates.
    ///
    /// - Parameter animation: How; nil: not at all, for a screen below an animated one.
    public func asyncAnimation(_ animation: Animation? = .default) -> some View {
      transformEnvironment(\.asyncLooks) { $0.animation = animation }
    }

    /// Lists below cannot be pulled, for the content of a sheet: SwiftUI passes the `refreshable` of an ``AsyncView`` on to the
    /// sheets that it presents, and a pull there would refresh the screen below.
    ///
    /// A `refreshable` of the sheet's own, and an `AsyncView` in it, can be pulled.
    public func asyncPullDisabled() -> some View {
      transformEnvironment(\.self) { $0.removeRefresh() }
    }

    /// The text of an error in every standard view below. By default it is that of ``AsyncTexts/app``.
    public func asyncErrorText(_ text: @escaping @MainActor (any Error) -> String) -> some View {
      transformEnvironment(\.asyncLooks) { $0.errorText = text }
    }
  }

  extension EnvironmentValues {
    /// The setter of `refresh` is not documented; where there is none, nothing is changed.
    fileprivate mutating func removeRefresh() {
      guard let refresh = \EnvironmentValues.refresh as? WritableKeyPath<EnvironmentValues, RefreshAction?> else {
        return
      }
      self[keyPath: refresh] = nil
    }
  }

  extension AsyncText {
    /// The text as a view, in the language of its environment.
    @MainActor public var view: Text {
      switch source {
      case .own(let text): Text(verbatim: text)
      case .translated(let key):
        if let bundle = Self.bundle { Text(LocalizedStringKey(key), bundle: bundle) } else { Text(verbatim: key) }
      }
    }
  }
#endif
