// SPDX-License-Identifier: MIT
@testable import AsyncStateLists
@testable import AsyncState
import Testing

extension AllTests {
  struct ListChangeTests {
    struct Row: Identifiable, Equatable {
      let id: Int
      var text = ""
    }

    /// The changes from one list to another, as a view observes them.
    private func changes<Item>(_ old: [Item], _ new: [Item]) -> ListChange? {
      let items = Input(old, isEqual: { _, _ in false })
      let source = ListDataSource(items: items, dequeue: { $0 }, configure: { _, _ in })
      var change: ListChange?
      let token = source.observeChanges { change = $0 }
      items.write(new)
      withExtendedLifetime((source, token)) {}
      return change
    }

    private func rows(_ rows: Int...) -> [ListPath] { rows.map { ListPath(row: $0) } }

    @Test("8.1 while a view displays a change by identity, rows that it removes have cells, too")
    func cellsOfFormerRows() {
      let items = Input([Row(id: 1, text: "one"), Row(id: 2, text: "two")])
      let source = ListDataSource(items: items, dequeue: { "\($0)" }, configure: { _, _ in })
      var cells: [Bool] = []
      let token = source.observeChanges { change in
        source.apply(change) { former in
          // A layout that was due is made for the former rows.
          cells = [1, 2, 3].map { source.cell(of: $0, at: ListPath(row: 0)) != nil }
          expectEqual(former.first?.items.map(\.id), [1, 2])
        }
      }
      items.write([Row(id: 2), Row(id: 3)])
      expectEqual(cells, [true, true, true])
      expectNil(source.cell(of: 1, at: ListPath(row: 0)))
      withExtendedLifetime(token) {}
    }

    @Test(
      "8.1 a change whose observer has ended is outdated, also when another one begins, or that outlives its source")
    func withoutObserver() throws {
      let items = Input([Row(id: 1), Row(id: 2)])
      var source: ListDataSource? = ListDataSource(items: items, dequeue: { $0 }, configure: { _, _ in })
      var change: ListChange?
      var token = source?.observeChanges { change = $0 }
      items.write([Row(id: 2)])
      let waiting = try #require(change)
      expect(!waiting.isOutdated)
      withExtendedLifetime(token) {}
      token = nil
      expect(waiting.isOutdated)
      expect(!waiting.apply())
      token = source?.observeChanges { change = $0 }
      expect(waiting.isOutdated)
      expect(!waiting.apply())
      expectEqual(source?.count, 1)
      items.write([])
      source = nil
      expectEqual(change?.apply(), false)
      withExtendedLifetime(token) {}
    }

    protocol Bird: AnyObject { var name: String { get } }
    final class Swan: Bird { let name = "swan" }

    @Test(
      "2.2, 8.1 rows without an identity are all removed and inserted; one that cannot be compared is updated each time"
    )
    func withoutIdentity() throws {
      struct Plain { let text: String }
      struct Picture: Identifiable { let id: Int }
      struct Nest: Identifiable {
        let id: Int
        let bird: any Bird
      }
      final class Shared: Identifiable {}
      let shared = [Shared(), Shared()]
      // The identity is found in generic code, too.
      func difference<Item>(_ old: [Item], _ new: [Item]) -> [[ListPath]]? {
        changes(old, new).map { [$0.removals, $0.insertions, $0.updates.map(\.from)] }
      }
      expectEqual(difference([Plain(text: "a")], [Plain(text: "a"), Plain(text: "b")]), [rows(0), rows(0, 1), []])
      expectEqual(difference([Double.nan, 1], [Double.nan, 1]), [rows(0), rows(0), []], "not equal to itself")
      expectEqual(difference([Row(id: 1)], [Row(id: 1, text: "new")]), [[], [], rows(0)])
      expectEqual(difference([Row(id: 1)], [Row(id: 1)]), nil)
      expectEqual(difference([Picture(id: 1)], [Picture(id: 1)]), [[], [], rows(0)])
      let (first, second) = (Swan(), Swan())
      let isSame = sameness(of: (any Bird).self)
      expect(isSame(first, first))
      expect(!isSame(first, second))
      expectEqual(difference([Nest(id: 1, bird: first)], [Nest(id: 1, bird: first)]), [[], [], rows(0)])
      expectEqual(difference(shared, shared), nil, "the same object")
      expectEqual(difference(shared, [shared[1]]), [rows(0), [], []])
      expectEqual(difference([1, 1, 2, 1], [1, 2, 1])?.map(\.count), [1, 0, 0], "matched one by one")
    }

    @Test("8.1 as few rows as possible move")
    func fewMoves() throws {
      let old = (0..<2_000).map { Row(id: $0) }
      var new = old
      new.insert(new.remove(at: 1_900), at: 3)
      new.removeSubrange(500..<600)
      let change = try #require(changes(old, new))
      expectEqual(change.moves, [.init(from: ListPath(row: 1_900), to: ListPath(row: 3))])
      expectEqual(change.removals.count, 100)
    }

    @Test(
      "8.1 a view that applies each change as its own update shows the new list", arguments: 0..<60 as Range<UInt64>)
    func views(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let variety = [3, 30, 100_000].randomElement(using: &random)!
      let sectionCount = [1, 1, 4].randomElement(using: &random)!
      // A view that can move sections, and one that cannot.
      let movesSections = Bool.random(using: &random)
      func list(_ random: inout SeededGenerator) -> [ListSection<Row>] {
        (0..<sectionCount * 2).shuffled(using: &random).prefix(sectionCount == 1 ? 1 : 4).map { id in
          ListSection(
            id: sectionCount == 1 ? 0 : id,
            items: (0..<Int.random(in: 0...20, using: &random)).map { _ in
              Row(
                id: Int.random(in: 0..<variety, using: &random), text: Bool.random(using: &random) ? "a" : "b")
            })
        }
      }
      let sections = Input(list(&random))
      let source = ListDataSource(sections: sections, dequeue: { $0 }, configure: { _, _ in })
      var view = source.sections
      let token = source.observeChanges { change in
        guard Bool.random(using: &random) else { return }
        expectEqual(view.map(\.items), source.sections.map(\.items), "the former list is served until now")
        var change = change
        if movesSections, let sections = change.sectionMoves {
          expect(!sections.moves.isEmpty)
          expect(sections.apply())
          view = view.moving(sections.moves)
          expectEqual(view.map(\.items), source.sections.map(\.items), "no row has changed yet")
          change = sections.rest
          expectNil(change.sectionMoves)
        }
        let (former, new) = (Set(view.map(\.id)), Set(sections.current.map(\.id)))
        if movesSections {
          expectEqual(Set(change.removedSections.map { view[$0].id }), former.subtracting(new), "none moves any more")
        }
        expect(change.apply())
        view = view.applying(change, to: source.sections)
        expectEqual(view.map(\.id), source.sections.map(\.id))
        expectEqual(view.map(\.items), source.sections.map(\.items))
      }
      for _ in 0..<20 {
        if Bool.random(using: &random) {
          sections.write(list(&random))
        } else {
          sections.change { sections in
            let section = Int.random(in: 0..<sections.count, using: &random)
            sections[section].items.shuffle(using: &random)
            sections[section].items.insert(Row(id: -1), at: 0)
          }
        }
      }
      withExtendedLifetime(token) {}
    }

    @Test("8.1 fifty thousand rows are compared, however many are removed", arguments: [0, 5, 30_000, 49_999])
    func long(kept: Int) {
      let old = (0..<50_000).map { Row(id: $0) }
      let new = Array(old[..<(kept / 3)] + old[(50_000 - kept + kept / 3)...])
      expectEqual(changes(old, new)?.removals.count, 50_000 - kept)
      expectEqual(changes(old, new)?.moves.isEmpty, true)
      expectEqual(changes(new, old)?.insertions.count, 50_000 - kept)
    }
  }
}

extension Array {
  /// Carries out an update that moves sections alone: the others keep their order.
  fileprivate func moving(_ moves: [ListChange.SectionMove]) -> Self {
    let targets = Dictionary(uniqueKeysWithValues: moves.map { ($0.to, $0.from) })
    var others = indices.filter { !targets.values.contains($0) }.makeIterator()
    return indices.map { self[targets[$0] ?? others.next()!] }
  }

  /// Carries out an update as a table view does: removals, updates and sources of moves in the former list, insertions
  /// and targets of moves in the new one. Only inserted and updated rows are taken from the new list.
  func applying<Item>(_ change: ListChange, to target: Self) -> Self where Element == ListSection<Item> {
    var rows = map { $0.items.map(Optional.some) }
    let moved = change.moves.map { rows[$0.from.section][$0.from.row] }
    // An updated row is read again where it stands in the new list.
    var marked = map { $0.items.map { _ in false } }
    for path in change.updates.map(\.from) { marked[path.section][path.row] = true }
    let movedMarks = change.moves.map { marked[$0.from.section][$0.from.row] }
    for path in (change.removals + change.moves.map(\.from)).sorted().reversed() {
      rows[path.section].remove(at: path.row)
      marked[path.section].remove(at: path.row)
    }
    var ids = map(\.id)
    for section in change.removedSections.reversed() {
      rows.remove(at: section)
      marked.remove(at: section)
      ids.remove(at: section)
    }
    for section in change.insertedSections {
      rows.insert(target[section].items, at: section)
      marked.insert(target[section].items.map { _ in false }, at: section)
      ids.insert(target[section].id, at: section)
    }
    let arrivals: [(ListPath, Item?, Bool)] =
      change.insertions.map { ($0, target[$0.section].items[$0.row], false) }
      + zip(change.moves, zip(moved, movedMarks)).map { ($0.to, $1.0, $1.1) }
    for (path, item, isMarked) in arrivals.sorted(by: { $0.0 < $1.0 }) {
      rows[path.section].insert(item, at: path.row)
      marked[path.section].insert(isMarked, at: path.row)
    }
    let updated = change.updates.map(\.to)
    return rows.indices.map { section in
      ListSection(
        id: ids[section],
        items: rows[section].indices.map { row in
          if marked[section][row] { expect(updated.contains(ListPath(section: section, row: row))) }
          return marked[section][row] ? target[section].items[row] : rows[section][row]!
        })
    }
  }
}
