// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

  /// What a list displays, as it is reported to the resource that has its pages.
  @MainActor
  struct PageReport {
    private var displaying: (Range<Int>) -> Void = { _ in }

    /// Reports to a resource from now on.
    ///
    /// - Parameters:
    ///   - feed: The list in pages. It is not kept.
    ///   - list: What displays the rows. It is not kept, either.
    mutating func follow<Element, Cursor>(
      _ feed: AsyncResource<Paged<Element, Cursor>>, in list: AnyObject, threshold: Int
    ) {
      displaying = { [weak list, weak feed] rows in
        if let list { feed?.displaying(rows, in: list, threshold: threshold) }
      }
    }

    /// - Parameters:
    ///   - rows: The rows that are displayed, in any order.
    ///   - row: One that is about to be.
    func report(_ rows: [Int], and row: Int?) {
      let all = rows + [row].compactMap { $0 }
      displaying((all.min() ?? 0)..<(all.max().map { $0 + 1 } ?? 0))
    }
  }
#endif
