// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  public import SwiftUI

  /// The system's indicator, or what ``SwiftUICore/View/asyncLoading(_:)`` says.
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

  /// Content that is not there yet, drawn as a placeholder: redacted, not to be touched, and "Loading" for VoiceOver.
  public struct AsyncPlaceholder<Content: View>: View {
    private let content: Content

    /// A placeholder that has the shape of `content`.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    /// The redacted content.
    public var body: some View {
      content.redacted(reason: .placeholder).disabled(true)
        .accessibilityElement(children: .ignore).accessibilityLabel(AsyncTexts.app.loading.view)
    }
  }

  /// A message about an error with a button that requests again, or what ``SwiftUICore/View/asyncFailure(_:)`` says.
  /// VoiceOver reads the message when it appears.
  public struct AsyncFailureView: View {
    private let error: any Error
    private let actions: AsyncActions
    @Environment(\.asyncLooks) private var looks

    /// The message for an error.
    public init(_ error: any Error, _ actions: AsyncActions) {
      self.error = error
      self.actions = actions
    }

    /// The message and the button.
    public var body: some View {
      if let failure = looks.failure {
        failure(error, actions)
      } else {
        Message(text: looks.text(of: error), symbol: "exclamationmark.triangle", actions: actions)
      }
    }
  }

  /// A message that there is nothing with a button that requests again, or what ``SwiftUICore/View/asyncEmpty(_:)`` says.
  /// VoiceOver reads the message when it appears.
  public struct AsyncEmptyView: View {
    private let actions: AsyncActions
    @Environment(\.asyncLooks) private var looks

    /// The message.
    public init(_ actions: AsyncActions) { self.actions = actions }

    /// The message and the button.
    public var body: some View {
      if let empty = looks.empty {
        empty(actions)
      } else {
        Message(text: AsyncTexts.app.noData, symbol: "tray", actions: actions)
      }
    }
  }

  /// A message that the request waits for its gate, as without a network, or what
  /// ``SwiftUICore/View/asyncWaiting(_:)`` says. VoiceOver reads the message when it appears.
  public struct AsyncWaitingView: View {
    @Environment(\.asyncLooks) private var looks

    /// The message.
    public init() {}

    /// The message. There is no button: the request is made already.
    public var body: some View {
      if let waiting = looks.waiting {
        waiting()
      } else {
        Message(text: AsyncTexts.app.waiting, symbol: "wifi.slash", actions: nil)
      }
    }
  }

  private struct Message: View {
    let text: AsyncText
    let symbol: String
    /// Nil: without a button.
    let actions: AsyncActions?

    var body: some View {
      ContentUnavailableView {
        Label {
          text.view
        } icon: {
          Image(systemName: symbol)
        }
      } actions: {
        if let actions { Button(action: actions.retry) { AsyncTexts.app.retry.view } }
      }
      .onAppear { AccessibilityNotification.Announcement(text.string).post() }
    }
  }

  /// Content that the last request could not renew, with a banner above it that says so; without an error, the content
  /// alone.
  ///
  /// The banner requests again and can be closed. It returns when another request fails. Such content is displayed with
  /// `DisplayPolicy(errors: .never)`.
  public struct StaleBanner<Content: View>: View {
    private let actions: AsyncActions
    private let content: Content
    @Environment(\.asyncLooks) private var looks
    @State private var dismissed: Int? = nil

    /// Content with a banner if there is an error.
    public init(_ actions: AsyncActions, @ViewBuilder content: () -> Content) {
      self.actions = actions
      self.content = content()
    }

    /// The content, and the banner in the safe area above it.
    public var body: some View {
      content.safeAreaInset(edge: .top) {
        if let error = actions.error, actions.attempt != dismissed { banner(looks.text(of: error)) }
      }
    }

    private func banner(_ text: AsyncText) -> some View {
      HStack {
        VStack {
          AsyncTexts.app.notUpdated.view
          text.view.font(.footnote).lineLimit(3)
        }
        Spacer()
        Button(action: actions.retry) { AsyncTexts.app.retry.view }
        Button {
          dismissed = actions.attempt
        } label: {
          Image(systemName: "xmark").accessibilityLabel(AsyncTexts.app.dismiss.view)
        }
      }
      .padding()
      .background(.bar)
      .onAppear { AccessibilityNotification.Announcement(text.string).post() }
    }
  }
#endif
