// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  import AsyncState
  public import SwiftUI

  /// The system's indicator, or what `asyncLoading` says.
  public struct AsyncLoadingView: View {
    @Environment(\.asyncLooks) private var looks

    /// An indicator.
    public init() {}

    /// The indicator.
    public var body: some View {
      if let loading = looks.loading {
        loading()
      } else {
        ProgressView().accessibilityLabel(AsyncTexts.app.loading.view)
      }
    }
  }

  /// Content that is not there yet, drawn as a placeholder: redacted, not to be touched, and "Loading" for VoiceOver. The
  /// standard views in it request nothing.
  public struct AsyncPlaceholder<Content: View>: View {
    private let hasIndicator: Bool
    private let content: Content

    /// A placeholder that has the shape of `content`, with an indicator in front or without.
    public init(hasIndicator: Bool = false, @ViewBuilder content: () -> Content) {
      self.hasIndicator = hasIndicator
      self.content = content()
    }

    /// The redacted content.
    public var body: some View {
      ZStack {
        content.redacted(reason: .placeholder).disabled(true)
          .transformEnvironment(\.asyncLooks) { $0.isSample = true }
        if hasIndicator { AsyncLoadingView() }
      }
      .accessibilityElement(children: .ignore).accessibilityLabel(AsyncTexts.app.loading.view)
    }
  }

  /// A message about an error with a button that requests again, or what `asyncFailure` says.
  /// VoiceOver reads the message when it appears.
  public struct AsyncFailureView: View {
    private let error: any Error
    private let actions: AsyncActions
    private let own: OwnMessage
    @Environment(\.asyncLooks) private var looks

    /// The message for an error.
    public init(_ error: any Error, _ actions: AsyncActions) { self.init(error, actions, OwnMessage()) }

    init(_ error: any Error, _ actions: AsyncActions, _ own: OwnMessage) {
      self.error = error
      self.actions = actions
      self.own = own
    }

    /// The message and the button.
    public var body: some View {
      if let failure = looks.failure {
        failure(error, actions)
      } else {
        Message(
          text: own.text ?? looks.text(of: error), symbol: "exclamationmark.triangle", failure: actions.failure,
          announcer: actions.announcer, retry: own.retry(actions))
      }
    }
  }

  /// A message that there is nothing with a button that requests again, or what `asyncEmpty` says.
  /// VoiceOver reads the message when it appears.
  public struct AsyncEmptyView: View {
    private let actions: AsyncActions
    private let own: OwnMessage
    @Environment(\.asyncLooks) private var looks

    /// The message.
    public init(_ actions: AsyncActions) { self.init(actions, OwnMessage()) }

    init(_ actions: AsyncActions, _ own: OwnMessage) {
      self.actions = actions
      self.own = own
    }

    /// The message and the button.
    public var body: some View {
      if let empty = looks.empty {
        empty(actions)
      } else {
        Message(
          text: own.text ?? AsyncTexts.app.noData, symbol: "tray", announcer: actions.announcer,
          retry: own.retry(actions))
      }
    }
  }

  /// A message that nothing was loaded, as after a cancel or a log-out, with a button that requests, or what `asyncIdle` says.
  /// VoiceOver reads the message when it appears.
  public struct AsyncIdleView: View {
    private let actions: AsyncActions
    private let own: OwnMessage
    @Environment(\.asyncLooks) private var looks

    /// The message.
    public init(_ actions: AsyncActions) { self.init(actions, OwnMessage()) }

    init(_ actions: AsyncActions, _ own: OwnMessage) {
      self.actions = actions
      self.own = own
    }

    /// The message and the button. Without a key there is nothing to request, and no button.
    public var body: some View {
      if let idle = looks.idle {
        idle(actions)
      } else {
        Message(
          text: own.text ?? AsyncTexts.app.idle, symbol: "tray", announcer: actions.announcer,
          retry: own.retry(actions))
      }
    }
  }

  /// A message that the request waits for its gate, as without a network, or what
  /// `asyncWaiting` says. VoiceOver reads the message when it appears. Where the system says that there is no network, a
  /// button says that there is one.
  public struct AsyncWaitingView: View {
    private let own: OwnMessage
    private let announcer: Announcer?
    @Environment(\.asyncLooks) private var looks

    /// The message.
    public init() { self.init(OwnMessage(), nil) }

    /// - Parameter announcer: Reads the message; nil: it reads itself.
    init(_ own: OwnMessage, _ announcer: Announcer?) {
      self.own = own
      self.announcer = announcer
    }

    /// The message. The request is made already; a person can know better than the system whether there is a network.
    public var body: some View {
      if let waiting = looks.waiting {
        waiting()
      } else {
        let insist: @MainActor () -> Void = { LoadGate.assumeOnline() }
        Message(
          text: own.text ?? AsyncTexts.app.waiting, symbol: "wifi.slash", announcer: announcer,
          retry: LoadGate.isOfflineByReport ? insist : nil)
      }
    }
  }

  /// The text of a screen instead of the app's: nil for the same.
  struct OwnMessage: Sendable {
    var text: AsyncText?
    var hasButton = true

    /// The action of the button; nil: without a button, as where there is nothing to request.
    @MainActor
    func retry(_ actions: AsyncActions) -> (@MainActor () -> Void)? {
      hasButton && actions.canRequest ? actions.retry : nil
    }
  }

  private struct Message: View {
    let text: AsyncText
    let symbol: String
    /// Another one is another message, though its text may be the same.
    var failure: FailureID?
    let announcer: Announcer?
    /// Nil: without a button.
    let retry: (@MainActor () -> Void)?

    var body: some View {
      ContentUnavailableView {
        Label {
          text.view
        } icon: {
          Image(systemName: symbol)
        }
      } actions: {
        if let retry { Button(action: retry) { AsyncTexts.app.retry.view } }
      }
      .announced(Announcement(text: text.string, failure: failure), by: announcer)
    }
  }

  /// Content that the last request could not renew, with a banner above it that says so; without an error, the content
  /// alone.
  ///
  /// The banner requests again and can be closed. It returns with another text, when another request of a person has failed,
  /// or when a later one fails after a success. Which errors are displayed beside content, `DisplayPolicy(errors:)` says: by default those of refreshes.
  public struct StaleBanner<Content: View>: View {
    private let actions: AsyncActions
    private let content: Content
    @Environment(\.asyncLooks) private var looks
    /// Of errors that are no resource's.
    @State private var own = ClosedBanner()

    /// Content with a banner if there is an error.
    public init(_ actions: AsyncActions, @ViewBuilder content: () -> Content) {
      self.actions = actions
      self.content = content()
    }

    /// The content, and the banner in the safe area above it.
    public var body: some View {
      content.safeAreaInset(edge: .top) {
        if let error = actions.error {
          let text = looks.text(of: error)
          let message = Announcement(text: text.string, failure: actions.failure)
          let closed = actions.closed ?? own
          if !closed.hides(message) {
            FailureBannerView(text: text, message: message, announcer: actions.announcer, retry: actions.retry) {
              closed.close(message)
            }
          }
        }
      }
      .onChange(of: actions.error == nil) { own.open() }
    }
  }

  /// A banner that says that a request has failed, and requests again.
  struct FailureBannerView: View {
    let text: AsyncText
    let message: Announcement
    /// Reads the banner; nil: it reads itself.
    let announcer: Announcer?
    let retry: @MainActor () -> Void
    let dismiss: @MainActor () -> Void

    @Environment(\.dynamicTypeSize) private var size

    var body: some View {
      // Below one another, and nothing is cut, from the accessibility sizes on.
      let layout = size.isAccessibilitySize ? AnyLayout(VStackLayout()) : AnyLayout(HStackLayout())
      layout {
        VStack {
          AsyncTexts.app.notUpdated.view
          text.view.font(.footnote).lineLimit(size.isAccessibilitySize ? nil : 3)
        }
        Spacer()
        Button(action: retry) { AsyncTexts.app.retry.view }
        Button(action: dismiss) {
          Image(systemName: "xmark").accessibilityLabel(AsyncTexts.app.dismiss.view)
        }
      }
      .padding()
      .background(.bar)
      .announced(message, by: announcer)
    }
  }

  extension View {
    /// VoiceOver reads a text when the view appears, and another one, or that of another failure, when it is displayed.
    ///
    /// - Parameter announcer: Knows what was read before; nil: the view itself does.
    func announced(_ announcement: Announcement, by announcer: Announcer?) -> some View {
      Announced(announcement: announcement, announcer: announcer, content: self)
    }
  }

  private struct Announced<Content: View>: View {
    let announcement: Announcement
    let announcer: Announcer?
    let content: Content
    @State private var own = Announcer()

    var body: some View {
      let announcer = announcer ?? own
      content
        .onAppear { announcer.announce(announcement) }
        .onChange(of: announcement) { announcer.announce(announcement) }
    }
  }
#endif
