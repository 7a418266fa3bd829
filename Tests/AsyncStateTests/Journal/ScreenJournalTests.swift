// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
@testable import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct ScreenJournalTests: JournalSuite {
    let stage = JournalStage()

    @Test("13.1 each write of an input is an entry that leads to what observers do; a batch is one notification")
    func inputs() {
      let input = Input(1)
      let other = Input(0)
      journal.attach(input, name: "input")
      journal.attach(other, name: "other")
      let tokens = [
        input.map { $0 * 2 }.observe { other.write($0) },
        input.observe { if $0 < 3 { input.write($0 + 1) } },
      ]
      _ = stage.take()
      // The second observer has made it 3 when it was registered.
      input.write(7)
      stage.expectEntries("#8 input: written", "#9 other: written ← #8")
      input.write(1)
      stage.expectEntries(
        "#10 input: written", "#11 other: written ← #10", "#12 input: written ← #10", "#13 other: written ← #12",
        "#14 input: written ← #12", "#15 other: written ← #14")
      let (first, second, data) = (Input(0), Input(0), stage.data())
      journal.attach(first, name: "first")
      journal.attach(second, name: "second")
      _ = stage.take()
      first.write(1)
      stage.expectEntries("#19 first: written")
      var sums: [Int] = []
      let token = first.zip(second).map { $0 + $1 }.observe {
        sums.append($0)
        data.value = $0
      }
      _ = stage.take()
      batch {
        $0.write(2, to: first)
        $0.write(3, to: second)
      }
      expectEqual(sums, [1, 5])
      stage.expectEntries("#21 first: written", "#22 second: written", "#23 data: value set ← #21")
      withExtendedLifetime((tokens, token)) {}
    }

    @Test("13.1 while a pacer displays nothing, its container leads to nothing, and from there to what is displayed")
    func pacing() {
      let data = stage.data()
      let pacer = DisplayPacer(delay: .seconds(1), clock: stage.clock)
      let host = AsyncHost(data: data, pacer: pacer, request: { _, _ in }) { _ in [] }
      journal.attach(host, name: "host")
      host.start()
      host.appear(animated: false)
      data.value = 1
      expectEqual(
        journal.entries.map { "\($0.event)" }.filter { $0.contains("transition") },
        [
          "will transition to nothing", "did transition from nothing", "will transition to data",
          "did transition from nothing",
        ])
    }

    @Test("13.1 an input that is attached while it is delivered is recorded from there")
    func inputAttachedLate() {
      let input = Input(0)
      let token = input.observe { [journal] in if $0 == 1 { journal.attach(input, name: "input") } }
      input.write(1)
      input.write(2)
      stage.expectEntries("#1 input: attached", "#2 input: written")
      let other = StateJournal()
      other.attach(input, name: "there")
      input.write(3)
      expectEqual(stage.take(), [])
      expectEqual(other.entries.map(\.description), ["#1 there: attached", "#2 there: written"])
      withExtendedLifetime(token) {}
    }

    @Test("13.1, 13.3 from the answer to the child: the status, the transition and the children follow from each other")
    func host() {
      let data = stage.data()
      let recorder = Recorder()
      let host = AsyncHost(data: data, request: { _, _ in }) { [recorder.child("\($0.kind)")] }
      journal.attach(host, name: "screen") { ($0 as? RecordedChild)?.name ?? "?" }
      host.appear(animated: false)
      _ = stage.take()
      host.start()
      stage.expectEntries("#10 screen: status loading")
      data.value = 1
      stage.expectEntries(
        "#11 data: value set", "#12 screen: status data ← #11", "#13 screen: will transition to data, animated ← #12",
        "#14 screen: loading will disappear ← #13", "#15 screen: data will appear ← #13",
        "#16 screen: children: data, loading ← #13", "#17 screen: data did appear ← #13",
        "#18 screen: children: data ← #13", "#19 screen: loading did disappear ← #13",
        "#20 screen: did transition from loading, animated ← #13")
      expectEqual(journal[20]?.ends, 13)
      host.disappear(animated: false)
      stage.expectEntries(
        "#21 screen: disappearing", "#22 screen: data will disappear ← #21", "#23 screen: gone",
        "#24 screen: data did disappear ← #23")
    }

    @Test(
      "13.1 what a callback of a container does was led to by what it was called for, and so is what waits for its end")
    func containerCallbacks() {
      let container = StateContainer(initialState: 1) { _ in [] }
      let data = stage.data()
      journal.attach(container, name: "pages")
      container.appear(animated: false)
      _ = stage.take()
      let delegate = Delegate()
      container.delegate = delegate
      delegate.will = {
        data.value = $0
        if $0 == 2 { container.setNeedsTransition(to: 3, animated: false) }
      }
      container.setNeedsTransition(to: 2, animated: false)
      stage.expectEntries(
        "#7 pages: will transition to 2", "#8 data: value set ← #7", "#9 pages: did transition from 1 ← #7",
        "#10 pages: will transition to 3 ← #7", "#11 data: value set ← #10", "#12 pages: did transition from 2 ← #10")
      delegate.will = { _ in container.disappear(animated: false) }
      container.setNeedsTransition(to: 4, animated: false)
      stage.expectEntries(
        "#13 pages: will transition to 4", "#14 pages: did transition from 3 ← #13", "#15 pages: disappearing ← #13",
        "#16 pages: gone ← #13")
    }

    @Test(
      "13.1 a container that is attached to another journal in the middle of a step leaves nothing open in the first")
    func attachedElsewhere() {
      let container = StateContainer(initialState: 1) { _ in [] }
      let data = stage.data()
      journal.attach(container, name: "pages")
      container.appear(animated: false)
      let delegate = Delegate()
      container.delegate = delegate
      let other = StateJournal()
      delegate.will = { _ in other.attach(container, name: "there") }
      container.setNeedsTransition(to: 2, animated: false)
      _ = stage.take()
      // Not led to by the transition, which has ended.
      data.value = 1
      stage.expectEntries("#8 data: value set")
      expectEqual(other.entries.map(\.description), ["#1 there: attached"])
    }

    final class Delegate: StateContainerDelegate {
      var will: (Int) -> Void = { _ in }
      func container(_ container: StateContainer<Int>, willTransitionTo nextState: Int, animated: Bool) {
        will(nextState)
      }
    }

    @Test("13.1 the entries of a family are named by their keys, and a tag's invalidation leads to their loads")
    func families() async {
      let board = AsyncTagBoard()
      let family = AsyncFamily<Int, Int>(
        options: LoadOptions(clock: stage.clock), board: board, tags: { key, _ in [AsyncTag("item", key)] }
      ) {
        $0
      }
      let early = family[1]
      journal.attach(family, name: "items")
      journal.attach(board, name: "board")
      let late = family[2]
      await late.load()
      board.invalidate(AsyncTag("item", 2), AsyncTag("item", 1))
      await board.settled()
      stage.expectEntries(
        "#1 items[1]: attached: idle", "#2 board: attached", "#3 items[2]: attached: idle",
        "#4 items[2]: load started (refresh)", "#5 items[2]: answered ← #4", "#6 board: invalidated item 2, item 1",
        "#7 items[1]: invalidated ← #6", "#8 items[2]: invalidated ← #6",
        "#9 items[2]: load started (refresh) ← #8", "#10 items[2]: answered ← #9")
      withExtendedLifetime((early, late)) {}
    }

    @Test("13.1 the uses of a store, and what a family removes, are recorded; failures with their text")
    func stores() async throws {
      let store = MemoryStore<Int, Int>()
      let family = AsyncFamily<Int, Int>(options: LoadOptions(clock: stage.clock), keepUnused: 0, store: store) {
        $0
      }
      journal.attach(family, name: "items")
      await family[1].load(when: .stale)
      await family.untilSettled()
      stage.expectEntries(
        "#1 items[1]: attached: idle", "#2 items[1]: load started (refresh)", "#3 items[1]: not in the store",
        "#4 items[1]: answered ← #2", "#5 items[1]: stored")
      _ = family.trim()
      await afterReleases()
      stage.expectEntries("#6 items[1]: evicted", "#7 items[1]: released")
      let held = family[2]
      try await family.forget(2)
      expect(stage.take().contains { $0.hasSuffix("items[2]: removed from the store") })
      withExtendedLifetime(held) {}
    }

    @Test("13.1 a key change leads to a reset and to the request for the next key, also after a delay")
    func following() async {
      let query = Input<String?>("a")
      let results = AsyncResource(following: query, delay: .seconds(1), options: LoadOptions(clock: stage.clock)) {
        text in text.count
      }
      journal.attach(query, name: "query")
      journal.attach(results, name: "results")
      await results.load()
      _ = stage.take()
      query.write("ab")
      stage.expectEntries("#5 query: written", "#6 results: key changed ← #5")
      await stage.clock.advance(by: .seconds(1))
      await results.settled()
      stage.expectEntries("#7 results: load started (refresh) ← #6", "#8 results: answered ← #7")
    }

    @Test("13.1 data that several others are together are recorded as such")
    func combined() {
      let first = AsyncResource<Int> { 1 }
      let second = AsyncResource<Int> { 2 }
      let host = AsyncHost(zip(first, second))
      journal.attach(first, name: "first")
      journal.attach(host.data, name: "both")
      host.start()
      let kinds = StateJournal.kind(of: "both", after: journal.entries)
      expectEqual(kinds, StateJournal.DataKind(host.data.snapshot))
      expectEqual(kinds?.isRunning, true)
      first.data.value = 3
      second.data.value = 4
      expectEqual(StateJournal.kind(of: "both", after: journal.entries), .init(isValueSet: true))
    }
  }
}
