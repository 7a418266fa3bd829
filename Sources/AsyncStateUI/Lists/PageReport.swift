// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

  /// Reports the displayed rows of a list to the resource that has its pages.
  @MainActor
  struct PageReport {
    private var displaying: (Range<Int>) -> Void = { _ in }
    private var end: () -> Void = {}

    /// Reports to a resource from now on.
    ///
    /// - Parameters:
    ///   - feed: The list in pages. It is held weakly.
    ///   - list: The object that displays the rows. It is held weakly, too.
    mutating func follow<Element, Cursor>(
      _ feed: AsyncResource<Paged<Element, Cursor>>, in list: AnyObject, threshold: Int
    ) {
      // The rows of the previous one are displayed no more.
      end()
      displaying = { [weak list, weak feed] rows in
        if let list { feed?.displaying(rows, in: list, threshold: threshold) }
      }
      end = { [weak list, weak feed] in if let list { feed?.endDisplaying(in: list) } }
    }

    /// - Parameters:
    ///   - rows: The rows that are displayed, in any order.
    ///   - row: A row that is about to be displayed; nil: there is none.
    func report(_ rows: [Int], and row: Int?) {
      let all = rows + [row].compactMap { $0 }
      displaying((all.min() ?? 0)..<(all.max().map { $0 + 1 } ?? 0))
    }
  }
#endif
