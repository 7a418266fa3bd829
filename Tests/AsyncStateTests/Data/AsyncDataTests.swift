// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct AsyncDataTests {
    @Test("2, 2.4 each cause notifies once, forced or not, and makes the data stale or not")
    @MainActor func toldOnce() async {
      let data = AsyncData(seed: 0)
      expect(data.isStale)
      let recorder = DataRecorder(data)
      var load: LoadTask<Int>?
      let rows: [(cause: String, flags: String, isStale: Bool, happens: () async -> Void)] = [
        ("a value", "f", false, { data.value = 1 }), ("another one", "f", false, { data.value = 2 }),
        ("the same", "t", false, { data.value = 2 }), ("a change in place", "f", false, { data.value! += 1 }),
        ("an error", "f", true, { data.error = Failure() }), ("it is removed", "f", true, { data.error = nil }),
        ("there is none", "", true, { data.error = nil }), ("a third value", "f", false, { data.value = 9 }),
        ("invalidated", "t", true, { data.invalidate() }), ("reset", "f", true, { data.reset() }),
        ("reset again", "f", true, { data.reset() }), ("nothing is cancelled", "", true, { data.cancel() }),
        ("a load", "f", true, { load = data.start { 3 } }), ("its answer", "f", false, { await load?.outcome() }),
        ("invalidated again", "t", true, { data.invalidate() }),
        ("another load", "f", true, { load = data.start { 4 } }),
        ("that answer", "f", false, { await load?.outcome() }),
        ("a third load", "f", false, { load = data.start { throw Failure() } }),
        ("its failure", "f", true, { await load?.outcome() }),
        ("a fourth load", "f", true, { data.start { 4 } }), ("its cancel", "f", true, { data.cancel() }),
      ]
      for row in rows {
        await row.happens()
        expectEqual(recorder.takeFlags(), row.flags, "\(row.cause)")
        expectEqual(data.isStale, row.isStale, "\(row.cause)")
      }
    }

    @Test("2.2 the same value is an equal one, or the same object; any other is never the same; in generic code, too")
    func same() {
      final class Plain {}
      final class Comparable: Equatable {
        static func == (left: Comparable, right: Comparable) -> Bool { true }
      }
      struct Opaque { var text = "" }
      let (plain, one) = (Plain(), Comparable())
      expectEqual(flags(AsyncData<[Int]>(), [[1], [1], [2], nil, nil, [2]]), "ftfftf")
      expectEqual(flags(AsyncData<Plain>(), [plain, plain, Plain()]), "ftf")
      expectEqual(flags(AsyncData<Comparable>(), [one, one, Comparable()]), "ftf", "an object is not compared with ==")
      expectEqual(flags(AsyncData<any AnyObject>(), [plain, plain, one]), "ftf")
      expectEqual(flags(AsyncData<Opaque>(), [Opaque(), Opaque()]), "ff")
      expectEqual(flags(AsyncData<any Sendable>(), [1, 1]), "ff")
      func made<T>(_ value: T) -> String { flags(AsyncData<T>(), [value, value]) }
      func seeded<T>(_ value: T) -> String { flags(AsyncData(seed: value), [value, value]) }
      func restored<T>(_ value: T) -> String {
        flags(AsyncData(snapshot: AsyncSnapshot(value: value)), [value, value])
      }
      expectEqual([made(1), made(["a"]), made(plain), made(Opaque())], ["ft", "ft", "ft", "ff"])
      expectEqual([seeded(7), restored(7)], ["ft", "tt"])
    }

    private func flags<Value>(_ data: AsyncData<Value>, _ values: [Value?]) -> String {
      let flags = FlagRecorder<Value>()
      data.delegate = flags
      for value in values { data.value = value }
      return flags.received
    }

    @Test("1.6 the delegate is held weakly")
    func weakDelegate() {
      let data = AsyncData<Int>()
      _ = DataRecorder(data)
      expectNil(data.delegate)
    }

    @Test("a value that is released finds consistent data")
    func formerValueGoes() {
      let data = AsyncData<Farewell>()
      var seen: [String] = []
      data.value = Farewell { [unowned data] in seen.append(data.value == nil ? "nothing" : "something") }
      data.value = nil
      expectEqual(seen, ["nothing"])
    }

    @Test("1.4 a write inside a notification is read at once and delivered when that one is over, in order")
    func writeInsideNotification() {
      let data = AsyncData<Int>()
      let recorder = DataRecorder(data)
      var log: [String] = []
      let token = data.observed.observe { log.append("observer \($0.value ?? 0)") }
      log = []
      recorder.hooks = [
        {
          data.value = 2
          log.append("reads \(data.value ?? 0)")
          data.value = 3
          log.append("reads \(data.value ?? 0), observed \(data.observed.current.value ?? 0)")
        }
      ]
      data.value = 1
      expectEqual(log, ["observer 1", "reads 2", "reads 3, observed 3", "observer 2", "observer 3"])
      expectEqual(recorder.received.map(\.parts.value), [1, 3, 3])
      expectEqual(data.value, 3)
      token.cancel()
    }

    @Test("1.4 a long chain of writes, each inside the notification of the one before, runs in constant stack")
    func chainOfWrites() {
      final class Chain: AsyncDataDelegate {
        var depth = 0
        var deepest = 0
        func asyncDataDidChange(_ data: AsyncData<Int>, forced: Bool) {
          depth += 1
          deepest = max(deepest, depth)
          if data.value! < 100_000 { data.value! += 1 }
          depth -= 1
        }
      }
      let data = AsyncData<Int>()
      let chain = Chain()
      data.delegate = chain
      data.value = 0
      expectEqual(data.value, 100_000)
      expectEqual(chain.deepest, 1)
    }
  }
}

private final class FlagRecorder<Value>: AsyncDataDelegate {
  var received = ""
  func asyncDataDidChange(_ data: AsyncData<Value>, forced: Bool) { received += letter(forced) }
}
