// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct PageIdentityTests {
    struct Row: Identifiable, Equatable, CustomStringConvertible {
      /// An identity of which many have the same hash.
      struct ID: Hashable {
        var number: Int
        func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
      }
      var number: Int
      var text = ""
      var id: ID { ID(number: number) }
      var description: String { "\(number)\(text)" }
    }

    typealias List = Paged<Row, Int>

    private func page(
      _ numbers: some Sequence<Int>, _ text: String = "", next: Int? = nil, previous: Int? = nil
    ) -> List.Page {
      List.Page(items: numbers.map { Row(number: $0, text: text) }, next: next, previous: previous)
    }

    private func text(_ list: List?) -> String { list?.items.map(\.description).joined(separator: " ") ?? "-" }

    // MARK: Identities

    @Test(
      "9.17 a page that overlaps the edge keeps its order: new rows between those that it repeats stay between them")
    func betweenRepeated() {
      var list = List(first: page([30, 50, 70]))
      list.prepend(page([10, 20, 30, 31, 32, 31, 50, 60], "b"))
      expectEqual(text(list), "10b 20b 30b 31b 32b 50b 60b 70")
      list.append(page([59, 60, 65, 70, 80], "c"))
      expectEqual(text(list), "10b 20b 30b 31b 32b 50b 59c 60c 65c 70c 80c")
      for row in list.items { expectEqual(list[id: row.id], row) }
      list.append(page([79, 20, 5, 90], "d"))
      expectEqual(text(list), "10b 20d 30b 31b 32b 50b 59c 60c 65c 70c 80c 79d 5d 90d", "it does not overlap the edge")
    }

    @Test("3.13 generic code finds identities, too, and equal lists are equal whatever happened before")
    func generic() {
      func add<Item>(_ page: Paged<Item, Int>.Page, to list: inout Paged<Item, Int>) { list.append(page) }
      var list = List(first: page(1...2))
      add(page(2...3, "b"), to: &list)
      expectEqual(text(list), "1 2b 3b")
      var other = List(first: page([0]))
      other.append(page([1, 2]))
      other[id: .init(number: 2)] = nil
      var same = List(first: page([0]))
      same.append(page([1]))
      expectEqual(other, same)
      var names = Paged<String, Int>(first: .init(items: ["a"]))
      names.append(.init(items: ["a", "b"]))
      expectEqual(names.items, ["a", "a", "b"], "rows without an identity are never the same")
    }

    @Test(
      "3.13, 9.17 at random: the list has each identity once, in the order of its first appearance, and in that of a page that overlaps the edge"
    )
    func random() { for seed in Soak.seeds(30) { paged(seed) } }

    private func paged(_ seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var list = List(first: page([]))
      var model: [[Row]] = [[]]
      for step in 0..<60 {
        let numbers = (0..<Int.random(in: 0...5, using: &random)).map { _ in Int.random(in: 0...20, using: &random) }
        let page = page(numbers, "s\(step)")
        let isNext = Bool.random(using: &random)
        insertBetween(page.items, isNext, &model)
        var new: [Row] = []
        for row in page.items {
          if let place = model.indices.first(where: { model[$0].contains { $0.id == row.id } }) {
            model[place][model[place].firstIndex { $0.id == row.id }!] = row
          } else if let index = new.firstIndex(where: { $0.id == row.id }) {
            new[index] = row
          } else {
            new.append(row)
          }
        }
        model.insert(new, at: isNext ? model.count : 0)
        if isNext { list.append(page) } else { list.prepend(page) }
        expectEqual(list.items, model.flatMap { $0 })
        expectEqual(list.pageCount, model.count)
      }
    }

    /// The new rows behind the first row of the list, or before the last one, in the page of the row beside them.
    private func insertBetween(_ rows: [Row], _ isNext: Bool, _ model: inout [[Row]]) {
      var beside: Row.ID?
      for row in isNext ? rows.reversed() : rows {
        let list = model.flatMap { $0 }.map(\.id)
        if let index = list.firstIndex(of: row.id) {
          let former = beside.flatMap(list.firstIndex)
          if former.map({ isNext ? index < $0 : index > $0 }) ?? (index == (isNext ? list.count - 1 : 0)) {
            beside = row.id
          }
        } else if let former = beside {
          let page = model.firstIndex { $0.contains { $0.id == former } }!
          let index = model[page].firstIndex { $0.id == former }!
          model[page].insert(row, at: isNext ? index : index + 1)
          beside = row.id
        }
      }
    }

    @Test(
      "3.13 at random: rows are added, changed, moved, removed and found by hand, beside pages at each end, which keep their cursors"
    )
    func randomlyEdited() {
      for seed in Soak.seeds(25) {
        if let fault = edited(seed) {
          Issue.record("seed \(seed), \(fault)")
          return
        }
      }
    }

    private func edited(_ seed: UInt64) -> String? {
      var random = SeededGenerator(seed: seed)
      var (next, previous, pageCount): (Int?, Int?, Int) = (1, -1, 1)
      var list = List(first: page([], next: next, previous: previous))
      // Each row with its side: before the pages (-1), of them (0), or behind them (1).
      var model: [(row: Row, side: Int)] = []
      func index(of row: Row) -> Int? { model.firstIndex { $0.row.id == row.id } }
      for step in 0..<60 {
        let new = Row(number: step, text: "s")
        // Perhaps one that is there.
        var row = Bool.random(using: &random) ? new : model.randomElement(using: &random)?.row ?? new
        row.text += "t"
        switch Int.random(in: 0...8, using: &random) {
        case 0:
          if Bool.random(using: &random) { list.append(new) } else { list[id: new.id] = new }
          model.append((new, next == nil ? 0 : 1))
        case 1:
          list.prepend(new)
          model.insert((new, previous == nil ? 0 : -1), at: 0)
        case 2:
          let place = Int.random(in: 0...model.count, using: &random)
          list.insert(row, at: place)
          let first = model.count { $0.side < 0 }
          let last = model.count { $0.side > 0 }
          if let known = index(of: row) {
            model[known].row = row
          } else {
            model.insert((row, place < first ? -1 : place <= model.count - last ? 0 : 1), at: place)
          }
        case 3:
          guard let place = model.indices.randomElement(using: &random) else { continue }
          let removed = Bool.random(using: &random) ? list.remove(at: place) : list.items[place]
          list[id: removed.id] = nil
          model.remove(at: place)
        case 4:
          guard let place = model.indices.randomElement(using: &random) else { continue }
          list[place] = row
          let former = index(of: row)
          model[place].row = row
          if let former, former != place { model.remove(at: former) }
        case 5:
          list[id: row.id]?.text = "u"
          if let known = index(of: row) { model[known].row.text = "u" }
        default:
          // New rows, and some that were added at that end.
          let side = Bool.random(using: &random) ? 1 : -1
          let beyond = model.filter { $0.side == side && Int.random(in: 0..<3, using: &random) == 0 }.map(\.row)
          let rows = [Row(number: 100 + step)] + beyond + [Row(number: 200 + step)]
          let isEnd = Int.random(in: 0..<20, using: &random) == 0
          model.removeAll { element in beyond.contains { $0.id == element.row.id } }
          pageCount += 1
          if side > 0 {
            next = isEnd ? nil : 1
            list.append(.init(items: rows, next: next))
          } else {
            previous = isEnd ? nil : -1
            list.prepend(.init(items: rows, previous: previous))
          }
          let place = model.firstIndex { $0.side >= (side > 0 ? 1 : 0) } ?? model.count
          model.insert(contentsOf: rows.map { ($0, 0) }, at: place)
          if isEnd { for place in model.indices where model[place].side == side { model[place].side = 0 } }
        }
        let rows = model.map(\.row)
        guard list.items == rows else { return "step \(step): \(list.items) instead of \(rows)" }
        guard list.pageCount == pageCount, list.next == next, list.previous == previous else {
          return "step \(step): \(list.pageCount) pages, next \(list.next as Any), previous \(list.previous as Any)"
        }
        for number in [step, step + 100, step + 200] + rows.map(\.number) {
          let found = list[id: .init(number: number)]
          guard found == rows.first(where: { $0.number == number }) else {
            return "step \(step): \(number) is \(found as Any)"
          }
        }
      }
      return nil
    }
  }
}
