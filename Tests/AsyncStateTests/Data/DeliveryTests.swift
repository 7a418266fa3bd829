// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct DeliveryTests {
    @Test("1.2 when a setter returns, delegate and observers have been notified")
    func synchronous() {
      let data = AsyncData<Int>()
      let recorder = DataRecorder(data)
      var observed: [Int?] = []
      let token = data.observed.observe { observed.append($0.value) }
      data.value = 1
      expectEqual(recorder.takeSnapshots(), ["1 set"])
      expectEqual(observed, [nil, 1])
      token.cancel()
    }

    @Test("1.3 value, error and activity change together: no reader sees a part")
    @MainActor func oneCauseOneChange() async {
      let data = AsyncData<Int>()
      data.error = Failure(name: "old")
      let recorder = DataRecorder(data)
      var observed: [String] = []
      let token = data.observed.observe { observed.append(SnapshotParts($0).description) }
      await data.load { 1 }
      expectEqual(recorder.takeSnapshots(), ["- error(old) refresh", "1 set"])
      expectEqual(observed, ["- error(old)", "- error(old) refresh", "1 set"])
      token.cancel()
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

    @Test("1.4 a write to something else inside a notification is delivered before it returns")
    func writeToSomethingElse() {
      let (data, other) = (AsyncData<Int>(), AsyncData<Int>())
      let (recorder, otherRecorder) = (DataRecorder(data), DataRecorder(other))
      var heardInside = ""
      recorder.hooks = [
        {
          other.value = 5
          heardInside = otherRecorder.takeFlags()
        }
      ]
      data.value = 1
      expectEqual(heardInside, "f")
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
