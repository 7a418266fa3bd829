// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateTesting
import AsyncStateUI
import Testing
import UIKit

extension ToolkitTests {
  /// Endless tables whose delegate is the client's, and the footer.
  @MainActor
  struct UIKitEndlessTests {
    /// A table in a window, with a row of status behind the others.
    class Screen: UITableViewController, EndlessListScreen {
      let feed: AsyncResource<Paged<Int, Int>>
      let status = Input<String?>(nil)
      let rows: Observed<[Row]>
      private let window = UIWindow()

      required init(_ feed: AsyncResource<Paged<Int, Int>>) {
        self.feed = feed
        rows = feed.observed.zip(status).map { snapshot, status in
          (snapshot.value?.items ?? []).map { Row(id: $0) } + [status].compactMap { $0 }.map { Row(id: -1, text: $0) }
        }
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
      func setStatusRow(_ text: String?) { status.write(text) }
      func draw() async { await Task { @MainActor in }.value }
    }

    /// A table whose data source and delegate are the screen's own: it reports row by row.
    final class OwnTable: Screen, UITableViewDataSource, UITableViewDelegate {
      private var token: ObservedToken?
      private var count = 0

      override func viewDidLoad() {
        super.viewDidLoad()
        tableView.dataSource = self
        tableView.delegate = self
        token = rows.observe { [weak self] in
          self?.count = $0.count
          self?.tableView.reloadData()
        }
      }

      func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { count }
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
      private var source: UITableViewDiffableDataSource<Int, Int>?
      private var binding: ObservedToken?

      override func viewDidLoad() {
        super.viewDidLoad()
        let source = ListDataSource<Row, UITableViewCell>(
          items: rows,
          dequeue: { [tableView] in
            tableView!.dequeueReusableCell(withIdentifier: "row", for: IndexPath(row: $0, section: 0))
          }, configure: { _, _ in })
        let diffable = UITableViewDiffableDataSource<Int, Int>(tableView: tableView) { _, path, id in
          source.cell(of: id, at: ListPath(path))
        }
        self.source = diffable
        tableView.delegate = self
        binding = diffable.bind(to: source) { _ in 0 }
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

    @Test("9.15, 9.18 an endless table that reports row by row, and loads all its rows again at each change")
    func ownTable() async {
      #expect(await EndlessListSuite<OwnTable>.faultsAtFailures(reset: StandIn.reset) == [])
      #expect(await EndlessListSuite<OwnTable>.faultsWithServers(reset: StandIn.reset) == [])
    }

    @Test("8.5 a footer: an indicator while a page is requested, its error with a retry, then nothing")
    func footer() async throws {
      let gate = ManualServer<Paged<Int, Int>.Page>()
      let feed = AsyncResource(.pages { page in try await gate.wait(for: page.cursor ?? 0) })
      let screen = TableScreen()
      let window = makeWindow()
      window.root = screen
      let footer = PageFooterView(feed)
      screen.table.tableFooterView = footer
      func visible() -> [String] {
        footer.subviews.filter { !$0.isHidden }.map { "\(type(of: $0))" }
      }
      #expect(visible() == [])
      gate.answer(for: 0, with: .success(.init(items: [0], next: 1)))
      await feed.load()
      #expect(visible() == [])
      let page = Task { await feed.loadNext() }
      await gate.arrived(for: 1)
      #expect(visible() == ["UIActivityIndicatorView"])
      gate.answer(for: 1, with: .failure(Offline()))
      _ = await page.value
      #expect(visible() == ["UILabel", "UIButton"])
      #expect(UIAccessibility.posts == ["announcement You are offline."])
      // The list changes, and nothing is read again.
      await feed.mutate {
        $0[0] = 7
      } commit: {
      }
      #expect(UIAccessibility.posts == ["announcement You are offline."] && visible() == ["UILabel", "UIButton"])
      let button = try #require(footer.subviews.last as? UIButton)
      button.sendActions(for: .primaryActionTriggered)
      await gate.arrived(3)
      #expect(visible() == ["UIActivityIndicatorView"])
      gate.answer(for: 1, with: .success(.init(items: [1], next: nil)))
      await feed.settled()
      #expect(visible() == [])
      #expect(feed.value?.items == [7, 1])
    }

    @Test("8.5 after a cancel there is a button alone, which requests the page")
    func cancelledPage() async throws {
      let gate = ManualServer<Paged<Int, Int>.Page>()
      let feed = AsyncResource(.pages { page in try await gate.wait(for: page.cursor ?? 0) })
      feed.start()
      let screen = EndlessTable(feed)
      let footer = try #require(screen.table.tableFooterView as? PageFooterView)
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
