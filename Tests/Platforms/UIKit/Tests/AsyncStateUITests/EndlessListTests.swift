// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateTesting
import AsyncStateUI
import Testing
import UIKit

extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct EndlessListTests {
    /// The rows of a list, and a row of status behind them.
    @MainActor
    final class Rows {
      let status = Input<String?>(nil)
      let texts: Observed<[String]>

      init(_ feed: AsyncResource<Paged<Int, Int>>) {
        texts = feed.observed.zip(status).map { snapshot, status in
          (snapshot.value?.items ?? []).map { "\($0)" } + [status].compactMap { $0 }
        }
      }
    }

    /// A table in a window.
    class Screen: UITableViewController, EndlessListScreen {
      let feed: AsyncResource<Paged<Int, Int>>
      let content: Rows
      private let window = UIWindow()

      required init(_ feed: AsyncResource<Paged<Int, Int>>) {
        self.feed = feed
        content = Rows(feed)
        super.init(nibName: nil, bundle: nil)
        window.rootViewController = self
        window.makeKeyAndVisible()
      }
      required init?(coder: NSCoder) { nil }

      override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      }

      func scroll(to row: Int) { tableView.scroll(to: row) }
      func redraw() { tableView.reloadData() }
      func setStatusRow(_ text: String?) { content.status.write(text) }
      func draw() async { await Task { @MainActor in }.value }
    }

    /// A table with a footer, as the article EndlessLists has it.
    final class Table: Screen {
      private var rows: TableRows<String>?

      override func viewDidLoad() {
        super.viewDidLoad()
        let source = ListDataSource<String, UITableViewCell>(
          items: content.texts,
          dequeue: { [tableView] in
            tableView!.dequeueReusableCell(withIdentifier: "row", for: IndexPath(row: $0, section: 0))
          }, configure: { _, _ in })
        rows = TableRows(source, in: tableView)
        rows?.requestPages(of: feed)
        tableView.tableFooterView = PageFooterView(feed)
      }
    }

    /// A table whose data source and delegate are the screen's own: it reports row by row.
    final class OwnTable: Screen, UITableViewDataSource, UITableViewDelegate {
      private var token: ObservedToken?
      private var texts: [String] = []

      override func viewDidLoad() {
        super.viewDidLoad()
        tableView.dataSource = self
        tableView.delegate = self
        token = content.texts.observe { [weak self] in
          self?.texts = $0
          self?.tableView.reloadData()
        }
      }

      func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { texts.count }
      func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
        tableView.dequeueReusableCell(withIdentifier: "row", for: path)
      }
      // A list is not updated inside its own call.
      func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt path: IndexPath) {
        Task { @MainActor in feed.willDisplay(row: path.row) }
      }
      func tableView(_ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt path: IndexPath) {
        Task { @MainActor in feed.didEndDisplaying(row: path.row) }
      }
    }

    /// A table with a diffable data source, whose delegate reports row by row, as the article has it.
    final class DiffableTable: Screen, UITableViewDelegate {
      private struct Row: Identifiable, Equatable {
        var id: String
      }

      private var rows: UITableViewDiffableDataSource<Int, String>?
      private var binding: ObservedToken?

      override func viewDidLoad() {
        super.viewDidLoad()
        let source = ListDataSource<Row, UITableViewCell>(
          items: content.texts.map { $0.map(Row.init) },
          dequeue: { [tableView] in
            tableView!.dequeueReusableCell(withIdentifier: "row", for: IndexPath(row: $0, section: 0))
          }, configure: { _, _ in })
        let rows = UITableViewDiffableDataSource<Int, String>(tableView: tableView) { _, path, id in
          source.cell(of: id, at: ListPath(path))
        }
        self.rows = rows
        tableView.delegate = self
        binding = rows.bind(to: source) { _ in 0 }
        tableView.tableFooterView = PageFooterView(feed)
      }

      func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt path: IndexPath) {
        feed.willDisplay(row: path.row)
      }
      func tableView(_ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt path: IndexPath) {
        feed.didEndDisplaying(row: path.row)
      }
    }

    @Test("9.15, 9.18 an endless table with a diffable data source: failures, a slow server, and one that counts")
    func diffableTable() async {
      #expect(await EndlessListSuite<DiffableTable>.faultsAtFailures(reset: StandIn.reset) == [])
      #expect(await EndlessListSuite<DiffableTable>.faultsWithServers(reset: StandIn.reset) == [])
    }

    @Test("9.15, 9.18 endless tables with a server that is slow, and one that counts")
    func servers() async {
      #expect(await EndlessListSuite<Table>.faultsWithServers(reset: StandIn.reset) == [])
      #expect(await EndlessListSuite<OwnTable>.faultsWithServers(reset: StandIn.reset) == [])
    }

    @Test("8.5, 9.15 an endless table: failures, retries, refreshes, status rows")
    func table() async {
      #expect(await EndlessListSuite<Table>.faultsAtFailures(reset: StandIn.reset) == [])
    }

    @Test("8.5, 9.15 an endless table at random")
    func randomTable() async {
      #expect(await EndlessListSuite<Table>.faultsAtRandom(reset: StandIn.reset) == [])
    }

    @Test("9.15 an endless table that reports row by row, and loads all its rows again at each change")
    func ownTable() async {
      #expect(await EndlessListSuite<OwnTable>.faultsAtFailures(reset: StandIn.reset) == [])
    }

    @Test("8.5 after a cancel there is a button alone, which requests the page")
    func cancelledPage() async throws {
      let gate = ManualServer<Paged<Int, Int>.Page>()
      let feed = AsyncResource(.pages { page in try await gate.wait(for: page.cursor ?? 0) })
      feed.start()
      let screen = Table(feed)
      let footer = try #require(screen.tableView.tableFooterView as? PageFooterView)
      var visible: [UIView] { footer.subviews.filter { !$0.isHidden } }
      gate.answer(for: 0, with: .success(.init(items: [0], next: 1)))
      await gate.arrived(for: 1)
      #expect(visible.map { $0 is UIActivityIndicatorView } == [true])
      feed.cancel()
      #expect(visible.count == 1)
      try #require(visible.first as? UIButton).sendActions(for: .primaryActionTriggered)
      await gate.arrived(3)
      #expect(visible.map { $0 is UIActivityIndicatorView } == [true])
      gate.answer(for: 1, with: .success(.init(items: [1])))
      await feed.settled()
      #expect(visible == [] && feed.value?.items == [0, 1])
    }
  }
}
