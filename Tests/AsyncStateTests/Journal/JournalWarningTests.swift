// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct JournalWarningTests {
    @Test("13.1 a load that its own notification starts again too often is reported once, with the chain")
    func loops() {
      // The values of loads from outside, until which value each starts again, and the warnings.
      let rows: [(limit: Int, capacity: Int, starts: [Int], goesOn: (Int) -> Bool, warnings: Int)] = [
        (3, 1_000, [1, 11, 21], { $0 % 10 != 0 }, 3), (3, 1_000, Array(repeating: 9, count: 20) + [2], { $0 < 4 }, 0),
        // 200 loads have two entries each.
        (3, 60, [1], { $0 < 200 }, 1), (-1, 1_000, [1], { $0 == 1 }, 1), (Int.max - 1, 1_000, [1], { $0 < 50 }, 0),
        (Int.max, 1_000, [1], { $0 < 50 }, 0),
      ]
      for (limit, capacity, starts, goesOn, warnings) in rows {
        let stage = JournalStage(capacity: capacity, limits: .init(restarts: limit))
        let data = stage.data()
        let token = stage.restart(data, while: goesOn)
        defer { withExtendedLifetime(token) {} }
        for value in starts { data.begin(.refresh).succeed(with: value) }
        expectEqual(stage.warnings.count, warnings, "\(limit), \(starts)")
        guard limit == 3, let text = stage.warnings.first.map({ "\($0.event)" }) else { continue }
        expect(text.hasPrefix("warning: the load was started by its own notification 4 times in a row: #"), "\(text)")
        expect(text.contains(" data: load started (refresh) ← #"), "\(text)")
      }
    }

    @Test("13.2 texts stay bounded when what a warning leads to is reported again, and a name is one line")
    func warningsOfWarnings() {
      let stage = JournalStage(limits: .init(restarts: 0))
      let data = stage.data()
      var loads = 40
      let load = {
        guard loads < 40 else { return }
        loads += 1
        data.begin(.refresh).succeed(with: loads)
      }
      let tokens = [
        stage.journal.observe { if $0.isWarning { load() } },
        data.observed.observe { if !$0.isRunning { load() } },
      ]
      loads = 0
      load()
      expectEqual(loads, 40)
      expect(stage.warnings.count > 10)
      expect(stage.warnings.allSatisfy { "\($0.event)".count < 1_000 })
      withExtendedLifetime(tokens) {}
      let journal = StateJournal(clock: ManualClock())
      let name = "first line\nsecond line" + String(repeating: "!", count: 1_000)
      let input = Input(1)
      journal.attach(input, name: name)
      input.write(2)
      expect(journal.entries.allSatisfy { $0.subject.hasPrefix("first line second line!") && $0.subject.count == 160 })
      expectEqual(journal.timeline.split(separator: "\n").count, journal.entries.count)
    }

    @Test("13.1 what another journal has recorded is the cause of nothing in this one")
    func causesOfTheFormerJournal() {
      let former = JournalStage()
      let data = former.data()
      // A journal with higher numbers than the former.
      let journal = StateJournal(clock: ManualClock())
      let other = AsyncData<Int>()
      journal.attach(other, name: "other")
      for _ in 0..<50 { other.invalidate() }
      // The first call is made at once, with what is there.
      var calls = -1
      let token = data.observed.observe { _ in
        calls += 1
        switch calls {
        case 1:
          data.invalidate()
          data.invalidate()
        case 2: journal.attach(data, name: "data")
        case 3: data.value = 2
        default: break
        }
      }
      data.value = 1
      let entries = journal.entries.filter { $0.subject == "data" }
      expectEqual(entries.map { "\($0.event)" }, ["attached: value, invalidated", "value set"])
      expectEqual(entries.map(\.cause), [nil, nil])
      withExtendedLifetime(token) {}
    }

    @Test("13.1 a status that changes too often in a second of the journal's clock is reported once")
    func flicker() async {
      let stage = JournalStage(limits: .init(statusChangesPerSecond: 4))
      let (data, host) = stage.displayedData()
      for value in 0..<4 {
        data.value = value
        await stage.clock.advance(by: .milliseconds(300))
      }
      expect(stage.warnings.isEmpty)
      for value in 4..<12 { data.value = value }
      expectEqual(stage.warnings.map(\.subject), ["screen"])
      let text = stage.warnings.first.map { "\($0.event)" } ?? ""
      expect(text.contains("changed more than 4 times in a second: "))
      expect(text.contains("screen: status data ← "))
      withExtendedLifetime(host) {}
      for (limit, capacity, warnings) in [(4, 40, 1), (.min, 1_000, 1), (.max - 1, 1_000, 0), (.max, 1_000, 0)] {
        let stage = JournalStage(capacity: capacity, limits: .init(statusChangesPerSecond: limit))
        let (data, host) = stage.displayedData()
        for value in 0..<200 { data.value = value }
        expectEqual(stage.warnings.count, warnings, "\(limit)")
        expectEqual(stage.journal.dropped > 100, capacity == 40)
        withExtendedLifetime(host) {}
      }
    }

    @Test("13.1 the timeline has a line for each entry, indented under its cause")
    func timeline() async {
      let stage = JournalStage()
      let query = Input("")
      let data = stage.data("results")
      stage.journal.attach(query, name: "query")
      let token = query.observe { if $0 == "a" { _ = data.begin(.refresh) } }
      await stage.clock.advance(by: .milliseconds(1_250))
      query.write("a")
      await afterReleases()
      expectEqual(
        stage.journal.timeline,
        """
          0.000  #1   results: attached: idle
          0.000  #2   query: attached
          1.250  #3   query: written
          1.250  #4     results: load started (refresh) ← #3
          1.250  #5       results: cancelled ← #4
        """)
      expectEqual(stage.journal.description, "StateJournal: 5 entries; #5 results: cancelled ← #4")
      expectEqual(StateJournal.timeline(of: []), "")
      withExtendedLifetime(token) {}
    }

    @Test("13.1 every event has words, also those that the contract does not have")
    func words() {
      let words: [StateJournal.Event: String] = [
        .attached(.init()): "attached: idle", .loadProgressed(nil): "progress unknown",
        .restored(isOutdated: true): "restored, out of date",
        .combined(.init(isRunning: true, isValueSet: true, hasError: true, isInvalidated: true)):
          "combined: running, value, error, invalidated",
        .pageArrived(.previous, isOutdated: false): "previous page arrived",
        .storeRead(isFound: true): "read from the store",
        .storeFailed("full"): "store failed: full", .arranged([]): "children: none", .warning("odd"): "warning: odd",
      ]
      for (event, text) in words { expectEqual(event.description, text) }
    }
  }
}
