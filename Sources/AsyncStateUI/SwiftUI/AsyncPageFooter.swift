// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  public import AsyncState
  public import SwiftUI

  /// The last row of an endless list: the next page is requested while it is displayed. An indicator while that is on its way,
  /// the error with a retry button when its request has failed, otherwise nothing.
  ///
  /// ```swift
  /// List {
  ///   ForEach(pages.items) { Text($0.title) }
  ///   AsyncPageFooter(feed)
  /// }
  /// ```
  ///
  /// It belongs into a lazy container, such as `List` or `LazyVStack`: in another one it is displayed from the beginning on,
  /// and all pages are requested.
  ///
  /// A request runs until it settles. A page that failed is requested again by the button, when the row was scrolled away and
  /// returns, and after a refresh that was answered.
  public struct AsyncPageFooter<Item, Cursor>: View {
    private let feed: AsyncResource<Paged<Item, Cursor>>
    private let requestsPages: Bool
    @Environment(\.asyncLooks) private var looks
    /// What the resource knows the row by.
    @State private var row = PageFooterRow()

    /// The last row of a list.
    ///
    /// - Parameters:
    ///   - feed: The list.
    ///   - requestsPages: Whether a page is requested while the row is displayed; if not, only by its button.
    public init(_ feed: AsyncResource<Paged<Item, Cursor>>, requestsPages: Bool = true) {
      self.feed = feed
      self.requestsPages = requestsPages
    }

    /// The row.
    public var body: some View {
      let page = feed.nextPage
      let pages = feed.value
      let isExpected = requestsPages && pages?.next != nil && feed.canRequestPages
      // The row behind those that are drawn. When a page has arrived, it is another one, if it is displayed even then.
      let index = pages?.items.count ?? 0
      let isReporting = requestsPages && !looks.isSample
      // A root that is there even if the row is empty: an empty view never appears.
      ZStack {
        if page.isWaiting {
          AsyncTexts.app.waiting.view.font(.footnote)
        } else if let error = page.error, !page.isRunning {
          failure(looks.text(of: error))
        } else if page.isRunning || isExpected && !feed.isPageResting {
          AsyncLoadingView()
        } else if isExpected {
          retryButton
        }
      }
      .onAppear { if isReporting { row.report(index, to: feed) } }
      .onChange(of: isReporting ? index : nil) { if isReporting { row.report(index, to: feed) } else { row.end(feed) } }
      .onDisappear { row.end(feed) }
      .id(ObjectIdentifier(feed))
    }

    private func failure(_ text: AsyncText) -> some View {
      VStack {
        text.view.font(.footnote).lineLimit(3)
        retryButton
      }
      .announced(Announcement(text: text.string), by: Announcer())
    }

    private var retryButton: some View {
      Button {
        Task { _ = await feed.loadNext() }
      } label: {
        AsyncTexts.app.retry.view
      }
    }
  }

  /// The last row, for the resource.
  @MainActor
  final class PageFooterRow {
    func report<Item, Cursor>(_ index: Int, to feed: AsyncResource<Paged<Item, Cursor>>) {
      feed.displaying(index..<index + 1, in: self, threshold: 0)
    }

    func end<Item, Cursor>(_ feed: AsyncResource<Paged<Item, Cursor>>) { feed.endDisplaying(in: self) }
  }
#endif
