@testable import AsyncState
import Testing

@Suite("8.1 ListDataSource")
struct ListDataSourceTests {
  final class Cell {
    let index: Int
    var shown: [String] = []
    init(index: Int) { self.index = index }
  }

  @Test("8.1 a cell is asked for with its index, configured once with its item, and returned")
  func cell() {
    var made: [Cell] = []
    let source = ListDataSource(items: ["a", "b"]) { index in
      made.append(Cell(index: index))
      return made.last!
    } configure: { cell, item in
      cell.shown.append(item)
    }
    let cell = source.cell(at: 1)
    #expect(made.count == 1)
    #expect(cell === made[0])
    #expect(cell.index == 1)
    #expect(cell.shown == ["b"])
    #expect(source.count == 2)
    #expect(source.item(at: 0) == "a")
  }

  @Test("8.1 the items are what they are by now")
  func current() {
    let items = Input(["a"])
    let source = ListDataSource(items: items, dequeue: Cell.init, configure: { $0.shown = [$1] })
    items.write(["x", "y"])
    #expect(source.count == 2)
    #expect(source.cell(at: 1).shown == ["y"])
  }

  @Test("8.1 changes are told as what is to be removed and inserted, and not at first")
  func changes() {
    let items = Input(["a", "b", "c"])
    let source = ListDataSource(items: items, dequeue: Cell.init, configure: { _, _ in })
    var shown = items.value
    var told = 0
    let token = source.observeChanges { difference in
      told += 1
      shown = shown.applying(difference)!
    }
    #expect(told == 0)
    items.write(["b", "c", "d"])
    #expect(told == 1)
    #expect(shown == ["b", "c", "d"])
    items.write(["b", "c", "d"])
    #expect(told == 1)
    token.cancel()
    items.write([])
    #expect(told == 1)
  }

  @Test("8.1 an equal list is no change, even where writes are not cut off")
  func equalList() {
    let items = Input(["a"], isEqual: { _, _ in false })
    let source = ListDataSource(items: items, dequeue: Cell.init, configure: { _, _ in })
    var told = 0
    let token = source.observeChanges { _ in told += 1 }
    items.write(["a"])
    #expect(told == 0)
    token.cancel()
  }

  @Test(
    "8.1 the difference leads from the old list to the new one, short lists or long", arguments: 0..<40 as Range<UInt64>
  )
  func difference(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let length = seed.isMultiple(of: 4) ? 2_000 : 40
    let variety = [5, 60, 100_000].randomElement(using: &random)!
    let list = { (random: inout SeededGenerator) in
      (0..<Int.random(in: 0...length, using: &random)).map { _ in Int.random(in: 0..<variety, using: &random) }
    }
    let old = list(&random)
    var new = Bool.random(using: &random) ? list(&random) : old
    for _ in 0..<10 where !new.isEmpty {
      new.remove(at: Int.random(in: 0..<new.count, using: &random))
      new.insert(Int.random(in: 0..<variety, using: &random), at: Int.random(in: 0...new.count, using: &random))
    }
    #expect(old.applying(ListDifference.between(old, new)) == new)
  }

  @Test("8.1 for lists that are not long the difference is the shortest, with repetition, too")
  func shortestWithRepetition() {
    let old = [1, 1, 2, 2, 3, 3]
    let new = [2, 1, 1, 2, 3, 4]
    #expect(ListDifference.between(old, new) == new.difference(from: old))
  }

  @Test("8.1 for long lists without repetition the difference is the shortest")
  func shortest() {
    let old = Array(0..<2_000)
    var new = old
    new.swapAt(3, 1_900)
    new.removeSubrange(500..<600)
    new.append(9_999)
    new.insert(-1, at: 0)
    let long = ListDifference.between(old, new)
    #expect(old.applying(long) == new)
    #expect(long.count == new.difference(from: old).count)
  }
}
