// SPDX-License-Identifier: MIT
import AppKit
import AsyncState
import AsyncStateLists
import AsyncStateUI
import Testing

extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct EndlessListTests {
    /// A table whose rows change their texts, each of which AppKit makes anew.
    final class Table: NSViewController, EndlessListScreen {
      private let feed: AsyncResource<Paged<Int, Int>>
      private let window = NSWindow()
      private let table = NSTableView()
      private let status = Input<String?>(nil)
      private var rows: TableRows<Row>?

      struct Row: Identifiable, Equatable {
        var id: Int
        var text: String
      }

      init(_ feed: AsyncResource<Paged<Int, Int>>) {
        self.feed = feed
        super.init(nibName: nil, bundle: nil)
        window.contentViewController = self
      }
      required init?(coder: NSCoder) { nil }

      override func loadView() {
        view = NSView()
        view.addSubview(table)
        let source = ListDataSource<Row, NSView>(
          items: feed.observed.zip(status).map { snapshot, status in
            let items = snapshot.value?.items ?? []
            // The last item changes its text, too.
            return items.map { Row(id: $0, text: $0 == items.last ? status ?? "" : "") }
              + [status].compactMap { $0 }.map { Row(id: -1, text: $0) }
          },
          dequeue: { _ in NSView(frame: .zero) }, configure: { _, _ in })
        rows = TableRows(source, in: table)
        rows?.requestPages(of: feed)
      }

      func scroll(to row: Int) { table.scroll(toRow: row) }
      func redraw() { table.reloadData() }
      func setStatusRow(_ text: String?) { status.write(text) }
      func draw() async { await Task { @MainActor in }.value }
    }

    @Test("8.5, 9.15 an endless table: failures, retries, refreshes, status rows")
    func table() async {
      #expect(await EndlessListSuite<Table>.faultsAtFailures(reset: StandIn.reset) == [])
    }

    @Test("9.15, 9.18 an endless table with a server that is slow, and one that counts")
    func servers() async {
      #expect(await EndlessListSuite<Table>.faultsWithServers(reset: StandIn.reset) == [])
    }

    @Test("8.5, 9.15 an endless table at random")
    func randomTable() async {
      #expect(await EndlessListSuite<Table>.faultsAtRandom(reset: StandIn.reset) == [])
    }
  }
}
