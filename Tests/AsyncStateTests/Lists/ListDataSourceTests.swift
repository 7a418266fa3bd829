// SPDX-License-Identifier: MIT
@testable import AsyncStateLists
@testable import AsyncState
import Testing

extension AllTests {
  struct ListDataSourceTests {
    final class Cell {
      let path: ListPath
      var shown: [String] = []
      init(path: ListPath) { self.path = path }
      convenience init(index: Int) { self.init(path: ListPath(row: index)) }
    }

    @Test("8.1 an index counts the rows of all sections, also of empty ones; its cell is made and configured once")
    func emptySections() {
      func list(_ sizes: [Int]) -> [ListSection<String>] {
        sizes.enumerated().map { section, size in
          ListSection(id: section, items: (0..<size).map { "\(section).\($0)" })
        }
      }
      let sizes = [[0, 3, 0, 0, 1, 2], [1], [0, 0, 2, 0], [5, 1]]
      let sections = Input(list(sizes[0]))
      var dequeued: [ListPath] = []
      let source = ListDataSource(sections: sections) { path in
        dequeued.append(path)
        return Cell(path: path)
      } configure: { cell, item in
        cell.shown.append(item)
      }
      func expectRows(_ sizes: [Int]) {
        let rows = list(sizes).flatMap(\.items)
        expectEqual(source.count, rows.count)
        expectEqual((0..<source.count).map { source.item(at: $0) }, rows)
        dequeued = []
        let cells = (0..<source.count).map { source.cell(at: $0) }
        expectEqual(cells.map(\.path.description), rows)
        expectEqual(cells.map(\.shown), rows.map { [$0] })
        expectEqual(dequeued.map(\.description), rows)
        expectEqual(cells.map { source.item(at: $0.path) }, rows)
        expectEqual(cells.map { source.cell(at: $0.path).shown }, rows.map { [$0] })
        for (index, cell) in cells.enumerated() { source.configure(cell, at: index) }
        expectEqual(cells.map(\.shown), rows.map { [$0, $0] })
      }
      for sizes in sizes {
        sections.write(list(sizes))
        expectRows(sizes)
      }
      var changes: [ListChange] = []
      let token = source.observeChanges { changes.append($0) }
      for (former, next) in zip(sizes.reversed(), sizes.reversed().dropFirst()) {
        sections.write(list(next))
        expectRows(former)
        expect(changes.removeLast().apply())
        expectRows(next)
      }
      withExtendedLifetime(token) {}
    }

    @Test("8.1 as long as any of several observers of changes is left, the former list is served until it is applied")
    func severalObservers() {
      let items = Input([1])
      let source = ListDataSource(items: items, dequeue: Cell.init(index:), configure: { _, _ in })
      var tokens = (0..<100).map { _ in source.observeChanges { _ in } }
      let order = [50] + Array(0..<50) + Array((51..<100).reversed())
      for (position, index) in order.enumerated() {
        items.write(Array(0...position + 1))
        expectEqual(source.count, 1)
        tokens[index].cancel()
      }
      expectEqual(source.count, 101)
      tokens = [source.observeChanges { _ in }]
      items.write([])
      expectEqual(source.count, 101)
    }

    @Test("8.1 a change that is outdated, or was taken back, is not applied; the next one starts from the served list")
    func outdated() {
      let items = Input(["a", "b"], isEqual: { _, _ in false })
      let source = ListDataSource(items: items, dequeue: Cell.init(index:), configure: { $0.shown = [$1] })
      var changes: [ListChange] = []
      let token = source.observeChanges { changes.append($0) }
      items.write(["b"])
      items.write(["a", "b"])
      items.write(["a", "b"])
      expectEqual(changes.count, 1)
      expect(!changes[0].apply())
      expectEqual(source.item(at: 0), "a")
      items.write(["b", "c"])
      expectEqual(changes.map(\.removals), [[ListPath(row: 0)], [ListPath(row: 0)]])
      expectEqual(changes.map(\.insertions), [[], [ListPath(row: 1)]])
      expect(changes[1].apply())
      expectEqual(source.item(at: 1), "c")
      expect(changes[1].apply(), "it is applied")
      withExtendedLifetime(token) {}
    }

    @Test("8.1 items that are written inside an update are the next change")
    func writtenInside() {
      let items = Input([1])
      let source = ListDataSource(items: items, dequeue: { $0 }, configure: { _, _ in })
      var view = source.sections
      var counts: [Int] = []
      let token = source.observeChanges { change in
        change.apply()
        if source.count == 2 { items.write([1, 2, 3]) }
        counts.append(source.count)
        view = view.applying(change, to: source.sections)
      }
      items.write([1, 2])
      expectEqual(counts, [2, 3])
      expectEqual(view.map(\.items), [[1, 2, 3]])
      withExtendedLifetime(token) {}
    }
  }
}
