// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct DataJournalTests: JournalSuite {
    let stage = JournalStage()

    @Test("13.1 each change is one entry, whatever its cause")
    func changes() {
      let data = stage.data()
      let load = data.begin(.refresh)
      load.report(progress: 0.5)
      load.yield(1)
      load.succeed(with: 2)
      stage.expectEntries(
        "#2 data: load started (refresh)", "#3 data: progress 50 % ← #2", "#4 data: yielded ← #2",
        "#5 data: answered ← #2")
      data.error = Failure(name: "wrong")
      data.error = nil
      data.reset()
      stage.expectEntries("#6 data: error set: wrong", "#7 data: error removed", "#8 data: reset")
    }

    @Test("13.1 an entry is written when its effect is visible, and before anyone is notified")
    func timing() throws {
      let data = stage.data()
      var found: [String] = []
      let observed = data.observed.observe { [journal] in
        found.append("observer \(journal.entries.last.map { "\($0.event)" } ?? "-") \($0.value.map { "\($0)" } ?? "-")")
      }
      let delegate = DataRecorder(data)
      delegate.hooks = [{ [journal] in found.append("delegate \(journal.entries.last?.event.description ?? "-")") }]
      let journalToken = journal.observe { entry in found.append("journal \(entry.event) \(data.value ?? 0)") }
      data.value = 1
      expectEqual(
        found, ["observer attached: idle -", "journal value set 1", "observer value set 1", "delegate value set"])
      withExtendedLifetime((observed, journalToken)) {}
    }

    @Test("13.1 attempts, a timeout and a stored error text are recorded with their numbers")
    func attempts() async {
      let data = stage.data()
      var calls = 0
      let load = data.start(options: LoadOptions(retry: RetryPolicy { failed in failed.count < 2 ? .zero : nil })) {
        calls += 1
        if calls == 1 { throw Failure(name: "busy") }
        throw Failure(name: String(repeating: "x", count: 1_000))
      }
      _ = await load.outcome()
      let entries = journal.entries
      expectEqual(entries.map(\.event.description)[2], "attempt 1 failed, retrying: busy")
      expectEqual(entries.last?.event, .loadFailed(String(repeating: "x", count: 160)))
      expectEqual(entries.suffix(2).map(\.cause), [2, 2])
    }

    @Test("13.1 a clock and an error's description that use the data find them consistent")
    func userCode() {
      let data = stage.data()
      let recorder = DataRecorder(data)
      data.error = Curious(data)
      expectEqual(data.value, 7)
      expectNil(data.error)
      expectEqual(recorder.received.count, 2)
      stage.expectEntries("#2 data: error set: curious", "#3 data: value set")
    }

    /// An error whose description writes to data.
    @MainActor
    private final class Curious: Error, CustomStringConvertible {
      private let data: AsyncData<Int>
      init(_ data: AsyncData<Int>) { self.data = data }

      nonisolated var description: String {
        MainActor.assumeIsolated { data.value = 7 }
        return "curious"
      }
    }

    @Test("13.2 numbers have no gaps, the last entries are kept, and dropped counts the others")
    func ring() {
      let stage = JournalStage(capacity: 4)
      let data = stage.data()
      for value in 0..<10 { data.value = value }
      expectEqual(stage.journal.entries.map(\.number), [8, 9, 10, 11])
      expectEqual(stage.journal.dropped, 7)
      expectNil(stage.journal[7])
      expectEqual(stage.journal[8]?.number, 8)
      expectNil(stage.journal[12])
      expectEqual(StateJournal(capacity: 0).capacity, 1)
    }

    @Test("13.2 a journal keeps no subject, no error and no value, and no subject keeps its journal")
    func lifetimes() async {
      final class Object: Error {}
      var journal: StateJournal? = StateJournal()
      weak let weakJournal = journal
      var data: AsyncData<Object>? = AsyncData()
      journal?.attach(data!, name: "data")
      weak let weakData = data
      var object: Object? = Object()
      weak let weakObject = object
      data?.value = object
      data?.begin().fail(with: object!)
      data?.reset()
      object = nil
      expectNil(weakObject)
      data = nil
      expectNil(weakData)
      await afterReleases()
      expectEqual(journal?.entries.last?.event, .released)
      data = AsyncData()
      journal?.attach(data!, name: "data")
      journal = nil
      expectNil(weakJournal)
      data?.value = Object()
      expect(data?.value != nil)
    }

    @Test("13.3 each start has one end, for whatever reason, and each optimistic change has one decision")
    func ends() async {
      var data: AsyncData<Int>? = stage.data()
      let first = data?.begin()
      let second = data?.begin()
      data = nil
      await afterReleases()
      stage.expectEntries(
        "#2 data: load started (refresh)", "#3 data: superseded", "#4 data: load started (refresh)",
        "#5 data: cancelled", "#6 data: released")
      expectEqual(journal.entries.map(\.ends), [nil, nil, 2, nil, 4, nil])
      withExtendedLifetime((first, second)) {}
      let changes = JournalStage()
      let changed = changes.data()
      changed.value = 1
      await changed.mutate({ $0 += 1 }, commit: {})
      await changed.mutate({ $0 += 1 }, commit: { throw Failure() })
      let gate = ManualServer<Int>()
      let dropped = Task { await changed.mutate({ $0 += 1 }, commit: { _ = try await gate.wait() }) }
      await gate.arrived(1)
      changed.value = 5
      gate.answer(call: 1, with: .success(1))
      _ = await dropped.value
      changes.expectEntries(
        "#2 data: value set", "#3 data: patched", "#4 data: patch confirmed ← #3", "#5 data: patched",
        "#6 data: patch removed, out of date ← #5", "#7 data: patched", "#8 data: patch removed ← #7",
        "#9 data: value set", "#10 data: patch in doubt")
      expectEqual(changes.journal.entries.compactMap(\.ends), [3, 5, 7])
    }

    @Test("13.3 page requests have one end each")
    func pages() async {
      let data = AsyncData<Paged<Int, Int>>()
      journal.attach(data, name: "pages")
      await data.loadFirst { (cursor: Int?) in Paged.Page(items: [1], next: 2, previous: 0) }
      await data.loadNext { cursor in Paged.Page(items: [cursor], next: 3, previous: 0) }
      await data.loadPrevious { _ in throw Failure(name: "no") }
      let gate = ManualServer<Paged<Int, Int>.Page>()
      let next = Task { await data.loadNext { _ in try await gate.wait() } }
      await gate.arrived(1)
      data.cancel()
      _ = await next.value
      stage.expectEntries(
        "#1 pages: attached: idle", "#2 pages: load started (refresh)", "#3 pages: answered ← #2",
        "#4 pages: next page requested", "#5 pages: next page arrived ← #4", "#6 pages: previous page requested",
        "#7 pages: previous page failed: no ← #6", "#8 pages: next page requested", "#9 pages: next page cancelled")
    }

    @Test("13.4 data that is attached in the middle of everything is recorded from there, and has no kind before")
    func attachedLate() async {
      let data = AsyncData(seed: 1)
      let load = data.begin()
      let other = AsyncData<Int>()
      let token = data.observed.observe { [journal] snapshot in
        guard snapshot.value == 2, !snapshot.isInvalidated else { return }
        journal.attach(data, name: "late")
        data.invalidate()
        other.value = 1
      }
      journal.attach(data, name: "data")
      load.yield(2)
      load.succeed(with: 3)
      expectEqual(StateJournal.kind(of: "late", after: journal.entries), StateJournal.DataKind(data.snapshot))
      stage.expectEntries(
        "#1 data: attached: running", "#2 data: yielded ← #1", "#3 late: attached: running, value ← #2",
        "#4 late: invalidated ← #2", "#5 late: answered, out of date ← #3")
      let known = stage.data("known")
      known.value = 1
      let entries = journal.entries.suffix(1)
      expectNil(StateJournal.kind(of: "known", after: entries))
      expectNil(StateJournal.kind(of: "other", after: entries))
      expectEqual(StateJournal.kind(of: "known", after: entries, from: .init(hasError: true)), .init(isValueSet: true))
      withExtendedLifetime(token) {}
    }

    // MARK: Causes

    @Test("13.1 a change made in a notification of the same data has that one as its cause, and not a later one")
    func reentrantCauses() {
      let data = stage.data()
      let other = stage.data("other")
      let last = stage.data("last")
      let token = data.observed.observe { snapshot in
        switch snapshot.value {
        case 1:
          data.value = 2
          data.value = 3
        case 3?: other.value = 4
        default: break
        }
      }
      let otherToken = other.observed.observe { if let value = $0.value { last.value = value } }
      data.value = 1
      stage.expectEntries(
        "#4 data: value set", "#5 data: value set ← #4", "#6 data: value set ← #4", "#7 other: value set ← #6",
        "#8 last: value set ← #7")
      // Notifications of one data are in turn, those of another one inside them.
      expectEqual(journal.entries.suffix(5).map(\.depth), [0, 1, 1, 1, 2])
      expectEqual(journal.causes(of: 8).map(\.number), [7, 6, 4])
      withExtendedLifetime((token, otherToken)) {}
    }

    @Test("13.1 what a load does was led to by its start; in a notification, or after another load, by that")
    func answers() async {
      let data = stage.data()
      let other = stage.data("other")
      let load = data.begin()
      let token = other.observed.observe { if let value = $0.value { load.succeed(with: value) } }
      other.value = 5
      stage.expectEntries(
        "#3 data: load started (refresh)", "#4 other: value set", "#5 data: answered ← #4")
      expectEqual(journal[5]?.ends, 3)
      withExtendedLifetime(token) {}
      let later = JournalStage()
      let joined = later.data()
      let gate = ManualServer<Int?>()
      let first = joined.start(id: "a") { try await gate.wait() }
      joined.invalidate()
      let second = joined.start(id: "a") { 2 }
      await gate.answer(arriving: 1, with: .success(1))
      _ = await first.outcome()
      _ = await second.outcome()
      later.expectEntries(
        "#2 data: load started (refresh)", "#3 data: invalidated", "#4 data: answered, out of date ← #2",
        "#5 data: load started (refresh) ← #4", "#6 data: answered ← #5")
    }

    @Test("13.1 who observes entries may cause others, which are observed in order")
    func observing() {
      let data = stage.data()
      var observed: [String] = []
      let token = journal.observe { entry in
        observed.append(entry.description)
        if case .valueSet = entry.event, data.value != 3 { data.value = (data.value ?? 0) + 1 }
      }
      data.value = 1
      expectEqual(observed, ["#2 data: value set", "#3 data: value set ← #2", "#4 data: value set ← #3"])
      token.cancel()
      data.value = 9
      expectEqual(observed.count, 3)
    }
  }
}
