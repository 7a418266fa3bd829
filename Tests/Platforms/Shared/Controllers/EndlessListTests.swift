// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateUI
import Testing
import Toolkit

/// A table whose last item, and a row of status behind it, change their texts.
final class EndlessTable: Leaf, EndlessListScreen {
  let table = Table()
  private let feed: AsyncResource<Paged<Int, Int>>
  private let window = Window()
  private let status = Input<String?>(nil)
  private var rows: TableRows<Row>?

  init(_ feed: AsyncResource<Paged<Int, Int>>) {
    self.feed = feed
    super.init("table")
    window.root = self
    #if canImport(UIKit)
      window.makeKeyAndVisible()
    #endif
  }
  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    view.addSubview(table)
    let items = feed.observed.zip(status).map { snapshot, status in
      let items = snapshot.value?.items ?? []
      return items.map { Row(id: $0, text: $0 == items.last ? status ?? "" : "") }
        + [status].compactMap { $0 }.map { Row(id: -1, text: $0) }
    }
    #if canImport(UIKit)
      table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      let source = ListDataSource<Row, UITableViewCell>(
        items: items,
        dequeue: { [unowned self] in
          table.dequeueReusableCell(withIdentifier: "row", for: IndexPath(row: $0, section: 0))
        }, configure: { _, _ in })
      table.tableFooterView = PageFooterView(feed)
    #else
      let source = ListDataSource<Row, NSView>(
        items: items, dequeue: { _ in NSView(frame: .zero) }, configure: { _, _ in })
    #endif
    rows = TableRows(source, in: table)
    rows?.requestPages(of: feed)
  }

  func scroll(to row: Int) { table.scroll(to: row) }
  func redraw() { table.reloadData() }
  func setStatusRow(_ text: String?) { status.write(text) }
  func draw() async { await Task { @MainActor in }.value }
}

extension ToolkitTests {
  @MainActor
  struct EndlessListTests {
    @Test("8.5, 9.15 an endless table: failures, retries, refreshes, status rows")
    func table() async {
      #expect(await EndlessListSuite<EndlessTable>.faultsAtFailures(reset: StandIn.reset) == [])
    }

    @Test("9.15, 9.18 an endless table with a server that is slow, and one that counts")
    func servers() async {
      #expect(await EndlessListSuite<EndlessTable>.faultsWithServers(reset: StandIn.reset) == [])
    }

    @Test("8.5, 9.15 an endless table at random")
    func randomTable() async {
      #expect(await EndlessListSuite<EndlessTable>.faultsAtRandom(reset: StandIn.reset) == [])
    }
  }
}
