// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct DeliveryTests {
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
