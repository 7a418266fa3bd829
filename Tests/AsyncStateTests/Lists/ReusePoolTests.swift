import AsyncState
import Testing

@Suite("8.3 ReusePool")
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
    #expect(pool.count(for: "row") == 2)
    #expect(pool.count(for: "header") == 1)
    #expect(pool.count(for: "footer") == 0)
    #expect(pool.dequeue("row", orMake: { fatalError("made") }) === second)
    #expect(pool.dequeue("row", orMake: { fatalError("made") }) === first)
    var made = 0
    _ = pool.dequeue("row") {
      made += 1
      return Element()
    }
    #expect(made == 1)
    #expect(pool.count(for: "header") == 1)
  }

  @Test("8.3 what is recycled past the capacity is let go", arguments: [0, 1, 3, -1])
  func capacity(capacity: Int) {
    let pool = ReusePool<String, Element>(capacityPerKey: capacity)
    for _ in 0..<5 { pool.recycle(Element(), for: "row") }
    #expect(pool.count(for: "row") == max(capacity, 0))
    weak var last: Element?
    do {
      let element = Element()
      last = element
      pool.recycle(element, for: "row")
    }
    #expect(last == nil)
  }

  @Test("8.3 an object may be recycled again after it was handed out, or let go")
  func again() {
    let pool = ReusePool<String, Element>(capacityPerKey: 1)
    let element = Element()
    let spare = Element()
    pool.recycle(element, for: "row")
    _ = pool.dequeue("row") { fatalError("made") }
    pool.recycle(element, for: "row")
    pool.recycle(spare, for: "row")
    pool.recycle(spare, for: "row")
    pool.drain()
    #expect(pool.count(for: "row") == 0)
    pool.recycle(element, for: "row")
    #expect(pool.count(for: "row") == 1)
  }
}
