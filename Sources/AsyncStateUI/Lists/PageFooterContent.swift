// SPDX-License-Identifier: MIT
#if canImport(SwiftUI) || canImport(UIKit) && !os(watchOS)
  import AsyncState

  /// The content of the footer below the last row of a list in pages.
  enum PageFooterContent {
    case nothing
    case indicator
    case waiting
    /// The error of the request, with a button that requests the page again.
    case failure(any Error)
    /// The button alone: the request was cancelled.
    case button

    /// - Parameter followsByItself: True if the next page is requested because the footer is displayed.
    @MainActor
    init<Item, Cursor>(of feed: AsyncResource<Paged<Item, Cursor>>, followsByItself: Bool) {
      let page = feed.nextPage
      let isExpected = feed.value?.next != nil && feed.canRequestPages
      self =
        if page.isWaiting {
          .waiting
        } else if page.isRunning {
          .indicator
        } else if isExpected, let error = page.error {
          .failure(error)
        } else if isExpected, feed.isPageResting {
          .button
        } else {
          isExpected && followsByItself ? .indicator : .nothing
        }
    }
  }
#endif
