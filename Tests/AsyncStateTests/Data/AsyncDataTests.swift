// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct AsyncDataTests {
    @Test("2 new data has nothing but the seed")
    func fresh() {
      expectEqual(SnapshotParts(AsyncData<Int>().snapshot), SnapshotParts())
      expectEqual(SnapshotParts(AsyncData(seed: 7).snapshot), SnapshotParts(7, isProvisional: true))
      #expect(AsyncData<Int>().isLoading)
      #expect(!AsyncData(seed: 7).isLoading)
    }

    @Test("2 each cause notifies once, forced or not as the table says")
    @MainActor func toldOnce() async {
      let data = AsyncData(seed: 0)
      let recorder = DataRecorder(data)
      func received(after cause: () -> Void) -> String {
        cause()
        return recorder.takeFlags()
      }
      expectEqual(received { data.value = 1 }, "f")
      expectEqual(received { data.value = 2 }, "f")
      expectEqual(received { data.value = 2 }, "t")
      expectEqual(received { data.value! += 1 }, "f")
      expectEqual(received { data.error = Failure() }, "f")
      expectEqual(received { data.error = nil }, "f")
      expectEqual(received { data.error = nil }, "")
      expectEqual(received { data.invalidate() }, "t")
      expectEqual(received { data.reset() }, "f")
      expectEqual(received { data.reset() }, "f")
      expectEqual(received { data.cancel() }, "")
      var load = data.start { 3 }
      expectEqual(recorder.takeFlags(), "f")
      _ = await load.outcome()
      expectEqual(recorder.takeFlags(), "f")
      load = data.start { throw Failure() }
      expectEqual(recorder.takeFlags(), "f")
      _ = await load.outcome()
      expectEqual(recorder.takeFlags(), "f")
      load = data.start { 4 }
      expectEqual(recorder.takeFlags(), "f")
      data.cancel()
      expectEqual(recorder.takeFlags(), "f")
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
      var recorder: DataRecorder<Int>? = DataRecorder(data)
      #expect(data.delegate != nil)
      _ = recorder
      recorder = nil
      expectNil(data.delegate)
      data.value = 1
    }

    @Test("a value that is released finds consistent data")
    func formerValueGoes() {
      final class Watcher {
        let look: () -> Void
        init(look: @escaping () -> Void) { self.look = look }
        deinit { look() }
      }
      let data = AsyncData<Watcher>()
      var seen: [String] = []
      data.value = Watcher { [unowned data] in seen.append(data.value == nil ? "nothing" : "something") }
      data.value = nil
      expectEqual(seen, ["nothing"])
    }
  }
}

private final class FlagRecorder<Value>: AsyncDataDelegate {
  var received = ""
  func asyncDataDidChange(_ data: AsyncData<Value>, forced: Bool) { received += letter(forced) }
}
