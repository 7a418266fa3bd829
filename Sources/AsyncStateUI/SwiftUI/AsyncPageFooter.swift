// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  public import AsyncState
  public import SwiftUI

  /// The last row of an endless list: requests the next page when it is displayed. An indicator while that is
  /// on its way, the error with a retry button when its request has failed, otherwise nothing.
  ///
  /// ```swift
  /// List {
  ///   ForEach(pages.items) { Text($0.title) }
  ///   AsyncPageFooter(feed)
  /// }
  /// ```
  ///
  /// A request ends with the row, unless another caller wants it. A page that failed is requested again by the button, and
  /// when the row is displayed again.
  public struct AsyncPageFooter<Item, Cursor>: View {
    private let feed: AsyncResource<Paged<Item, Cursor>>
    private let requestsPages: Bool
    @Environment(\.asyncLooks) private var looks
    /// How many pages this row has requested with success. Another one is requested if the row is displayed even then.
    @State private var count = 0
    /// The last request of this row has ended without a page and without an error: it was cancelled or refused.
    @State private var hasEnded = false

    /// The last row of a list.
    ///
    /// - Parameters:
    ///   - feed: The list.
    ///   - requestsPages: Whether the row requests a page when it is displayed; if not, only its button does.
    public init(_ feed: AsyncResource<Paged<Item, Cursor>>, requestsPages: Bool = true) {
      self.feed = feed
      self.requestsPages = requestsPages
    }

    /// The row.
    public var body: some View {
      let page = feed.nextPage
      let hasMore = feed.value?.next != nil
      let request = Request(
        feed: ObjectIdentifier(feed), number: count,
        isPossible: requestsPages && hasMore && !feed.isRunning && !looks.isSample)
      // A root that is there even if the row is empty: a task of an empty view never starts.
      ZStack {
        if page.isWaiting {
          AsyncTexts.app.waiting.view.font(.footnote)
        } else if let error = page.error, !page.isRunning {
          failure(looks.text(of: error))
        } else if page.isRunning || hasMore && requestsPages && !hasEnded {
          AsyncLoadingView()
        }
      }
      // The closure belongs to no actor in some versions of SwiftUI. What it calls belongs to the main actor.
      .task(id: request) { if request.isPossible { await load() } }
    }

    /// The values that a task depends on.
    private struct Request: Hashable {
      var feed: ObjectIdentifier
      var number: Int
      var isPossible: Bool
    }

    @MainActor
    private func load() async {
      hasEnded = false
      switch await feed.loadNext() {
      case .success: count += 1
      case .failure: break
      case .cancelled, .superseded, .noFirstPage, .noFurtherPage, .loadIsRunning: hasEnded = true
      }
    }

    private func failure(_ text: AsyncText) -> some View {
      VStack {
        text.view.font(.footnote).lineLimit(3)
        Button {
          Task { await load() }
        } label: {
          AsyncTexts.app.retry.view
        }
      }
      .announced(Announcement(text: text.string), by: Announcer())
    }
  }
#endif
