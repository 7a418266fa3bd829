// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import AsyncStateUI
import Testing
import UIKit

extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct ListTests {
    struct Row: Identifiable, Hashable {
      var id: Int
      var text: String
    }

    final class RowView: UIViewController, @MainActor ReusableController {
      private struct Weak { weak var row: RowView? }
      private static var all: [Weak] = []
      static var living: Int { all.count { $0.row != nil } }
      var shown: Row?
      var appearances = 0
      var cancels = 0
      var calls: [String] = []
      static var ends: [String] = []

      init() {
        super.init(nibName: nil, bundle: nil)
        RowView.all.append(Weak(row: self))
      }
      required init?(coder: NSCoder) { nil }
      static func forgetAll() { all = [] }

      func configure(with model: Row) { shown = model }
      func prepareForReuse() { shown = nil }
      func cancelLoad() { cancels += 1 }
      func didAppear(animated: Bool) { appearances += 1 }
      func didDisappear(animated: Bool) {
        appearances -= 1
        Self.ends.append("model")
      }
      override func willMove(toParent parent: UIViewController?) {
        super.willMove(toParent: parent)
        if parent == nil { Self.ends.append("x-") }
      }
      override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        calls.append("da")
      }
      override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        calls.append("dd")
      }
      override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        calls.append(parent == nil ? "x-!" : "x+!")
        if parent == nil { Self.ends.append("x-!") }
      }
    }

    final class Screen: UIViewController {
      let table = UITableView()
      let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(table)
        view.addSubview(collection)
      }
    }

    private func makeScreen() -> (UIWindow, Screen) {
      StandIn.reset()
      let window = UIWindow()
      let screen = Screen()
      window.rootViewController = screen
      window.makeKeyAndVisible()
      return (window, screen)
    }

    private func controller(_ table: UITableView, _ row: Int, section: Int = 0) -> RowView? {
      let cell = table.cellForRow(at: IndexPath(row: row, section: section))
      return (cell?.contentView as? ControllerCell<RowView>)?.controller
    }

    private func visibleRows(_ table: UITableView) -> [Row?] {
      (table.indexPathsForVisibleRows ?? []).map { controller(table, $0.row, section: $0.section)?.shown }
    }

    private func makeRows(
      in table: UITableView, of parent: UIViewController, _ sections: Observed<[ListSection<Row>]>,
      cancels: Bool = false
    ) -> TableRows<Row> {
      table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      let source = ListDataSource<Row, UITableViewCell>(
        sections: sections,
        dequeue: { [unowned table] in table.dequeueReusableCell(withIdentifier: "row", for: $0.indexPath) },
        configure: { [unowned parent] cell, row in
          cell.contentConfiguration = ControllerConfiguration(row, in: parent, cancelsLoadWhenHidden: cancels) {
            RowView()
          }
        })
      return TableRows(source, in: table)
    }

    private func makeRows(
      in table: UITableView, of parent: UIViewController, _ items: Observed<[Row]>, cancels: Bool = false
    ) -> TableRows<Row> {
      makeRows(in: table, of: parent, items.map { [ListSection(id: 0, items: $0)] }, cancels: cancels)
    }

    private func makeItems(
      in collection: UICollectionView, of parent: UIViewController, _ sections: Observed<[ListSection<Row>]>
    ) -> CollectionItems<Row> {
      collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
      let source = ListDataSource<Row, UICollectionViewCell>(
        sections: sections,
        dequeue: { [unowned collection] in
          collection.dequeueReusableCell(withReuseIdentifier: "row", for: $0.indexPath)
        },
        configure: { [unowned parent] cell, row in
          cell.contentConfiguration = ControllerConfiguration(row, in: parent) { RowView() }
        })
      return CollectionItems(source, in: collection)
    }

    @Test("8.1 two thousand random changes of a table and a collection, as differences, in sections and with moves")
    func randomChanges() {
      let (window, screen) = makeScreen()
      defer { withExtendedLifetime(window) {} }
      var violations: [String] = []
      StandIn.onViolation = { violations.append($0.description) }
      let sections = Input<[ListSection<Row>]>([])
      let rows = makeRows(in: screen.table, of: screen, sections)
      let items = makeItems(in: screen.collection, of: screen, sections)
      var generator = Generator(seed: 7)
      for step in 0..<2000 {
        let ids = Array(0..<12).shuffled(using: &generator)
        let count = Int.random(in: 0...12, using: &generator)
        let next = ids.prefix(count).map { Row(id: $0, text: Bool.random(using: &generator) ? "a" : "b") }
        let cut = Int.random(in: 0...count, using: &generator)
        let order = ["x", "y", "z"].shuffled(using: &generator)
        sections.write([
          ListSection(id: order[0], items: Array(next[..<cut])), ListSection(id: order[1], items: Array(next[cut...])),
        ])
        if step % 5 == 0 {
          screen.table.scroll(to: step % 9)
          screen.collection.scroll(to: step % 7)
        }
        let visible = (screen.table.indexPathsForVisibleRows ?? []).map { sections.current[$0.section].items[$0.row] }
        #expect(visibleRows(screen.table) == visible)
        for section in 0..<2 {
          for index in sections.current[section].items.indices {
            let cell = screen.collection.cellForItem(at: IndexPath(item: index, section: section))
            guard let controller = (cell?.contentView as? ControllerCell<RowView>)?.controller else { continue }
            #expect(controller.shown == sections.current[section].items[index])
            #expect(controller.appearances == 1)
          }
        }
        guard violations.isEmpty else { break }
      }
      #expect(violations == [])
      #expect(StandIn.audit() == [])
      withExtendedLifetime((rows, items)) {}
    }

    @Test("8.2 a row that is a view controller is attached at its first model and detached with its cell")
    func containedRows() throws {
      let (window, screen) = makeScreen()
      let input = Input([Row(id: 1, text: "a"), Row(id: 2, text: "b")])
      var displayed: [Int] = []
      var rows: TableRows<Row>? = makeRows(in: screen.table, of: screen, input)
      rows?.onDisplay = { displayed.append($0.row) }
      let controller = try #require(self.controller(screen.table, 0))
      #expect(controller.parent === screen)
      #expect(controller.calls == ["x+!", "da"])
      #expect(controller.appearances == 1)

      input.write([Row(id: 1, text: "c"), Row(id: 2, text: "b")])
      #expect(visibleRows(screen.table).map { $0?.text } == ["c", "b"])
      // The row has kept its cell and its controller.
      #expect(self.controller(screen.table, 0) === controller)
      #expect(controller.calls == ["x+!", "da"])

      input.write([])
      #expect(controller.appearances == 0)
      #expect(controller.calls.last == "dd")
      input.write([Row(id: 3, text: "d")])
      #expect(displayed == [0])
      #expect(StandIn.audit() == [])
      rows = nil
      withExtendedLifetime(window) {}
    }

    @Test("8.2 the load of a row is cancelled when it is not visible any more, if the row says so")
    func cancelledRows() throws {
      for cancels in [true, false] {
        let (window, screen) = makeScreen()
        let input = Input((0..<20).map { Row(id: $0, text: "") })
        let rows = makeRows(in: screen.table, of: screen, input, cancels: cancels)
        let controller = try #require(self.controller(screen.table, 0))
        screen.table.scroll(to: 10)
        #expect(controller.cancels == (cancels ? 1 : 0))
        withExtendedLifetime((window, rows)) {}
      }
    }

    @Test("8.1 a table that was never in a window is loaded anew")
    func tableWithoutWindow() {
      StandIn.reset()
      let table = UITableView()
      let input = Input([Row(id: 1, text: "a")])
      let parent = UIViewController()
      let rows = makeRows(in: table, of: parent, input)
      input.write([Row(id: 2, text: "a"), Row(id: 3, text: "a")])
      #expect(table.numberOfRows(inSection: 0) == 2)
      withExtendedLifetime(rows) {}
    }

    @Test("15.10 a change below a covering screen follows when that is removed, and rows that stay are not made again")
    func coveredScreen() throws {
      let (window, screen) = makeScreen()
      var made: [String] = []
      let input = Input((0..<4).map { Row(id: $0, text: "a") })
      screen.table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      screen.collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
      let tableSource = ListDataSource<Row, UITableViewCell>(
        items: input,
        dequeue: { [table = screen.table] in
          table.dequeueReusableCell(withIdentifier: "row", for: IndexPath(row: $0, section: 0))
        },
        configure: { made.append("\($1.id)\($1.text)") })
      let collectionSource = ListDataSource<Row, UICollectionViewCell>(
        items: input,
        dequeue: { [collection = screen.collection] in
          collection.dequeueReusableCell(withReuseIdentifier: "row", for: IndexPath(item: $0, section: 0))
        },
        configure: { made.append("\($1.id)\($1.text)") })
      let adapters: [AnyObject] = [
        TableRows(tableSource, in: screen.table), CollectionItems(collectionSource, in: screen.collection),
      ]
      func cells() -> [UIView?] {
        (0..<3).flatMap {
          [
            screen.table.cellForRow(at: IndexPath(row: $0, section: 0)) as UIView?,
            screen.collection.cellForItem(at: IndexPath(item: $0, section: 0)),
          ]
        }
      }
      func covered(_ change: (inout [Row]) -> Void) {
        window.rootViewController = UIViewController()
        input.change(change)
        #expect(made == [])
        window.rootViewController = screen
      }
      // A list that is visible is updated at once.
      input.change { $0.removeLast() }
      made = []
      let before = cells()
      covered { $0[1].text = "b" }
      #expect(made == ["1b", "1b"])
      #expect(cells() == before)
      made = []
      covered { rows in
        rows.swapAt(0, 2)
        rows.append(Row(id: 9, text: "new"))
      }
      #expect(made == ["9new", "9new"])
      #expect(cells() == [before[4], before[5], before[2], before[3], before[0], before[1]])
      made = []
      // What is as it was by then is no change, and of several changes the last one is left.
      covered { $0[0].text = "c" }
      made = []
      window.rootViewController = UIViewController()
      for text in ["d", "e", "c"] { input.change { $0[0].text = text } }
      window.rootViewController = screen
      #expect(made == [] && screen.table.batches == screen.collection.batches)
      #expect(StandIn.audit() == [])
      withExtendedLifetime((adapters, window)) {}
    }

    @Test("8.1 the rows of a section that moves keep their cells, and only a row that has changed is configured again")
    func movedSections() {
      let (window, screen) = makeScreen()
      (screen.table.visibleCount, screen.collection.visibleCount) = (20, 20)
      var made: [String] = []
      let input = Input([
        ListSection(id: "a", items: [Row(id: 1, text: ""), Row(id: 2, text: "")]),
        ListSection(id: "b", items: [Row(id: 3, text: "")]), ListSection(id: "c", items: [Row(id: 4, text: "")]),
        ListSection(id: "d", items: [Row(id: 5, text: ""), Row(id: 6, text: "")]),
      ])
      screen.table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      screen.collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
      let rows = TableRows<Row>(
        ListDataSource(
          sections: input,
          dequeue: { [table = screen.table] in
            table.dequeueReusableCell(withIdentifier: "row", for: $0.indexPath)
          }, configure: { made.append("\($1.id)\($1.text)") }), in: screen.table)
      let items = CollectionItems<Row>(
        ListDataSource(
          sections: input,
          dequeue: { [collection = screen.collection] in
            collection.dequeueReusableCell(withReuseIdentifier: "row", for: $0.indexPath)
          }, configure: { made.append("\($1.id)\($1.text)") }), in: screen.collection)
      func cells() -> [Int: [UIView?]] {
        var cells: [Int: [UIView?]] = [:]
        for (section, content) in input.current.enumerated() {
          for (index, row) in content.items.enumerated() {
            let path = IndexPath(item: index, section: section)
            cells[row.id] = [screen.table.cellForRow(at: path), screen.collection.cellForItem(at: path)]
          }
        }
        return cells
      }
      var before = cells()
      made = []
      input.write([input.current[3], input.current[0], input.current[1], input.current[2]])
      #expect(made == [] && cells() == before)

      // With everything else that can happen: d is removed, e is inserted, 2 leaves a for b, 4 changes, 7 is new.
      before[5] = nil
      before[6] = nil
      input.write([
        ListSection(id: "c", items: [Row(id: 4, text: "new")]), ListSection(id: "e", items: [Row(id: 8, text: "")]),
        ListSection(id: "b", items: [Row(id: 3, text: ""), Row(id: 2, text: "")]),
        ListSection(id: "a", items: [Row(id: 7, text: ""), Row(id: 1, text: "")]),
      ])
      #expect(made.sorted() == ["4new", "4new", "7", "7", "8", "8"])
      #expect(cells().filter { before[$0.key] != nil } == before)

      // A screen that is covered: the same when it is back.
      made = []
      before = cells()
      window.rootViewController = UIViewController()
      input.write(input.current.reversed())
      #expect(made == [])
      window.rootViewController = screen
      #expect(made == [] && cells() == before)
      #expect(StandIn.audit() == [])
      withExtendedLifetime((rows, items)) {}
    }

    @Test("8.1 a collection that was never in a window is loaded anew")
    func collectionWithoutWindow() {
      StandIn.reset()
      let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      let input = Input([ListSection(id: 0, items: [Row(id: 1, text: "a")])])
      let parent = UIViewController()
      let items = makeItems(in: collection, of: parent, input)
      input.write([ListSection(id: 0, items: [Row(id: 2, text: "a"), Row(id: 3, text: "a")])])
      #expect(collection.numberOfItems(inSection: 0) == 2)
      #expect(collection.batches == 0)
      withExtendedLifetime(items) {}
    }

    @Test("8.1 items of a collection are displayed and selected by their paths, and cancel their loads if they say so")
    func collectionCallbacks() throws {
      let (window, screen) = makeScreen()
      let input = Input([ListSection(id: 0, items: (0..<20).map { Row(id: $0, text: "a") })])
      let items = makeItems(in: screen.collection, of: screen, input)
      var calls: [ListPath] = []
      items.onDisplay = { calls.append($0) }
      items.onSelect = { calls.append($0) }
      screen.collection.scroll(to: 5)
      #expect(calls == (5..<10).map { ListPath(row: $0) })
      items.collectionView(screen.collection, didSelectItemAt: IndexPath(item: 7, section: 0))
      #expect(calls.last == ListPath(row: 7))
      let path = IndexPath(item: 5, section: 0)
      let cell = screen.collection.cellForItem(at: path)?.contentView as? ControllerCell<RowView>
      let controller = try #require(cell?.controller)
      input.change { $0[0].items[5].text = "b" }
      #expect(controller.shown?.text == "b")
      #expect(
        (screen.collection.cellForItem(at: path)?.contentView as? ControllerCell<RowView>)?.controller === controller)
      screen.collection.scroll(to: 10)
      #expect(controller.cancels == 0)
      withExtendedLifetime((window, items)) {}
    }

    @Test("8.2 the controller of a cell that is released leaves its parent, and its display ends before")
    func releasedCell() async throws {
      let (window, screen) = makeScreen()
      weak var released: RowView?
      do {
        let row = Row(id: 1, text: "a")
        let content = ControllerConfiguration(row, in: screen) { RowView() }.makeContentView()
        screen.view.addSubview(content)
        (content as? any CellDisplay)?.willDisplay()
        released = (content as? ControllerCell<RowView>)?.controller
        #expect(screen.children == [try #require(released)])
        (content as? any CellDisplay)?.prepareForReuse()
        #expect(released?.shown == nil)
        #expect(released?.appearances == 0)
        content.removeFromSuperview()
      }
      await Task { @MainActor in }.value
      #expect(screen.children.isEmpty)
      #expect(released == nil)
      withExtendedLifetime(window) {}
    }

    @Test("1.8 a list and its rows are released on another thread")
    func releasedElsewhere() async {
      RowView.forgetAll()
      let (window, screen) = makeScreen()
      let input = Input([Row(id: 1, text: "a")])
      var rows: TableRows<Row>? = makeRows(in: screen.table, of: screen, input)
      weak let released = rows
      await releaseElsewhere(&rows)
      input.write([])
      #expect(released == nil)
      var content: UIView? =
        ControllerConfiguration(Row(id: 2, text: "b"), in: screen) { RowView() }.makeContentView()
      #expect(RowView.living == 2)
      await releaseElsewhere(&content)
      // What a release ends is a job of the main actor.
      await Task { @MainActor in }.value
      #expect(RowView.living == 1)
      withExtendedLifetime(window) {}
    }

    @Test("8.2 the model of a cell that is released ends before its controller is removed")
    func orderOfRelease() async {
      let (window, screen) = makeScreen()
      var content: (any UIView & UIContentView)? =
        ControllerConfiguration(Row(id: 1, text: "a"), in: screen) { RowView() }.makeContentView()
      content.map { screen.view.addSubview($0) }
      (content as? any CellDisplay)?.willDisplay()
      #expect(screen.children.first?.view.pinnedEdges == ["top", "bottom", "leading", "trailing"])
      RowView.ends = []
      content?.removeFromSuperview()
      content = nil
      await Task { @MainActor in }.value
      #expect(RowView.ends == ["model", "x-", "x-!"])
      withExtendedLifetime(window) {}
    }

    @Test("8.1 rows and the controllers in their cells are released with the table")
    func release() async {
      RowView.forgetAll()
      do {
        let (window, screen) = makeScreen()
        defer { withExtendedLifetime(window) {} }
        let input = Input([Row(id: 1, text: "a")])
        let rows = makeRows(in: screen.table, of: screen, input)
        #expect(RowView.living == 1)
        var selected: [ListPath] = []
        rows.onSelect = { selected.append($0) }
        rows.tableView(screen.table, didSelectRowAt: IndexPath(row: 0, section: 0))
        #expect(selected == [ListPath(row: 0)])
      }
      StandIn.reset()
      await Task { @MainActor in }.value
      #expect(RowView.living == 0)
    }
  }
}
