// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateUI
import Testing
import UIKit

/// Rows that change inside a call of their list, and rows that grow.
extension ToolkitTests {
  @MainActor
  struct ListCallTests {
    final class GrowingRow: UIViewController, @MainActor ReusableController {
      let label = UILabel()
      var onAppear: () -> Void = {}
      override func viewDidLoad() {
        super.viewDidLoad()
        label.numberOfLines = 0
        view.addSubview(label)
      }
      func configure(with row: Row) { label.text = row.text }
      func prepareForReuse() {}
      func didAppear(animated: Bool) { onAppear() }
    }

    private let window = makeWindow()
    private let screen = UITableViewController()
    private let rows = Input((0..<3).map { Row(id: $0) })
    private var table: UITableView { screen.tableView }

    init() {
      table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      window.root = screen
    }

    /// What was left for later is a job of the main actor.
    private func later() async { await Task { @MainActor in }.value }

    private func makeSource(
      configure: @escaping (UITableViewCell, Row) -> Void = { _, _ in }
    ) -> ListDataSource<Row, UITableViewCell> {
      ListDataSource(
        sections: rows.map { [ListSection(id: 0, items: $0)] },
        dequeue: { [unowned table] in table.dequeueReusableCell(withIdentifier: "row", for: $0.indexPath) },
        configure: configure)
    }

    @Test("15.10 a row that is changed while its cell is configured is configured again when the table is done")
    func configure() async {
      var texts: [String] = []
      let source = makeSource { [rows] _, row in
        texts.append(row.text)
        if row.id == 1, row.text == "a" { rows.change { $0[1].text = "read" } }
      }
      let adapter = TableRows(source, in: table)
      #expect(texts == ["a", "a", "a"])
      await later()
      #expect(texts == ["a", "a", "a", "read"])
      withExtendedLifetime(adapter) {}
    }

    @Test("15.10 a later change outside of a call replaces the one that waits, at once")
    func laterChange() async {
      rows.write((0..<20).map { Row(id: $0) })
      let adapter = TableRows(makeSource(), in: table)
      adapter.onDisplay = { [rows] path in if path.row == 7 { rows.change { $0.append(Row(id: 20)) } } }
      table.scroll(to: 5)
      #expect(table.numberOfRows(inSection: 0) == 20)
      rows.change { $0.append(Row(id: 21)) }
      #expect(table.numberOfRows(inSection: 0) == 22)
      let batches = table.batches
      await later()
      #expect(table.numberOfRows(inSection: 0) == 22 && table.batches == batches)
      withExtendedLifetime(adapter) {}
    }

    @Test("15.10 the cell provider of a diffable data source may change the list, too")
    func cellProvider() async {
      let source = makeSource { [rows] _, row in
        if row.id == 0, row.text == "a" { rows.change { $0[0].text = "read" } }
      }
      let diffable = UITableViewDiffableDataSource<Int, Int>(tableView: table) { _, path, id in
        source.cell(of: id, at: ListPath(path))
      }
      let binding = diffable.bind(to: source) { _ in 0 }
      let applied = diffable.applied.count
      await later()
      #expect(diffable.applied.count == applied + 1 && source.item(at: 0).text == "read")
      withExtendedLifetime(binding) {}
    }

    /// A delegate of an app's own.
    final class Delegate: NSObject, UITableViewDelegate {
      let willDisplay: (IndexPath) -> Void
      init(_ willDisplay: @escaping (IndexPath) -> Void) { self.willDisplay = willDisplay }
      func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt path: IndexPath) {
        willDisplay(path)
      }
    }

    @Test("15.10 a delegate of one's own says that it answers a call; the controller of a row needs not say it")
    func ownDelegate() async {
      let source = makeSource { [screen, rows] cell, row in
        cell.contentConfiguration = ControllerConfiguration(row, in: screen) { () -> GrowingRow in
          let controller = GrowingRow()
          controller.onAppear = { if rows.current.count == 4 { rows.change { $0.append(Row(id: 4)) } } }
          return controller
        }
      }
      let diffable = UITableViewDiffableDataSource<Int, Int>(tableView: table) { _, path, id in
        source.cell(of: id, at: ListPath(path))
      }
      let delegate = Delegate { [rows] path in
        source.inCall { if path.row == 2, rows.current.count == 3 { rows.change { $0.append(Row(id: 3)) } } }
      }
      table.delegate = delegate
      let binding = diffable.bind(to: source) { _ in 0 }
      #expect(table.numberOfRows(inSection: 0) == 3)
      await later()
      #expect(table.numberOfRows(inSection: 0) == 5)
      withExtendedLifetime((binding, delegate)) {}
    }

    @Test("15.10 a row with a controller grows when its content arrives", arguments: [false, true])
    func growth(hasOwnDelegate: Bool) throws {
      rows.write([Row(id: 0, text: "one")])
      let source = makeSource { [screen] cell, row in
        cell.contentConfiguration = ControllerConfiguration(row, in: screen) { GrowingRow() }
      }
      var kept: [AnyObject] = []
      if hasOwnDelegate {
        let diffable = UITableViewDiffableDataSource<Int, Int>(tableView: table) { _, path, id in
          source.cell(of: id, at: ListPath(path))
        }
        kept = [diffable, diffable.bind(to: source) { _ in 0 }]
      } else {
        kept = [TableRows(source, in: table)]
      }
      let path = IndexPath(row: 0, section: 0)
      #expect(table.heightOfRow(at: path) == 20)
      let cell = table.cellForRow(at: path)?.contentView as? ControllerCell<GrowingRow>
      try #require(cell?.controller).label.text = "one\ntwo\nthree"
      StandIn.nextTurn()
      #expect(table.heightOfRow(at: path) == 60)
      withExtendedLifetime(kept) {}
    }
  }
}
