// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateUI
import Testing
import Toolkit

extension ToolkitTests {
  /// Tables whose rows have controllers, in both frameworks.
  @MainActor
  struct TableTests {
    private let window = makeWindow()
    private let screen = TableScreen()
    private var table: Table { screen.table }

    init() { window.root = screen }

    /// What was left for later is a job of the main actor.
    private func later() async { await Task { @MainActor in }.value }

    @Test(
      "8.1 a thousand random changes of a table, as differences and with moves, in one section and in several",
      arguments: [false, true])
    func randomChanges(hasSections: Bool) {
      var violations: [String] = []
      StandIn.onViolation = { violations.append($0) }
      let sections = Input<[ListSection<Row>]>([])
      let rows = table.fill(with: sections, in: screen)
      var generator = Generator(seed: 7)
      var former: [Row] = []
      for step in 0..<1000 where violations.isEmpty {
        let next = (0..<12).shuffled(using: &generator).prefix(Int.random(in: 0...12, using: &generator))
          .map { Row(id: $0, text: Bool.random(using: &generator) ? "a" : "b") }
        let kept = Dictionary(
          uniqueKeysWithValues: former.indices.compactMap { row in
            table.controller(row).map { (former[row].id, $0) }
          })
        let cut = hasSections ? Int.random(in: 0...next.count, using: &generator) : next.count
        let ids = hasSections ? ["x", "y", "z"].shuffled(using: &generator) : ["x", "y"]
        sections.write([
          ListSection(id: ids[0], items: Array(next[..<cut])), ListSection(id: ids[1], items: Array(next[cut...])),
        ])
        // What stays visible in its section keeps its cell, wherever it moves.
        if !hasSections {
          for (row, item) in next.enumerated() {
            if let controller = table.controller(row), let before = kept[item.id] { #expect(controller === before) }
          }
        }
        if step % 5 == 0 { table.scroll(to: step % 9) }
        #expect(table.rowCount == next.count)
        for (row, item) in next.enumerated() {
          guard let controller = table.controller(row) else { continue }
          #expect(controller.displayed == item && controller.displays == 1 && controller.parent === screen)
        }
        former = next
      }
      #expect(violations == [] && StandIn.audit() == [])
      withExtendedLifetime(rows) {}
    }

    @Test("8.1 a row that has changed is configured again, and those around it keep their cells")
    func updates() {
      let input = Input((0..<3).map { Row(id: $0) })
      let rows = table.fill(with: input.observed, in: screen)
      var displayed: [Int] = []
      rows.onDisplay { displayed.append($0) }
      let controllers = (0..<3).map { table.controller($0) }
      RowController.ends = []
      input.change { $0[1].text = "b" }
      #expect(table.controller(1)?.displayed?.text == "b")
      // The model of the row has not ended: it is the same row.
      #expect((0..<3).map { table.controller($0) } == controllers && RowController.ends == [])
      #expect(displayed == [])
    }

    @Test("8.2 rows that move keep their cells, and one that moves and has changed is configured again")
    func moves() {
      let input = Input((0..<5).map { Row(id: $0) })
      let rows = table.fill(with: input.observed, in: screen)
      let controllers = (0..<5).map { table.controller($0) }
      RowController.ends = []
      let order = [3, 1, 4, 0, 2]
      input.write(order.map { Row(id: $0, text: $0 == 4 ? "b" : "a") })
      #expect((0..<5).map { table.controller($0) } == order.map { controllers[$0] })
      #expect((0..<5).map { table.controller($0)?.displayed } == input.current && RowController.ends == [])
      withExtendedLifetime(rows) {}
    }

    @Test("15.10 rows that are added while the table makes one follow when it is done, several changes as one")
    func changesInCall() async {
      let input = Input((0..<20).map { Row(id: $0) })
      let rows = table.fill(with: input.observed, in: screen)
      rows.onDisplay { row in
        guard row == 7 else { return }
        for id in 20...22 { input.change { $0.append(Row(id: id)) } }
      }
      table.scroll(to: 5)
      #expect(table.rowCount == 20)
      await later()
      #expect(table.rowCount == 23)
      withExtendedLifetime(rows) {}
    }

    @Test(
      "8.2 a row that is a view controller is contained with its cell, fills it, and appears and disappears with it")
    func containedRows() throws {
      let input = Input([Row(id: 1), Row(id: 2)])
      let rows = table.fill(with: input.observed, in: screen)
      let controller = try #require(table.controller(0))
      #expect(controller.parent === screen && controller.appearances.last == "da" && controller.displays == 1)
      #expect(controller.view.pinnedEdges == ["top", "bottom", "leading", "trailing"])
      input.write([])
      #expect(controller.displays == 0 && controller.appearances.last == "dd")
      input.write([Row(id: 3)])
      #expect(StandIn.audit() == [])
      withExtendedLifetime(rows) {}
    }

    @Test(
      "8.2 the load of a row is cancelled when it is not visible any more, if the row says so",
      arguments: [true, false])
    func cancelledRows(cancels: Bool) throws {
      let input = Input((0..<20).map { Row(id: $0) })
      let rows = table.fill(with: input.observed, in: screen, cancelsLoadWhenHidden: cancels)
      let controller = try #require(table.controller(0))
      table.scroll(to: 10)
      #expect(controller.cancels == (cancels ? 1 : 0))
      withExtendedLifetime(rows) {}
    }

    @Test("8.2 a row appears and disappears as its cell enters and leaves a window")
    func cellInWindow() throws {
      let cell = try #require(makeCell(Row(id: 1), in: screen))
      #expect(cell.controller?.displays ?? 0 == 0)
      for _ in 0..<2 {
        screen.view.addSubview(cell)
        #expect(cell.controller?.displays == 1)
        cell.removeFromSuperview()
        #expect(cell.controller?.displays == 0)
      }
      #expect(cell.controller?.cancels == 0)
    }

    @Test("8.2 the controller of a cell that is released leaves its parent, and its model ends before")
    func releasedCell() async throws {
      RowController.ends = []
      weak var controller: RowController?
      do {
        let cell = try #require(makeCell(Row(id: 1), in: screen))
        screen.view.addSubview(cell)
        controller = cell.controller
        #expect(screen.children == [try #require(controller)])
        cell.removeFromSuperview()
      }
      await later()
      #expect(RowController.ends == ["in its parent"])
      #expect(screen.children.isEmpty && controller == nil)
    }

    @Test("1.8 rows and the controllers in their cells are released with the table")
    func release() async {
      weak var parent: TableScreen?
      weak var row: RowController?
      do {
        let screen = TableScreen()
        window.root = screen
        let rows = screen.table.fill(with: Input([Row(id: 1)]).observed, in: screen)
        (parent, row) = (screen, screen.table.controller(0))
        #expect(row != nil)
        window.root = nil
        withExtendedLifetime(rows) {}
      }
      StandIn.reset()
      await later()
      #expect(row == nil && parent == nil)
    }
  }
}
