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

    @Test("8.3 what is recycled past the capacity is released", arguments: [0, 1, 3, -1])
    func capacity(capacity: Int) {
      let pool = ReusePool<String, Element>(capacityPerKey: capacity)
      for _ in 0..<5 { pool.recycle(Element(), for: "row") }
      expectEqual(pool.count(for: "row"), max(capacity, 0))
      weak var last: Element?
      do {
        let element = Element()
        last = element
        pool.recycle(element, for: "row")
      }
      expectNil(last)
    }

    @Test("8.3 an object may be recycled again after it was handed out, or released")
    func again() {
      let pool = ReusePool<String, Element>(capacityPerKey: 1)
      let element = Element()
      let spare = Element()
      pool.recycle(element, for: "row")
      _ = pool.dequeue(for: "row") { fatalError("made") }
      pool.recycle(element, for: "row")
      pool.recycle(spare, for: "row")
      pool.recycle(spare, for: "row")
      pool.drain()
      expectEqual(pool.count(for: "row"), 0)
      pool.recycle(element, for: "row")
      expectEqual(pool.count(for: "row"), 1)
    }

    @Test("8.3 many keys and many objects never mix", arguments: 0..<8 as Range<UInt64>)
    func many(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let pool = ReusePool<String, Element>(capacityPerKey: 40)
      var idle: [String: [Element]] = [:]
      var used: [Element] = []
      for _ in 0..<3_000 {
        let key = "\(Int.random(in: 0..<(seed.isMultiple(of: 2) ? 3 : 30), using: &random))"
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

    @Test("8.3 keys with equal hash values never mix")
    func equalHashValues() {
      struct Key: Hashable {
        let number: Int
        func hash(into hasher: inout Hasher) {}
      }
      let pool = ReusePool<Key, Element>()
      let elements = (0..<200).map { _ in Element() }
      for (number, element) in elements.enumerated() { pool.recycle(element, for: Key(number: number)) }
      for (number, element) in elements.enumerated().reversed() {
        expectEqual(pool.count(for: Key(number: number)), 1)
        #expect(pool.dequeue(for: Key(number: number), orMake: { fatalError("made") }) === element)
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
