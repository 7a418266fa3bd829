// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

@Suite("14.3 Replay: data and inputs", .timeLimit(.minutes(5)))
@MainActor
struct ReplayTests: JournalSuite {
  let stage = JournalStage()

  @Test("14.3 loads with all their ends, values, errors and resets give the same trace again")
  func data() throws {
    let data = stage.data()
    let load = data.begin(.refresh)
    load.report(progress: 0.29)
    load.report(progress: nil)
    load.yield(1)
    load.succeed(with: 2)
    data.begin().fail(with: Failure(name: "two\nlines"))
    data.begin().fail(with: Failure(name: ""))
    data.begin().task.cancel()
    let former = data.begin()
    let superseded = data.begin()
    data.value = 3
    data.invalidate()
    let cancelled = data.begin()
    data.cancel()
    data.error = Failure(name: "wrong: failed")
    data.error = nil
    let last = data.begin()
    data.reset()
    try expectSame()
    withExtendedLifetime((former, superseded, cancelled, last)) {}
  }

  @Test("14.3 attempts and timeouts are repeated, though no clock moves")
  func attempts() async throws {
    let data = stage.data()
    let load = data.start(options: LoadOptions(retry: RetryPolicy { failures, _ in failures < 3 ? .zero : nil })) {
      throw Failure(name: "busy")
    }
    _ = await load.outcome()
    let late = data.start(options: LoadOptions(timeout: .seconds(1))) { try await Gate<Int>().wait() }
    await stage.clock.sleepers(atLeast: 1)
    await stage.clock.advance(by: .seconds(1))
    _ = await late.outcome()
    try expectSame()
    let replay = Replay(entries)
    let again = AsyncData<Int>()
    replay.attach(again, name: "data") { _ in nil }
    #expect(replay.run() == nil)
    #expect(again.error is LoadTimeout)
  }

  @Test("14.3 optimistic changes are repeated with their decisions, whatever their order")
  func changes() async throws {
    let data = stage.data()
    data.value = 1
    let gates = (0..<3).map { _ in Gate<Int?>() }
    let mutations = gates.map { gate in
      Waiting {
        await data.mutate {
          $0 += 1
        } commit: {
          _ = try await gate.wait()
        }
      }
    }
    for mutation in mutations { await mutation.begun() }
    gates[1].answer(call: 1, with: .success(nil))
    _ = await mutations[1].end()
    gates[0].answer(call: 1, with: .failure(Failure()))
    _ = await mutations[0].end()
    data.value = 5
    gates[2].answer(call: 1, with: .success(nil))
    _ = await mutations[2].end()
    try expectSame()
  }

  @Test(
    "14.3 changes are removed alone, or by the reset after them, as their order says",
    arguments: [
      // A reset ends the load first, and then removes the changes in the order in which they were made.
      ["cancelled", "patch removed ← #2", "patch removed ← #3"],
      ["cancelled", "patch removed ← #3", "patch removed ← #2"],
      ["patch removed ← #2", "cancelled", "patch removed ← #3"],
      ["patch removed ← #3", "cancelled", "patch removed ← #2"],
      ["patch removed ← #2", "patch removed ← #3", "cancelled"],
      ["patch removed ← #3", "patch removed ← #2", "cancelled"],
    ])
  func removals(ends: [String]) throws {
    let events = ["attached: idle", "patched", "patched", "load started (reload)"] + ends + ["reset"]
    let lines = events.enumerated().map { "#\($0 + 1) data: \($1)" }
    let replay = Replay(try StateJournal.entries(of: lines.joined(separator: "\n")))
    let data = AsyncData<Int>()
    replay.attach(data, name: "data") { $0.number }
    #expect(replay.run() == nil)
    #expect(replay.journal.entries.map(\.description) == lines)
  }

  @Test("14.3 page requests are repeated; what a page makes of the list is given by the test")
  func pages() async throws {
    typealias List = Paged<Int, Int>
    let data = AsyncData<List>()
    stage.journal.attach(data, name: "data")
    await data.loadFirst { (_: Int?) in List.Page(items: [1], next: 2, previous: 0) }
    await data.loadNext { cursor in List.Page(items: [cursor], next: 3) }
    await data.loadPrevious { _ in throw Failure(name: "no") }
    let gate = Gate<List.Page>()
    let next = Waiting { await data.loadNext { _ in try await gate.wait() } }
    let previous = Waiting { await data.loadPrevious { _ in try await gate.wait() } }
    await gate.arrived(2)
    data.cancel()
    _ = (await next.end(), await previous.end())
    let again = Waiting { await data.loadNext { _ in try await gate.wait() } }
    await gate.arrived(3)
    again.cancel()
    _ = await again.end()
    let last = Waiting { await data.loadNext { _ in try await gate.wait() } }
    await gate.arrived(4)
    data.value = nil
    _ = await last.end()
    for entries in [entries, try StateJournal.entries(of: stage.journal.timeline)] {
      let replay = Replay(entries)
      let list = AsyncData<List>()
      replay.attach(list, name: "data") { entry in
        entry.number < 4 ? List(first: List.Page(items: [7], next: 8, previous: 6)) : nil
      }
      // The page arrives, and the test does not say with what.
      #expect(replay.run(through: 4) == nil)
      #expect(list.nextPage.isRunning)
      #expect(replay.run()?.contains("The test gave no list") == true)

      let other = Replay(entries)
      let pages = AsyncData<List>()
      other.attach(pages, name: "data") { List(first: List.Page(items: [$0.number])) }
      #expect(other.run() == nil)
      #expect(pages.value?.items == [entries.last?.number ?? 0])
    }
  }

  @Test("14.3 stored values, keys and fresh answers of bare data are repeated")
  func rare() throws {
    let lines = """
      #1 data: attached: idle
      #2 data: restored, out of date
      #3 data: load started (reload)
      #4 data: found fresh ← #3
      #5 data: load started (refresh)
      #6 data: superseded
      #7 data: key changed
      #8 data: restored
      #9 data: no key
      """
    let entries = try StateJournal.entries(of: lines)
    #expect(entries.map(\.description).joined(separator: "\n") == lines)
    let replay = Replay(entries)
    let data = AsyncData<Int>()
    replay.attach(data, name: "data") { $0.number }
    #expect(replay.run() == nil)
    #expect(data.value == 8)
  }

  @Test("14.3 a resource is driven by its own calls: it follows its key, and its operation is not called")
  func resource() async {
    let calls = Log()
    func screen() -> (Input<String?>, AsyncResource<Int>) {
      let query = Input<String?>("a")
      return (
        query,
        AsyncResource(following: query) { text in
          calls(text); return text.count
        }
      )
    }
    let (query, results) = screen()
    stage.journal.attach(query, name: "query")
    stage.journal.attach(results, name: "results")
    await results.load()
    query.write("ab")
    await results.settled()
    results.reload()
    results.reload()
    await results.settled()
    #expect(calls.take() == ["a", "ab", "ab"])
    let replay = Replay(entries)
    let (key, again) = screen()
    replay.attach(key, name: "query") { _ in "ab" }
    replay.attach(again, name: "results") { $0.number }
    #expect(replay.run() == nil)
    #expect(again.value == entries.last?.number)
    await again.settled()
    #expect(calls.take() == [])
    #expect(again.value == entries.last?.number)
  }

  @Test("14.3 inputs that were written in a batch are written in one")
  func batches() {
    func sum(_ first: Input<Int>, _ second: Input<Int>, _ data: AsyncData<Int>) -> ObservedToken {
      first.zip(second).map { $0 + $1 }.observe { if $0 != 0 { data.value = $0 } }
    }
    let (first, second, data) = (Input(0), Input(0), stage.data())
    stage.journal.attach(first, name: "first")
    stage.journal.attach(second, name: "second")
    let token = sum(first, second, data)
    first.write(1)
    batch {
      $0.write(2, to: first)
      $0.write(3, to: second)
    }
    second.write(4)
    let replay = Replay(entries)
    let (newFirst, newSecond, newData) = (Input(0), Input(0), AsyncData<Int>())
    let newToken = sum(newFirst, newSecond, newData)
    replay.attach(newFirst, name: "first") { $0.number }
    replay.attach(newSecond, name: "second") { $0.number }
    replay.attach(newData, name: "data") { $0.number }
    #expect(replay.run() == nil)
    let writes = entries.filter { $0.event == .written }.map(\.number)
    #expect(newData.value == writes[1] + writes[3])
    // The same value again changes nothing.
    let same = Replay(entries)
    same.attach(Input(0), name: "first") { _ in 0 }
    same.attach(Input(0), name: "second") { _ in 0 }
    same.attach(AsyncData<Int>(), name: "data") { $0.number }
    #expect(same.run()?.hasSuffix("The value is the one that the input has.") == true)
    withExtendedLifetime((token, newToken)) {}
  }
}
