// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  public import AsyncState
  public import SwiftUI

  /// The last row of a list in pages. The next page is requested while the row is displayed.
  ///
  /// The row displays an indicator while the page is requested, a text while the request waits for its gate, the error
  /// with a retry button after a failure, and the button alone after a cancellation. Otherwise it is empty.
  ///
  /// ```swift
  /// List {
  ///   ForEach(pages.items) { Text($0.title) }
  ///   AsyncPageFooter(feed)
  /// }
  /// ```
  ///
  /// Put the row into a lazy container, such as `List` or `LazyVStack`. In another container it is displayed from the
  /// beginning on, and all pages are requested.
  ///
  /// A request runs until it settles. A page that has failed is requested again by the button, when the row was
  /// scrolled away and returns, and after a refresh that was answered.
  public struct AsyncPageFooter<Item, Cursor>: View {
    private let feed: AsyncResource<Paged<Item, Cursor>>
    private let requestsPages: Bool
    @Environment(\.asyncLooks) private var looks
    /// The object that identifies the row for the resource.
    @State private var row = PageFooterRow()

    /// Creates the last row of a list.
    ///
    /// - Parameters:
    ///   - feed: The list.
    ///   - requestsPages: True to request a page while the row is displayed; false to request it only by the button.
    public init(_ feed: AsyncResource<Paged<Item, Cursor>>, requestsPages: Bool = true) {
      self.feed = feed
      self.requestsPages = requestsPages
    }

    /// The row.
    public var body: some View {
      // The index after the last item. A row that is still displayed is reported again when the list was written. The index may be
      // the same then: a page has arrived, and as many rows were removed at the beginning.
      let index = feed.value?.items.count ?? 0
      let isReporting = requestsPages && !looks.isSample
      // The stack is there even if the row is empty, because an empty view never appears.
      ZStack {
        switch PageFooterContent(of: feed, followsByItself: requestsPages) {
        case .nothing: EmptyView()
        case .indicator: AsyncLoadingView()
        case .waiting: AsyncTexts.app.waiting.view.font(.footnote)
        case .failure(let error): failure(looks.text(of: error))
        case .button: retryButton
        }
      }
      .onAppear { row.appear(isReporting ? index : nil, in: feed) }
      .onChange(of: isReporting ? feed.writeCount : nil) { row.change(isReporting ? index : nil, in: feed) }
      .onDisappear { row.disappear(from: feed) }
      .id(ObjectIdentifier(feed))
    }

    private func failure(_ text: AsyncText) -> some View {
      VStack {
        text.view.font(.footnote).lineLimit(3)
        retryButton
      }
      .announced(Announcement(text: text.string), by: nil)
    }

    private var retryButton: some View {
      Button {
        Task { _ = await feed.loadNext() }
      } label: {
        AsyncTexts.app.retry.view
      }
    }
  }

  /// Reports the last row to the resource while it is displayed, and identifies it.
  @MainActor
  final class PageFooterRow {
    /// The feed whose row is displayed. Where another one takes its place, the row of that may appear first.
    private var displayed: ObjectIdentifier?

    /// - Parameter index: The index of the row; nil: it requests nothing.
    func appear<Item, Cursor>(_ index: Int?, in feed: AsyncResource<Paged<Item, Cursor>>) {
      displayed = ObjectIdentifier(feed)
      change(index, in: feed)
    }

    /// Reports the row again, because the list was written. A row that is covered, or scrolled away, may be drawn, too.
    func change<Item, Cursor>(_ index: Int?, in feed: AsyncResource<Paged<Item, Cursor>>) {
      guard displayed == ObjectIdentifier(feed), let index else { return feed.endDisplaying(in: self) }
      feed.displaying(index..<index + 1, in: self, threshold: 0)
    }

    func disappear<Item, Cursor>(from feed: AsyncResource<Paged<Item, Cursor>>) {
      if displayed == ObjectIdentifier(feed) { displayed = nil }
      feed.endDisplaying(in: self)
    }
  }
#endif
