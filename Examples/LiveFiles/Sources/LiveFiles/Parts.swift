// SPDX-License-Identifier: MIT
import AsyncState

/// A child that is part of the page. The page is what the visible children draw.
protocol Drawn: ChildController {
  func draw(_ page: inout Page)
}

extension StateContainer: Drawn {
  func draw(_ page: inout Page) { for case let child as any Drawn in children { child.draw(&page) } }
}

extension AsyncHost: Drawn {
  func draw(_ page: inout Page) { container.draw(&page) }
}

/// A child that draws one thing.
final class Fragment: Drawn {
  private let body: (inout Page) -> Void
  init(_ body: @escaping (inout Page) -> Void) { self.body = body }
  func draw(_ page: inout Page) { body(&page) }
}

/// A row of a list: it requests its mark and its summary when it appears. Because it holds the mark, that is requested
/// again when it changes.
final class FileRow: Drawn {
  private let entry: Entry
  private let mark: AsyncResource<Mark>
  private let summary: AsyncResource<String>
  private weak let visitor: Visitor?

  init(_ entry: Entry, mark: AsyncResource<Mark>, summary: AsyncResource<String>, visitor: Visitor?) {
    (self.entry, self.mark, self.summary, self.visitor) = (entry, mark, summary, visitor)
  }

  func willAppear(animated: Bool) {
    // Justified: a container calls its children on the actor that it lives on, which a synchronous method cannot say.
    nonisolated(unsafe) let row = self
    visitor?.assumeIsolated { visitor in
      row.mark.start(when: .stale, isolation: visitor)
      row.summary.start(when: .stale, isolation: visitor)
    }
  }

  func didDisappear(animated: Bool) { summary.cancel() }

  func draw(_ page: inout Page) { page.add(entry, mark.snapshot, summary.snapshot) }
}

/// The rows of one list. An entry that stays in the list keeps its row.
final class Rows {
  private var rows: [Entry: FileRow] = [:]
  private let make: (Entry) -> FileRow
  init(_ make: @escaping (Entry) -> FileRow) { self.make = make }

  func callAsFunction(_ entries: [Entry]) -> [FileRow] {
    rows = Dictionary(entries.map { ($0, rows[$0] ?? make($0)) }) { first, _ in first }
    return entries.compactMap { rows[$0] }
  }
}
