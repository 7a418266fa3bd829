import Testing

@testable import AsyncState

@Suite("10.2 the table of a family")
struct HashTableTests {
  private final class Item {
    let number: Int
    let hash: Int

    init(_ number: Int, _ hash: Int) {
      self.number = number
      self.hash = hash
    }
  }

  /// - Parameter spread: How many different hash values there are: few, so that most items collide.
  @Test("10.2 what was inserted and not removed is found, whatever collides", arguments: [1, 2, 7, 64, 1_000_000])
  func againstDictionary(spread: Int) {
    var generator = SeededGenerator(seed: UInt64(spread))
    var table = HashTable<Item>()
    var items: [Int: Item] = [:]
    // More, then fewer, so that the table grows and shrinks.
    for step in 0..<6_000 {
      let number = Int.random(in: 0..<400, using: &generator)
      let isGrowing = step / 1_000 % 2 == 0
      if let item = items[number] {
        guard !isGrowing || number % 5 == 0 else { continue }
        table.remove(item, hash: item.hash)
        items[number] = nil
      } else if isGrowing || number % 50 == 0 {
        // Neighbours at the end of the table, too: the search continues at its beginning.
        let item = Item(number, number % spread)
        table.insert(item, hash: item.hash)
        items[number] = item
      }
      guard step % 100 == 99 else { continue }
      #expect(table.count == items.count)
      for number in 0..<400 {
        let found = table.first(with: number % spread) { $0.number == number }
        #expect(found?.object === items[number])
      }
      let present = table.filter { _ in true }
      #expect(present.map(\.number).sorted() == items.keys.sorted())
    }
  }

  @Test("10.2 each item is held as long as it is in the table, and no longer")
  func references() {
    weak var removed: Item?
    weak var kept: Item?
    do {
      var table = HashTable<Item>()
      do {
        let items = (0..<100).map { Item($0, $0) }
        for item in items { table.insert(item, hash: item.hash) }
        removed = items[10]
        kept = items[11]
      }
      #expect(removed != nil)
      if let removed { table.remove(removed, hash: 10) }
      #expect(removed == nil)
      #expect(kept != nil)
      #expect(table.filter { $0.number == 11 }.count == 1)
    }
    #expect(kept == nil)
  }

  @Test("10.2 an empty table has nothing")
  func empty() {
    let table = HashTable<Item>()
    #expect(table.first(with: 0) { _ in true } == nil)
    #expect(table.filter { _ in true }.isEmpty)
  }
}
