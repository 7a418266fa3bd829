// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import Testing

extension AllTests {
  struct ReusePoolTests {
    final class Element {}

    @Test("8.3 what was recycled for a key is handed out for that key, the last one first, and then made")
    func keys() {
      let pool = ReusePool<String, Element>()
      let first = Element()
      let second = Element()
      let other = Element()
      pool.recycle(first, for: "row")
      pool.recycle(second, for: "row")
      pool.recycle(other, for: "header")
      expectEqual(pool.count(for: "row"), 2)
      expectEqual(pool.count(for: "header"), 1)
      expectEqual(pool.count(for: "footer"), 0)
      #expect(pool.dequeue(for: "row", orMake: { fatalError("made") }) === second)
      #expect(pool.dequeue(for: "row", orMake: { fatalError("made") }) === first)
      var made = 0
      _ = pool.dequeue(for: "row") {
        made += 1
        return Element()
      }
      expectEqual(made, 1)
      expectEqual(pool.count(for: "header"), 1)
    }

    @Test("8.3 what is recycled past the capacity is released, and so is all that is there when the pool is drained")
    func capacity() {
      for capacity in [0, 1, 3, -1] {
        let pool = ReusePool<String, Element>(capacityPerKey: capacity)
        let elements = (0..<5).map { _ in Element() }
        for _ in 1...2 {
          for element in elements { pool.recycle(element, for: "row") }
          // It is not in the pool.
          pool.recycle(elements[4], for: "row")
          expectEqual(pool.count(for: "row"), max(capacity, 0))
          pool.drain()
          expectEqual(pool.count(for: "row"), 0)
        }
        for _ in 0..<max(capacity, 0) { pool.recycle(Element(), for: "row") }
        weak var last: Element?
        do {
          let element = Element()
          last = element
          pool.recycle(element, for: "row")
        }
        expectNil(last)
      }
    }

    @Test(
      "8.3 many keys and many objects never mix, also where hash values are equal", arguments: 0..<8 as Range<UInt64>)
    func many(seed: UInt64) {
      struct Key: Hashable {
        let number: Int
        let isHashed: Bool
        func hash(into hasher: inout Hasher) { if isHashed { hasher.combine(number) } }
      }
      var random = SeededGenerator(seed: seed)
      let pool = ReusePool<Key, Element>(capacityPerKey: 40)
      var idle: [Key: [Element]] = [:]
      var used: [Element] = []
      for _ in 0..<3_000 {
        let number = Int.random(in: 0..<(seed.isMultiple(of: 2) ? 3 : 30), using: &random)
        let key = Key(number: number, isHashed: seed < 4)
        if Bool.random(using: &random) {
          let element = pool.dequeue(for: key) { Element() }
          if let expected = idle[key]?.popLast() { #expect(element === expected) }
          #expect(!used.contains { $0 === element })
          used.append(element)
        } else if let index = used.indices.randomElement(using: &random) {
          let element = used.remove(at: index)
          if pool.count(for: key) < 40 { idle[key, default: []].append(element) }
          pool.recycle(element, for: key)
        }
        expectEqual(pool.count(for: key), idle[key]?.count ?? 0)
      }
    }

    @Test("1.9 a key that empties the pool while it is compared finds it consistent, and the object is kept")
    func keyDrainsThePool() {
      final class Drain { var pool: ReusePool<Key, Element>? }
      struct Key: Hashable {
        let drain: Drain
        static func == (left: Key, right: Key) -> Bool {
          left.drain.pool?.drain()
          return true
        }
        func hash(into hasher: inout Hasher) {}
      }
      let (pool, drain) = (ReusePool<Key, Element>(), Drain())
      let key = Key(drain: drain)
      let element = Element()
      pool.recycle(Element(), for: key)
      drain.pool = pool
      pool.recycle(element, for: key)
      drain.pool = nil
      expectEqual(pool.count(for: key), 1)
      #expect(pool.dequeue(for: key, orMake: { fatalError("made") }) === element)
      pool.recycle(element, for: key)
      expectEqual(pool.count(for: key), 1)
    }

    @Test("1.9 a key that uses the pool while it is compared or hashed finds it consistent")
    func keyUsesThePool() {
      struct Key: Hashable {
        let name: String
        let use: () -> Void
        static func == (left: Key, right: Key) -> Bool {
          left.use()
          return left.name == right.name
        }
        func hash(into hasher: inout Hasher) {
          use()
          hasher.combine(name)
        }
      }
      let pool = ReusePool<Key, Element>()
      var depth = 0
      var number = 0
      func key(_ name: String) -> Key {
        Key(name: name) { [weak pool] in
          guard depth == 0, number < 40 else { return }
          depth += 1
          number += 1
          pool?.recycle(Element(), for: Key(name: "inner \(number)") {})
          depth -= 1
        }
      }
      for index in 0..<12 { pool.recycle(Element(), for: key("outer \(index)")) }
      number = 40
      for index in 0..<12 { expectEqual(pool.count(for: key("outer \(index)")), 1) }
      for index in 1...40 { #expect(pool.count(for: key("inner \(index)")) <= 1) }
    }
  }
}
