// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LoadGateTests {
    let stage = GateStage()
    var gate: LoadGate { stage.gate }

    @Test("3.17 a load that begins while the gate is closed waits, says so at once, and is requested when it opens")
    func waits() async {
      let resource = stage.resource()
      var seen: [Bool] = []
      let token = resource.observed.observe { seen.append($0.isWaiting) }
      let load = resource.start()
      // One cause, one notification: it never looked as if it were on its way.
      expectEqual(seen, [false, true])
      expect(resource.isRunning)
      expect(resource.isWaiting)
      expectEqual(resource.status, .waiting)
      await expectEqual(stage.requests(), 0)
      expectEqual("\(gate)", "LoadGate: closed, 1 waiting")
      gate.open()
      expectEqual("\(gate)", "LoadGate: open")
      await stage.server.arrived(1)
      expect(!resource.isWaiting)
      expect(resource.isRunning)
      expectEqual(resource.status, .loading)
      await stage.answer(1, 7)
      await expectEqual(load.outcome().word, "value 7")
      expectEqual(seen, [false, true, false, false])
      // One that is answered by hand waits for no gate.
      gate.close()
      let data = AsyncData<Int>(options: stage.options())
      data.begin().succeed(with: 2)
      expectEqual(data.value, 2)
      await stage.nothingIsLeft(after: 1)
      withExtendedLifetime(token) {}
    }

    @Test("3.17 a gate that opens before a load has come to wait for it is passed, and the load does not wait any more")
    func opensBeforeTheRequest() async {
      let resource = stage.resource()
      resource.start()
      gate.open()
      await stage.server.arrived(1)
      expect(!resource.isWaiting)
      await stage.answer(1, 1)
      await resource.settled()
    }

    @Test("3.17 an observer that cancels a load as it continues keeps it from beginning")
    func cancelledByAnObserver() async {
      let resource = stage.resource()
      var hasWaited = false
      let token = resource.observed.isWaiting.observe { isWaiting in
        if hasWaited, !isWaiting { resource.cancel() }
        hasWaited = isWaiting
      }
      resource.start()
      await expectEqual(stage.requests(), 0)
      await stage.nothingIsLeft(after: 0)
      expect(!resource.isRunning)
      withExtendedLifetime(token) {}
    }

    // MARK: Retries and timeouts

    @Test("3.10, 3.17 the time stands still while a further attempt waits for the gate")
    func timeBetweenAttempts() async {
      gate.open()
      let resource = stage.resource(retry: RetryPolicy { _ in .seconds(1) }, timeout: .seconds(5))
      let load = resource.start()
      await stage.server.arrived(1)
      await stage.clock.advance(by: .seconds(2))
      gate.close()
      stage.server.answer(call: 1, with: .failure(Failure()))
      // The time limit, and the pause.
      await stage.clock.sleepers(atLeast: 2)
      await stage.clock.advance(by: .seconds(1))
      for await snapshot in resource.observed.values where snapshot.isWaiting { break }
      await stage.clock.advance(by: .seconds(3600))
      expect(resource.isWaiting)
      expectNil(resource.error)
      gate.open()
      await stage.server.arrived(2)
      await stage.clock.sleepers(atLeast: 1)
      await stage.clock.advance(by: .milliseconds(1999))
      expectNil(resource.error)
      await stage.clock.advance(by: .milliseconds(1))
      await expectEqual(load.outcome().word, "failure LoadTimeoutError()")
      await stage.nothingIsLeft(after: 2)
    }

    @Test("3.10 of two uploads at a gate of width one the second has all its time")
    func timeInAQueue() async {
      let (clock, server) = (ManualClock(), ManualServer<Int?>())
      let options = LoadOptions(timeout: .seconds(30), clock: clock, gate: LoadGate(width: 1))
      let uploads = (1...2).map { _ in AsyncResource<Int>(options: options) { try await server.wait() } }
      let loads = uploads.map { $0.start() }
      for call in 1...2 {
        await server.arrived(call)
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(25))
        server.answer(call: call, with: .success(call))
      }
      for (load, value) in zip(loads, 1...2) { await expectEqual(load.outcome().word, "value \(value)") }
      withExtendedLifetime(uploads) {}
    }

    @Test("3.17 content stays while a reload waits, on both screens, and is hidden when it begins")
    func contentStays() async {
      let resource = stage.resource()
      resource.data.value = 1
      let hosts = [AsyncHost(resource) { _ in [] }, AsyncHost(resource) { _ in [] }]
      for host in hosts { host.appear(animated: false) }
      hosts[0].start()
      hosts[1].start()
      hosts[0].reload()
      for host in hosts { #expect(host.status == .data(1) && host.container.currentState == .data(1)) }
      gate.open()
      await stage.server.arrived(1)
      for host in hosts { #expect(host.status == .loading && host.container.currentState == .loading) }
      await stage.answer(1, 2)
      await resource.settled()
      for host in hosts { expectEqual(host.container.currentState, .data(2)) }
    }

    @Test("3.17, 1.7 who reads whether a load waits, or the status, is notified when that changes, and by nothing else")
    func observation() async {
      let resource = stage.resource()
      resource.start()
      await expectEqual(stage.requests(), 0)
      let log = Tally()
      whenReported({ _ = resource.isWaiting }) { log.note("waiting") }
      whenReported({ _ = resource.status }) { log.note("status") }
      whenReported({ _ = resource.isRunning }) { log.note("running") }
      gate.open()
      await stage.server.arrived(1)
      expectEqual(Set(log.entries), ["waiting", "status"])
      await stage.answer(1, 1)
      await resource.settled()
    }

    // MARK: Conditions

    @Test("3.17 a gate follows a condition as long as its token lasts; conditions are combined by and, or, not")
    func follows() async {
      let (isOnline, isActive, isLoggedOut) = (Input(true), Input(false), Input(false))
      let gate = LoadGate()
      var token: ObservedToken? = gate.follow((isOnline && isActive) && !isLoggedOut || .constant(false))
      expect(!gate.isOpen)
      isActive.write(true)
      expect(gate.isOpen)
      isLoggedOut.write(true)
      expect(!gate.isOpen)
      isLoggedOut.write(false)
      expect(gate.isOpen)
      withExtendedLifetime(token) {}
      token = nil
      isOnline.write(false)
      expect(gate.isOpen)
    }

    @Test("3.17 a gate is opened on any thread, and what waits continues on its own actor")
    func otherThread() async {
      actor Account {
        func load(_ gate: LoadGate) async -> String {
          let resource = AsyncResource<Int>(isolation: self, options: LoadOptions(gate: gate)) {
            .value {
              self.preconditionIsolated()
              return 5
            }
          }
          let load = resource.start()
          await Task.detached { gate.open() }.value
          return await load.outcome().word
        }
      }
      await expectEqual(Account().load(gate), "value 5")
    }

    @Test("3.17, 3.11 polling waits with its load, and pauses while its condition does not hold")
    func polling() async {
      let isVisible = Input(false)
      let resource = stage.resource()
      let polling = Waiting { await resource.poll(every: .seconds(10), while: isVisible) }
      await polling.begun()
      await expectEqual(stage.requests(), 0)
      expect(!resource.isRunning)
      isVisible.write(true)
      await reaches(resource) { $0.isWaiting }
      gate.open()
      await stage.answer(1, 1)
      await stage.clock.sleepers(atLeast: 1)
      for isShown in [false, true] { isVisible.write(isShown) }
      await expectEqual(stage.requests(), 1)
      isVisible.write(false)
      await stage.clock.advance(by: .seconds(60))
      await expectEqual(stage.requests(), 1)
      // Its time has come long ago.
      isVisible.write(true)
      await stage.answer(2, 2)
      await stage.clock.sleepers(atLeast: 1)
      polling.cancel()
      await polling.end()
      await stage.nothingIsLeft(after: 2)
    }
  }
}
