// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateUI
import Testing
import UIKit

extension ToolkitTests {
  /// What only lists of UIKit have: collections, sections that move, and screens that are covered.
  @MainActor
  struct ListTests {
    private let window = makeWindow()
    private let screen = TableScreen()
    private let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
    private var table: UITableView { screen.table }

    init() {
      table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
      screen.view.addSubview(collection)
      window.root = screen
    }

    /// The rows in the table and in the collection, each of which notes what is configured.
    private func fill(
      with sections: Observed<[ListSection<Row>]>, configure: @escaping (Row) -> Void
    ) -> [AnyObject] {
      [
        TableRows<Row>(
          ListDataSource(
            sections: sections,
            dequeue: { [table] in table.dequeueReusableCell(withIdentifier: "row", for: $0.indexPath) },
            configure: { configure($1) }), in: table),
        CollectionItems<Row>(
          ListDataSource(
            sections: sections,
            dequeue: { [collection] in
              collection.dequeueReusableCell(withReuseIdentifier: "row", for: $0.indexPath)
            },
            configure: { configure($1) }), in: collection),
      ]
    }

    private func fillCollection(with sections: Observed<[ListSection<Row>]>) -> CollectionItems<Row> {
      CollectionItems(
        ListDataSource(
          sections: sections,
          dequeue: { [collection] in collection.dequeueReusableCell(withReuseIdentifier: "row", for: $0.indexPath) },
          configure: { [screen] cell, row in
            cell.contentConfiguration = ControllerConfiguration(row, in: screen) { RowController() }
          }), in: collection)
    }

    private func controller(_ row: Int, section: Int = 0) -> RowController? {
      let cell = collection.cellForItem(at: IndexPath(item: row, section: section))
      return (cell?.contentView as? ControllerCell<RowController>)?.controller
    }

    @Test("8.1 a thousand random changes of a collection, as differences, in sections and with moves")
    func randomChanges() {
      var violations: [String] = []
      StandIn.onViolation = { violations.append($0) }
      let sections = Input<[ListSection<Row>]>([])
      let items = fillCollection(with: sections.observed)
      var generator = Generator(seed: 7)
      for step in 0..<1000 where violations.isEmpty {
        let next = (0..<12).shuffled(using: &generator).prefix(Int.random(in: 0...12, using: &generator))
          .map { Row(id: $0, text: Bool.random(using: &generator) ? "a" : "b") }
        let cut = Int.random(in: 0...next.count, using: &generator)
        let order = ["x", "y", "z"].shuffled(using: &generator)
        sections.write([
          ListSection(id: order[0], items: Array(next[..<cut])), ListSection(id: order[1], items: Array(next[cut...])),
        ])
        if step % 5 == 0 { collection.scroll(to: step % 7) }
        for (section, content) in sections.current.enumerated() {
          for (index, row) in content.items.enumerated() {
            guard let controller = controller(index, section: section) else { continue }
            #expect(controller.displayed == row && controller.displays == 1)
          }
        }
      }
      #expect(violations == [] && StandIn.audit() == [])
      withExtendedLifetime(items) {}
    }

    @Test("15.10 a change below a covering screen follows when that is removed, and rows that stay are not made again")
    func coveredScreen() throws {
      var made: [String] = []
      let input = Input((0..<4).map { Row(id: $0) })
      let adapters = fill(with: input.map { [ListSection(id: 0, items: $0)] }) { made.append("\($0.id)\($0.text)") }
      func cells() -> [UIView?] {
        (0..<3).flatMap {
          [
            table.cellForRow(at: IndexPath(row: $0, section: 0)) as UIView?,
            collection.cellForItem(at: IndexPath(item: $0, section: 0)),
          ]
        }
      }
      func covered(_ change: (inout [Row]) -> Void) {
        window.root = UIViewController()
        input.change(change)
        #expect(made == [])
        window.root = screen
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
      window.root = UIViewController()
      for text in ["d", "e", "c"] { input.change { $0[0].text = text } }
      window.root = screen
      #expect(made == [] && table.batches == collection.batches)
      #expect(StandIn.audit() == [])
      withExtendedLifetime(adapters) {}
    }

    @Test("8.1 the rows of a section that moves keep their cells, and only a row that has changed is configured again")
    func movedSections() {
      (table.visibleCount, collection.visibleCount) = (20, 20)
      var made: [String] = []
      let input = Input([
        ListSection(id: "a", items: [Row(id: 1, text: ""), Row(id: 2, text: "")]),
        ListSection(id: "b", items: [Row(id: 3, text: "")]), ListSection(id: "c", items: [Row(id: 4, text: "")]),
        ListSection(id: "d", items: [Row(id: 5, text: ""), Row(id: 6, text: "")]),
      ])
      let adapters = fill(with: input.observed) { made.append("\($0.id)\($0.text)") }
      func cells() -> [Int: [UIView?]] {
        var cells: [Int: [UIView?]] = [:]
        for (section, content) in input.current.enumerated() {
          for (index, row) in content.items.enumerated() {
            let path = IndexPath(item: index, section: section)
            cells[row.id] = [table.cellForRow(at: path), collection.cellForItem(at: path)]
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
      window.root = UIViewController()
      input.write(input.current.reversed())
      #expect(made == [])
      window.root = screen
      #expect(made == [] && cells() == before)
      #expect(StandIn.audit() == [])
      withExtendedLifetime(adapters) {}
    }

    @Test("8.1 items and rows are displayed and selected by their paths, and cancel their loads if they say so")
    func collectionCallbacks() throws {
      let input = Input([ListSection(id: 0, items: (0..<20).map { Row(id: $0) })])
      let items = fillCollection(with: input.observed)
      var calls: [ListPath] = []
      items.onDisplay = { calls.append($0) }
      items.onSelect = { calls.append($0) }
      collection.scroll(to: 5)
      #expect(calls == (5..<10).map { ListPath(row: $0) })
      items.collectionView(collection, didSelectItemAt: IndexPath(item: 7, section: 0))
      #expect(calls.last == ListPath(row: 7))
      let controller = try #require(self.controller(5))
      input.change { $0[0].items[5].text = "b" }
      #expect(controller.displayed?.text == "b")
      #expect(self.controller(5) === controller)
      collection.scroll(to: 10)
      #expect(controller.cancels == 0)
      let rows = table.fill(with: input.observed, in: screen)
      rows.onSelect = { calls.append($0) }
      rows.tableView(table, didSelectRowAt: IndexPath(row: 3, section: 0))
      #expect(calls.last == ListPath(row: 3))
    }

    @Test("8.1 a collection that was never in a window is loaded anew")
    func collectionWithoutWindow() {
      let never = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      never.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
      let input = Input([1])
      let items = CollectionItems<Int>(
        ListDataSource(
          items: input,
          dequeue: { never.dequeueReusableCell(withReuseIdentifier: "row", for: IndexPath(item: $0, section: 0)) },
          configure: { _, _ in }), in: never)
      input.write([2, 3])
      #expect(never.numberOfItems(inSection: 0) == 2 && never.batches == 0)
      withExtendedLifetime(items) {}
    }

    @Test("1.8 a list and its rows are released on another thread")
    func releasedElsewhere() async throws {
      let input = Input([Row(id: 1)])
      var rows: TableRows<Row>? = table.fill(with: input.observed, in: screen)
      weak let released = rows
      await releaseElsewhere(&rows)
      input.write([])
      #expect(released == nil)
      var cell = makeCell(Row(id: 2), in: screen)
      weak let controller = try #require(cell?.controller)
      await releaseElsewhere(&cell)
      // What a release ends is a job of the main actor.
      await Task { @MainActor in }.value
      #expect(controller == nil)
    }
  }
}
