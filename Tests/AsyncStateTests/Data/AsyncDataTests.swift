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

    @Test("2 a seed is no answer, be it equatable or not")
    func seedIsNoAnswer() {
      struct Opaque { var text = "" }
      let snapshot = AsyncData(seed: Opaque()).snapshot
      #expect(snapshot.value != nil && snapshot.isProvisional)
      #expect(!snapshot.isValueSet && !snapshot.isSettled)
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

    @Test("2 the first value is not forced, be it equal to the seed")
    func firstValue() {
      let data = AsyncData(seed: 7)
      let recorder = DataRecorder(data)
      data.value = 7
      expectEqual(recorder.takeFlags(), "f")
    }

    @Test("2.2 setting the value to nil is an answer: there is no data")
    func setToNil() {
      let data = AsyncData<Int>()
      let recorder = DataRecorder(data)
      data.value = nil
      expectEqual(recorder.takeSnapshots(), ["- set"])
      data.value = nil
      expectEqual(recorder.takeFlags(), "t")
    }

    @Test("2.2 the same value is an equal one where values are equatable")
    func sameByEquality() {
      let data = AsyncData<[Int]>()
      let recorder = DataRecorder(data)
      data.value = [1]
      data.value = [1]
      data.value = [2]
      data.value = nil
      data.value = [2]
      expectEqual(recorder.takeFlags(), "ftfff")
    }

    @Test("2.2 the same value is the same object where values are objects, equatable or not")
    func sameByIdentity() {
      final class Plain {}
      final class Comparable: Equatable {
        static func == (left: Comparable, right: Comparable) -> Bool { true }
      }
      let plain = AsyncData<Plain>()
      let first = Plain()
      expectEqual(flags(plain, [first, first, Plain()]), "ftf")
      let comparable = AsyncData<Comparable>()
      let one = Comparable()
      expectEqual(flags(comparable, [one, one, Comparable()]), "ftf")
      let existential = AsyncData<any AnyObject>()
      expectEqual(flags(existential, [first, first, one]), "ftf")
    }

    @Test("2.2 values that are neither equatable nor objects are never the same")
    func neverTheSame() {
      struct Opaque { var text = "" }
      expectEqual(flags(AsyncData<Opaque>(), [Opaque(), Opaque()]), "ff")
      expectEqual(flags(AsyncData<any Sendable>(), [1, 1]), "ff")
    }

    @Test("2.2 data made in generic code compare with == and by identity, too")
    func sameInGenericCode() {
      func make<T>(_: T.Type) -> AsyncData<T> { AsyncData() }
      func seeded<T>(_ value: T) -> AsyncData<T> { AsyncData(seed: value) }
      func restored<T>(_ value: T) -> AsyncData<T> { AsyncData(snapshot: AsyncSnapshot(value: value)) }
      func write<T>(_ value: T, to data: AsyncData<T>) -> String { flags(data, [value, value]) }
      expectEqual(flags(make(Int.self), [1, 1, 2]), "ftf")
      expectEqual(flags(make([String].self), [["a"], ["a"], []]), "ftf")
      expectEqual(write("a", to: make(String.self)), "ft")
      expectEqual(write(7, to: seeded(7)), "ft")
      expectEqual(write(7, to: restored(7)), "tt")
      final class Plain {}
      expectEqual(write(Plain(), to: make(Plain.self)), "ft")
      struct Opaque { var text = "" }
      expectEqual(write(Opaque(), to: make(Opaque.self)), "ff")
    }

    private func flags<Value>(_ data: AsyncData<Value>, _ values: [Value]) -> String {
      let flags = FlagRecorder<Value>()
      data.delegate = flags
      for value in values { data.value = value }
      return flags.received
    }

    @Test("2 a value can be changed in place, as one write")
    func inPlace() {
      let data = AsyncData<[Int]>()
      data.value = []
      let recorder = DataRecorder(data)
      data.value?.append(1)
      expectEqual(recorder.takeSnapshots(), ["[1] set"])
    }

    @Test("2 reset restores the seed")
    func resetToSeed() {
      let data = AsyncData(seed: 7)
      data.value = 1
      data.error = Failure()
      data.invalidate()
      data.reset()
      expectEqual(SnapshotParts(data.snapshot), SnapshotParts(7, isProvisional: true))
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
