// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct WatchingKeyTests {
    @Test("20.1 the key of what is watched changes while its value is awaited: the watcher gets that of the other key")
    func keyChange() async {
      let key = Input<Int?>(1)
      let gate = Gate<Int>()
      let watched = AsyncResource<Int>(following: key) { key in try await gate.wait(for: key) }
      let watcher = AsyncResource(.value { (reporter: LoadReporter<Int>) in try await reporter.get(watched) + 1 })
      let load = watcher.start()
      await gate.arrived(for: 1)
      key.write(2)
      await gate.arrived(for: 2)
      gate.answer(for: 2, with: .success(20))
      #expect(await load.outcome().word == "value 21")
      await watcher.settled()
      #expect(!watcher.isStale)
    }

    @Test("9.1, 20.1 an operation that follows a key yields, reports and watches")
    func keyWithReporter() async throws {
      let key = Input<Int?>(1)
      let rate = AsyncResource { 10 }
      let gate = Gate<Int>()
      let priced = AsyncResource<Int>(following: key) { key in
        .value { reporter in
          reporter.report(progress: 0.5)
          try reporter.yield(key)
          let factor = try await reporter.get(rate)
          return try await gate.wait(for: key) * factor
        }
      }
      let load = priced.start()
      await gate.arrived(for: 1)
      #expect(priced.value == 1 && priced.snapshot.activity?.progress == 0.5)
      key.write(2)
      await gate.arrived(for: 2)
      gate.answer(for: 2, with: .success(7))
      await priced.settled()
      #expect(await load.outcome().word == "superseded")
      #expect(priced.value == 70)
      rate.receive(100)
      gate.answer(for: 2, with: .success(7))
      await priced.settled()
      #expect(priced.value == 700)
    }

    @Test("9.1 on another actor, too, an operation that follows a key has a reporter")
    func keyWithReporterElsewhere() async throws {
      actor Session {
        let key = Input<Int?>(3)
        lazy var resource = AsyncResource<Int>(isolation: self, following: key) { key in
          .value { reporter in
            try reporter.yield(0)
            return key * 2
          }
        }
        func load() async -> String { await resource.load().word }
      }
      #expect(await Session().load() == "value 6")
    }

    @Test("20.3 what is watched has no key: the watcher ends without an answer, and is requested when there is one")
    func noKey() async {
      let key = Input<Int?>(nil)
      let watched = AsyncResource<Int>(following: key) { $0 }
      let watcher = AsyncResource(.value { (reporter: LoadReporter<Int>) in try await reporter.get(watched) + 1 })
      #expect(await watcher.load().word == "cancelled")
      #expect(!watcher.isRunning && !watcher.snapshot.isLoading)
      key.write(4)
      await watched.settled()
      await watcher.settled()
      #expect(watcher.value == 5)
    }

    @Test("20.1 each element of a live value is watched, and its end is no change")
    func live() async {
      let stage = LiveStage()
      let live = AsyncResource(.live { stage.connect() })
      var calls = 0
      let watcher = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          calls += 1
          return try await reporter.get(live) * 10
        })
      stage.send(1)
      #expect(await watcher.load().word == "value 10")
      stage.send(2)
      await reaches(watcher) { $0.value == 20 }
      await watcher.settled()
      stage.send(2)
      stage.send(3)
      await reaches(watcher) { $0.value == 30 }
      await watcher.settled()
      stage.end()
      for await _ in live.observed.values where live.isStale { break }
      await watcher.settled()
      #expect(calls == 3 && !watcher.isStale && stage.connectionCount == 1)
    }

    @Test("20.1 a live value may be made of others: it connects again when these change")
    func liveWatcher() async {
      let stage = LiveStage()
      let room = AsyncResource<Int> { 1 }
      let family = AsyncFamily { (key: Int) in .live { stage.connect(key) } }
      let watcher = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in try await reporter.get(family[reporter.get(room)]) })
      stage.send(10)
      #expect(await watcher.load().word == "value 10")
      stage.send(20, on: 2)
      room.data.value = 2
      await reaches(watcher) { $0.value == 20 }
      await watcher.settled()
      // The entry that is not watched any more is not held, so its stream ends.
      family.trim()
      #expect(stage.keys == [1, 2] && stage.isCancelled(1) && !stage.isCancelled(2))
    }

    @Test("20.3 a value that was restored while the watcher is marked is not awaited for ever")
    func restored() async {
      let source = AsyncFamily<Int, Int> { $0 }
      let middle = AsyncFamily<Int, Int> { key in .value { reporter in try await reporter.get(source[key]) } }
      await middle[1].load()
      source[1].data.value = 5
      middle.restore(StoredValue(7, age: .zero), for: 1)
      let outer = AsyncResource(.value { (reporter: LoadReporter<Int>) in try await reporter.get(middle[1]) })
      #expect(await outer.load().word.hasPrefix("value"))
      await outer.settled()
      await middle.settled()
    }
  }
}
