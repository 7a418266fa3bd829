// SPDX-License-Identifier: MIT
import AsyncStateLists
import AppKit
import AsyncState
import AsyncStateUI
import Testing

extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct TableTests {
    struct Row: Identifiable, Hashable {
      var id: Int
      var text: String
    }

    final class RowController: NSViewController, @MainActor ReusableController {
      private struct Weak { weak var row: RowController? }
      private static var all: [Weak] = []
      static var living: Int { all.count { $0.row != nil } }
      static func forgetAll() { all = [] }
      var displayed: Row?
      var appearances = 0
      var cancels = 0
      var calls: [String] = []
      static var ends: [String] = []

      init() {
        super.init(nibName: nil, bundle: nil)
        RowController.all.append(Weak(row: self))
      }
      required init?(coder: NSCoder) { nil }
      override func loadView() { view = NSView() }

      func configure(with model: Row) { displayed = model }
      func prepareForReuse() {
        displayed = nil
        Self.ends.append(parent == nil ? "alone" : "in its parent")
      }
      func cancelLoad() { cancels += 1 }
      func didAppear(animated: Bool) { appearances += 1 }
      func didDisappear(animated: Bool) { appearances -= 1 }
      func didDetach() { calls.append("x-!") }
      override func viewDidAppear() { calls.append("da") }
      override func viewDidDisappear() { calls.append("dd") }
    }

    final class Screen: NSViewController {
      let table = NSTableView()
      override func loadView() {
        view = NSView()
        view.addSubview(table)
      }
    }

    private func makeScreen() -> (NSWindow, Screen) {
      StandIn.reset()
      let window = NSWindow()
      let screen = Screen(nibName: nil, bundle: nil)
      window.contentViewController = screen
      return (window, screen)
    }

    private func makeRows(
      in screen: Screen, _ sections: Observed<[ListSection<Row>]>, cancels: Bool = false
    ) -> TableRows<Row> {
      let source = ListDataSource<Row, NSView>(
        sections: sections,
        dequeue: { [weak screen] _ in
          let identifier = NSUserInterfaceItemIdentifier("row")
          if let cell = screen?.table.makeView(withIdentifier: identifier, owner: nil) { return cell }
          let cell = ControllerCell<RowController>(frame: .zero)
          cell.identifier = identifier
          return cell
        },
        configure: { [weak screen] cell, row in
          guard let screen else { return }
          (cell as? ControllerCell<RowController>)?
            .show(row, in: screen, cancelsLoadWhenHidden: cancels) { RowController() }
        })
      return TableRows(source, in: screen.table)
    }

    private func oneSection(_ items: Observed<[Row]>) -> Observed<[ListSection<Row>]> {
      items.map { [ListSection(id: 0, items: $0)] }
    }

    private func controller(_ screen: Screen, _ row: Int) -> RowController? {
      let view = screen.table.view(atColumn: 0, row: row, makeIfNecessary: false)
      return (view as? ControllerCell<RowController>)?.controller
    }

    @Test("8.1 two thousand random changes of a table, as differences and with moves")
    func randomChanges() {
      let (window, screen) = makeScreen()
      var violations: [String] = []
      StandIn.onViolation = { violations.append($0) }
      let input = Input<[Row]>([])
      let rows = makeRows(in: screen, oneSection(input))
      var generator = Generator(seed: 7)
      for step in 0..<2000 where violations.isEmpty {
        let count = Int.random(in: 0...12, using: &generator)
        let former = Dictionary(
          uniqueKeysWithValues: input.current.indices.compactMap { row in
            controller(screen, row).map { (input.current[row].id, $0) }
          })
        input.write(
          (0..<12).shuffled(using: &generator).prefix(count)
            .map { Row(id: $0, text: Bool.random(using: &generator) ? "a" : "b") })
        // What stays visible keeps its cell, wherever it moves.
        for row in 0..<count {
          guard let controller = controller(screen, row), let before = former[input.current[row].id] else { continue }
          #expect(controller === before)
        }
        if step % 5 == 0 { screen.table.scroll(toRow: step % 9) }
        #expect(screen.table.numberOfRows == count)
        for row in 0..<count {
          guard let controller = controller(screen, row) else { continue }
          #expect(controller.displayed == input.current[row])
          #expect(controller.appearances == 1)
          #expect(controller.parent === screen)
        }
      }
      #expect(violations == [])
      #expect(StandIn.audit() == [])
      withExtendedLifetime((window, rows)) {}
    }

    @Test("8.1 a row that has changed is configured again, and those around it keep their cells")
    func updates() {
      let (window, screen) = makeScreen()
      let input = Input((0..<3).map { Row(id: $0, text: "a") })
      let rows = makeRows(in: screen, oneSection(input))
      var displayed: [Int] = []
      rows.onDisplay = { displayed.append($0) }
      let controllers = (0..<3).map { controller(screen, $0) }
      RowController.ends = []
      input.change { $0[1].text = "b" }
      #expect(controller(screen, 1)?.displayed?.text == "b")
      // The model of the row has not ended: it is the same row.
      #expect((0..<3).map { controller(screen, $0) } == controllers && RowController.ends == [])
      #expect(displayed == [])
      withExtendedLifetime(window) {}
    }

    @Test("8.2 rows that move keep their cells, and one that moves and has changed is configured again")
    func moves() {
      let (window, screen) = makeScreen()
      let input = Input((0..<5).map { Row(id: $0, text: "a") })
      let rows = makeRows(in: screen, oneSection(input))
      let controllers = (0..<5).map { controller(screen, $0) }
      RowController.ends = []
      let order = [3, 1, 4, 0, 2]
      input.write(order.map { Row(id: $0, text: $0 == 4 ? "b" : "a") })
      #expect((0..<5).map { controller(screen, $0) } == order.map { controllers[$0] })
      #expect((0..<5).map { controller(screen, $0)?.displayed } == input.current && RowController.ends == [])
      withExtendedLifetime((window, rows)) {}
    }

    @Test("15.10 rows that are added while the table makes one follow when it is done, several changes as one")
    func changesInCall() async {
      let (window, screen) = makeScreen()
      let input = Input((0..<20).map { Row(id: $0, text: "a") })
      let rows = makeRows(in: screen, oneSection(input))
      rows.onDisplay = { row in
        guard row == 7 else { return }
        for id in 20...22 { input.change { $0.append(Row(id: id, text: "")) } }
      }
      screen.table.scroll(toRow: 5)
      #expect(screen.table.numberOfRows == 20)
      await Task { @MainActor in }.value
      #expect(screen.table.numberOfRows == 23)
      withExtendedLifetime((window, rows)) {}
    }

    @Test("8.1 the rows of several sections keep their views, also where a section moves or has another identity")
    func sections() {
      let (window, screen) = makeScreen()
      let input = Input([ListSection(id: "x", items: [Row(id: 1, text: "a")])])
      let rows = makeRows(in: screen, input)
      input.write([
        ListSection(id: "x", items: [Row(id: 1, text: "a")]), ListSection(id: "y", items: [Row(id: 2, text: "b")]),
      ])
      #expect((0..<2).map { controller(screen, $0)?.displayed?.id } == [1, 2])
      let (first, second) = (controller(screen, 0), controller(screen, 1))
      input.write([
        ListSection(id: "y", items: [Row(id: 2, text: "b")]), ListSection(id: "x", items: [Row(id: 1, text: "A")]),
      ])
      #expect(controller(screen, 0) === second && controller(screen, 1) === first)
      #expect((0..<2).map { controller(screen, $0)?.displayed?.text } == ["b", "A"])
      input.write([
        ListSection(id: "v", items: [Row(id: 2, text: "b")]), ListSection(id: "x", items: [Row(id: 1, text: "A")]),
      ])
      #expect(controller(screen, 0) === second && controller(screen, 1) === first)
      input.write([
        ListSection(id: "x", items: []), ListSection(id: "y", items: [Row(id: 3, text: "c"), Row(id: 2, text: "b")]),
      ])
      #expect((0..<2).map { controller(screen, $0)?.displayed?.id } == [3, 2])
      input.write([ListSection(id: "z", items: [Row(id: 4, text: "d")])])
      #expect(screen.table.numberOfRows == 1)
      #expect(controller(screen, 0)?.displayed?.id == 4)
      withExtendedLifetime((window, rows)) {}
    }

    @Test("8.2 a row appears and disappears with its cell, and its load is cancelled if the row says so")
    func appearance() throws {
      for cancels in [true, false] {
        let (window, screen) = makeScreen()
        let input = Input((0..<20).map { Row(id: $0, text: "") })
        let rows = makeRows(in: screen, oneSection(input), cancels: cancels)
        let row = try #require(controller(screen, 0))
        #expect(row.calls == ["da"])
        screen.table.scroll(toRow: 10)
        #expect(row.calls == ["da", "dd"] || row.displayed?.id != 0)
        #expect(row.cancels == (cancels ? 1 : 0))
        #expect(row.view.pinnedEdges == ["top", "bottom", "leading", "trailing"])
        #expect(StandIn.audit() == [])
        withExtendedLifetime((window, rows)) {}
      }
    }

    @Test("8.2 a cell that is configured while it is in a window displays its row")
    func configuredInWindow() {
      let (window, screen) = makeScreen()
      let cell = ControllerCell<RowController>(frame: .zero)
      screen.view.addSubview(cell)
      #expect(cell.controller == nil)
      cell.show(Row(id: 1, text: "a"), in: screen) { RowController() }
      #expect(cell.controller?.appearances == 1)
      cell.prepareForReuse()
      #expect(cell.controller?.displayed == nil)
      #expect(cell.controller?.appearances == 0)
      withExtendedLifetime(window) {}
    }

    @Test("8.2 a row appears and disappears as its cell enters and leaves a window")
    func window() {
      let (window, screen) = makeScreen()
      let cell = ControllerCell<RowController>(frame: NSRect(x: 0, y: 0, width: 100, height: 20))
      cell.show(Row(id: 1, text: "a"), in: screen) { RowController() }
      #expect(cell.controller?.appearances == 0)
      for _ in 0..<2 {
        screen.view.addSubview(cell)
        #expect(cell.controller?.appearances == 1)
        cell.removeFromSuperview()
        #expect(cell.controller?.appearances == 0)
      }
      #expect(cell.controller?.cancels == 0)
      withExtendedLifetime(window) {}
    }

    @Test("8.2 the model of a cell that is released ends before its controller is removed")
    func orderOfRelease() async {
      let (window, screen) = makeScreen()
      RowController.ends = []
      ControllerCell<RowController>(frame: .zero).show(Row(id: 1, text: "a"), in: screen) { RowController() }
      await Task { @MainActor in }.value
      #expect(RowController.ends == ["in its parent"])
      #expect(screen.children.isEmpty)
      withExtendedLifetime(window) {}
    }

    @Test("1.8 rows and the controllers in their cells are released with the table")
    func release() async {
      RowController.forgetAll()
      weak var parent: Screen?
      do {
        let (window, screen) = makeScreen()
        let rows = makeRows(in: screen, oneSection(Input([Row(id: 1, text: "a")])))
        #expect(RowController.living == 1)
        parent = screen
        withExtendedLifetime((window, rows)) {}
      }
      StandIn.reset()
      await Task { @MainActor in }.value
      #expect(RowController.living == 0)
      #expect(parent == nil)
    }

    @Test("8.2 the controller of a cell that is released leaves its parent")
    func releasedCell() async throws {
      let (window, screen) = makeScreen()
      weak var controller: RowController?
      do {
        let cell = ControllerCell<RowController>(frame: .zero)
        screen.view.addSubview(cell)
        cell.show(Row(id: 1, text: "a"), in: screen) { RowController() }
        controller = cell.controller
        #expect(screen.children == [try #require(controller)])
        cell.removeFromSuperview()
      }
      await Task { @MainActor in }.value
      #expect(screen.children.isEmpty)
      #expect(controller == nil)
      withExtendedLifetime(window) {}
    }
  }
}
