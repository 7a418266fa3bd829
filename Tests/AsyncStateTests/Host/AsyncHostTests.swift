// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Observation
import Testing

extension AllTests {
  @MainActor
  struct AsyncHostTests {
    @Test("6.1 making a host requests nothing; load presents the first status, not animated, and then requests, once")
    func load() {
      let stage = HostStage()
      stage.data.value = 1
      stage.data.reset()
      expectEqual(stage.trace.takeTrace(), "")
      expect(!stage.host.hasStarted)
      expectEqual(stage.host.status.kind, .loading)
      stage.host.start()
      expectEqual(stage.trace.takeTrace(), "W(loading,f) K loading+ loading+! D(nil,f) request")
      expect(stage.host.hasStarted)
      stage.host.start()
      expectEqual(stage.trace.takeTrace(), "")
    }

    @Test(
      "6.1, 3.2 start with a condition requests at each call, without one until an answer; a call while a request runs joins it"
    )
    func startAtEachCall() async throws {
      let (gate, clock) = (ManualServer<Int>(), ManualClock())
      let number = AsyncResource(options: LoadOptions(staleAfter: .seconds(60), clock: clock)) { try await gate.wait() }
      let host = AsyncHost(number) { _ in [] }
      host.start()
      await gate.arrived(1)
      number.cancel()
      expectEqual(host.status.kind, .idle)
      host.start()
      try #require(number.isRunning)
      await gate.arrived(2)
      host.start(when: .always)
      gate.answer(call: 2, with: .success(1))
      await number.settled()
      host.start()
      await expectEqual(host.start(when: .stale).outcome().word, "fresh 1")
      expect(!number.isRunning)
      expectEqual(gate.callCount, 2)
      host.start(when: .always)
      try #require(number.isRunning)
      await gate.arrived(3)
      expectEqual(host.status, .data(1), "it is a refresh")
      gate.answer(call: 3, with: .success(2))
      await number.settled()
      await clock.advance(by: .seconds(60))
      host.start(when: .stale)
      expect(number.isRunning)
      expectEqual(host.status, .data(2))
      number.cancel()
      await number.settled()
    }

    @Test("6.1, 3.17, 9.4 a host that is started again without a key, or at a closed gate, requests nothing by itself")
    func startWithoutKey() async {
      let key = Input<Int?>(nil)
      let online = LoadGate(isOpen: false)
      var requests: [Int] = []
      let number = AsyncResource(following: key, options: LoadOptions(gate: online)) { number in
        requests.append(number)
        return number
      }
      let host = AsyncHost(number) { _ in [] }
      host.start(when: .stale)
      host.start()
      expect(!number.isRunning)
      expectEqual(host.status, .idle)
      key.write(1)
      host.start()
      host.start(when: .stale)
      expect(number.isWaiting)
      expectEqual(host.status, .waiting)
      online.open()
      await number.settled()
      host.start(when: .stale)
      expectEqual(requests, [1])
      expectEqual(host.status, .data(1))
    }

    @Test("6.1, 3.6 a host of several resources requests what meets the condition; one of a closure once until a value")
    func startParts() async {
      let clock = ManualClock()
      let options = LoadOptions(staleAfter: .seconds(60), clock: clock)
      let (first, second) = (ManualServer<Int>(), ManualServer<Int>())
      let fresh = AsyncResource(options: options) { try await first.wait() }
      let stale = AsyncResource(options: options) { try await second.wait() }
      fresh.data.value = 1
      let host = AsyncHost(zip(fresh, stale)) { _ in [] }
      host.start(when: .stale)
      second.answer(call: 1, with: .success(2))
      await host.settled()
      expectEqual(first.callCount, 0)
      expectEqual(host.status.kind, .data)

      var requests = 0
      let data = AsyncData<Int>(options: options)
      let plain = AsyncHost(data: data, request: { _, _ in requests += 1 }) { _ in [] }
      plain.start(when: .stale)
      plain.start()
      expectEqual(requests, 1, "the value may be on its way")
      data.value = 1
      plain.start(when: .stale)
      expectEqual(requests, 1)
      await clock.advance(by: .seconds(60))
      plain.start(when: .stale)
      expectEqual(requests, 2)
    }

    @Test("6.1 what is there before start is displayed at once, without loading, and the request is still made")
    func thereBeforeStart() {
      let ways: [(Int?, (AsyncData<Int>) -> Void, String)] = [
        (nil, { $0.value = 7 }, "data:7"), (3, { _ in }, "data:3"), (nil, { $0.error = Failure() }, "error:failure"),
        (nil, { $0.value = nil }, "noData"),
      ]
      for (seed, write, status) in ways {
        let stage = HostStage(seed: seed)
        write(stage.data)
        stage.host.start()
        let kind = stage.host.status.kind
        expectEqual(stage.trace.takeTrace(), "W(\(status),f) K \(kind)+ \(kind)+! D(nil,f) request")
      }
    }

    @Test("6.1 a host that appears before load shows loading, and load presents only news, not animated")
    func appearsBeforeLoad() {
      let stage = HostStage()
      stage.host.appear(animated: false)
      expectEqual(stage.transitions(), ["W(loading,f)", "D(nil,f)"])
      stage.host.start()
      expectEqual(stage.trace.takeTrace(), "request")
      let known = HostStage(seed: 1)
      known.host.appear(animated: false)
      _ = known.trace.take()
      known.host.start()
      expectEqual(known.transitions(), ["W(data:1,f)", "D(loading,f)"])
    }

    @Test(
      "6.4 reload makes the request again, also while one is under way, and the data keeps its value; at first it is the load"
    )
    func reload() {
      let stage = HostStage().shown().loaded()
      stage.host.reload()
      expectEqual(stage.trace.takeTrace(), "request")
      stage.data.value = 1
      _ = stage.trace.take()
      var loads: [PendingLoad<Int>] = []
      stage.answer = { loads.append($0.begin(.reload)) }
      stage.host.reload()
      expect(stage.trace.take().hasPrefix("request W(loading,t) K"))
      expectEqual(stage.data.value, 1)
      stage.data.cancel()
      expectEqual(stage.transitions(), ["W(data:1,t)", "D(loading,t)"])
      let first = HostStage()
      first.host.reload()
      expect(first.trace.take().hasSuffix("request"))
      first.host.start()
      expectEqual(first.trace.takeTrace(), "")
    }

    // MARK: Appearing, releases

    @Test("5.16, 6.1 whether a host is visible is what its container says, after a life-cycle call in a callback, too")
    func visibleAfterCallInCallback() {
      let data = AsyncData(seed: 1)
      let child = Leaving()
      let host = AsyncHost(data: data, request: { _, _ in }, children: { _ in [child] })
      child.host = host
      let isVisible = host.isVisible
      host.start()
      host.appear(animated: false)
      expect(!isVisible.current)
      child.host = nil
      host.appear(animated: false)
      expect(isVisible.current)
    }

    private final class Leaving: ChildController {
      weak var host: AsyncHost<Int>?
      func didAppear(animated: Bool) { host?.disappear(animated: false) }
    }

    @Test("5.18, 6.1 a nested host appears with the outer container, changes unseen without it, and loads only by load")
    func nested() {
      let stage = HostStage()
      let outer = StateContainer(initialState: true) { [host = stage.host!] isShown in isShown ? [host] : [] }
      outer.appear(animated: false)
      expectEqual(stage.transitions(), ["W(loading,f)", "D(nil,f)"])
      expect(!stage.host.hasStarted)
      stage.host.start()
      outer.setNeedsTransition(to: false, animated: false)
      _ = stage.trace.take()
      stage.data.value = 1
      expectEqual(stage.transitions(), ["W(data:1,t)", "D(loading,t)"])
      outer.setNeedsTransition(to: true, animated: false)
      expectEqual(stage.transitions(), [])
      expectEqual(stage.host.container.appearance, .visible)
    }

    @Test("6.3 nothing holds the host, its container neither, which stays as it is; the host holds no presenter")
    func lifetime() {
      let trace = Recorder()
      var presenter: TracedPresenter<Int>? = TracedPresenter(trace)
      let data = AsyncData<Int>()
      var host: AsyncHost? = AsyncHost(data: data, request: { _, _ in })
      let container = host?.container
      host?.presenter = presenter
      let releasedPresenter = Weak(presenter)
      let releasedHost = Weak(host)
      host?.start()
      presenter = nil
      expectNil(releasedPresenter.object)
      data.value = 1
      host = nil
      expectNil(releasedHost.object)
      data.value = 2
      container?.appear(animated: false)
      expectEqual(container?.currentState, .data(1))
      expectEqual(trace.takeTrace(), "loading,f")
    }

    // MARK: Observation

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
      host.data.invalidate()
      expectEqual(statuses, 1, "the status stays the same")
      host.data.value = 3
      expectEqual(statuses, 2)
    }

    @Test(
      "1.4, 6.1, 6.2 a reader that writes, or starts, when it is notified: the newest status is displayed, of one request"
    )
    func writeBeforeTheChange() {
      let data = AsyncData<Int>()
      data.value = 1
      let host = AsyncHost(data: data, request: { _, _ in }, children: { _ in [] })
      whenReported({ _ = host.status }) { data.value = 2 }
      host.start()
      expectEqual(host.status, .data(2))
      expectEqual(host.container.currentState, .data(2))

      var requests = 0
      let other = AsyncHost(data: AsyncData<Int>(), request: { _, _ in requests += 1 }, children: { _ in [] })
      whenReported({ _ = other.hasStarted }) { other.start() }
      other.start()
      expectEqual(requests, 1)
      expect(other.hasStarted)
      other.data.value = 1
      expectEqual(other.container.currentState, .data(1))
    }
  }
}
