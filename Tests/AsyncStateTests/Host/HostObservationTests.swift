// SPDX-License-Identifier: MIT
import AsyncState
import Observation
import Testing

extension AllTests {
  @MainActor
  struct HostObservationTests {
    @Test("1.7 a view that reads the status or whether it has started is invalidated by that alone")
    func observable() {
      let host = AsyncHost(data: AsyncData<Int>(), request: { _, _ in }, children: { _ in [] })
      var (starts, statuses) = (0, 0)
      whenReported({ _ = host.hasStarted }) { starts += 1 }
      whenReported({ _ = host.status }) { statuses += 1 }
      host.start()
      expectEqual(starts, 1)
      expectEqual(statuses, 0)
      host.data.value = 1
      expectEqual(starts, 1)
      expectEqual(statuses, 1)
      whenReported({ _ = host.status }) { statuses += 1 }
      host.data.start(.refresh) { reporter in
        reporter.report(progress: 0.5)
        return 2
      }
      // The status stays the same.
      expectEqual(statuses, 1)
      host.data.invalidate()
      expectEqual(statuses, 1)
      host.data.value = 3
      expectEqual(statuses, 2)
    }

    @Test("1.4, 6.2 a reader of the status that writes when it is notified: the newest status is displayed")
    func writeBeforeTheChange() {
      let data = AsyncData<Int>()
      data.value = 1
      let host = AsyncHost(data: data, request: { _, _ in }, children: { _ in [] })
      whenReported({ _ = host.status }) { data.value = 2 }
      host.start()
      expectEqual(host.status, .data(2))
      expectEqual(host.container.currentState, .data(2))
    }

    @Test("1.4, 6.1 a reader of the start that loads when it is notified: the request is made once")
    func loadBeforeTheChange() {
      var requests = 0
      let host = AsyncHost(data: AsyncData<Int>(), request: { _, _ in requests += 1 }, children: { _ in [] })
      whenReported({ _ = host.hasStarted }) { host.start() }
      host.start()
      expectEqual(requests, 1)
      expect(host.hasStarted)
      host.data.value = 1
      expectEqual(host.container.currentState, .data(1))
    }
  }
}
