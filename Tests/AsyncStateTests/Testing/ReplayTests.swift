import AsyncState
import AsyncStateTesting
import Testing

@Suite("14.3 Replay: data and inputs", .timeLimit(.minutes(5)))
@MainActor
struct ReplayTests {
  let stage = JournalStage()
  var entries: [StateJournal.Entry] { stage.journal.entries }

  /// Replays what was recorded of data, by the entries and by their text.
  func expectSame(
    replacesObservers: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let read = try StateJournal.entries(of: stage.journal.timeline)
    #expect(read.map(\.ends) == entries.map(\.ends), sourceLocation: sourceLocation)
    for entries in [entries, read] {
      let replay = Replay(entries, replacesObservers: replacesObservers)
      let data = AsyncData<Int>()
      replay.attach(data, name: "data") { $0.number }
      #expect(replay.run() == nil, sourceLocation: sourceLocation)
      #expect(replay.journal.timeline.words == stage.journal.timeline.words, sourceLocation: sourceLocation)
      #expect(
        StateJournal.DataKind(data.snapshot) == StateJournal.kind(of: "data", after: entries),
        sourceLocation: sourceLocation)
    }
  }

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
    data.begin().cancel()
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
    let load = data.start(retry: RetryPolicy { failures, _ in failures < 3 ? .zero : nil }) {
      throw Failure(name: "busy")
    }
    _ = await load.outcome()
    let late = data.start(timeout: .seconds(1)) { try await Gate<Int>().wait() }
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

  @Test("14.3 what an observer did must follow by itself; a test without the observer is told so")
  func observers() throws {
    let data = stage.data()
    let token = data.observed.observe { if $0.value == 4 { data.reset() } }
    data.begin().succeed(with: 4)
    data.value = 5
    let replay = Replay(entries)
    let again = AsyncData<Int>()
    let observer = again.observed.observe { if $0.value == 4 { again.reset() } }
    replay.attach(again, name: "data") { $0.number == 3 ? 4 : 5 }
    #expect(replay.run() == nil)
    #expect(again.value == 5)

    let alone = Replay(entries)
    let other = AsyncData<Int>()
    alone.attach(other, name: "data") { $0.number }
    #expect(
      alone.run() == """
        The replay differs from the recording after 3 entries.
        recorded:
          #1 data: attached: idle
          #2 data: load started (reload)
          #3 data: answered ← #2
          >>#4 data: reset ← #3<<
          #5 data: value set
        replayed:
          #1 data: attached: idle
          #2 data: load started (reload)
          #3 data: answered ← #2
          >>end<<
        #4 data: reset. It was led to by #3, and has not followed by itself: make the code that did this a part of the \
        test, or create the replay with `replacesObservers: true`.
        """)
    // Nothing more is carried out.
    #expect(alone.run() != nil)
    #expect(other.value == 3)
    try expectSame(replacesObservers: true)
    withExtendedLifetime((token, observer)) {}
  }

  @Test("14.3 a replay that replaces observers does what they did in the same notification")
  func replacedObservers() throws {
    let data = stage.data()
    let other = stage.data("other")
    let third = stage.data("third")
    let tokens = [
      data.observed.observe { if $0.value == 4 { other.value = 1 } },
      data.observed.observe { if $0.value == 4 { data.reset() } },
      other.observed.observe { third.error = $0.value == nil ? nil : Failure() },
    ]
    _ = stage.take()
    data.value = 4
    let recorded = stage.take()
    #expect(
      recorded == [
        "#5 data: value set", "#6 other: value set ← #5", "#7 third: error set: failure ← #6", "#8 data: reset ← #5",
      ])
    let replay = Replay(entries, replacesObservers: true)
    let datas = ["data", "other", "third"].map { name in
      let data = AsyncData<Int>()
      replay.attach(data, name: name) { $0.number }
      return data
    }
    var seen: [String] = []
    let token = datas[0].observed.observe { seen.append("\($0.value ?? 0) \(datas[1].value ?? 0)") }
    #expect(replay.run() == nil)
    // The first notification of the data finds the other ones set, as the observers after the first did.
    #expect(seen == ["0 0", "5 6", "0 6"])
    withExtendedLifetime((tokens, token)) {}
  }

  @Test("14.3 an extra change, a missing one and another cause are differences")
  func differences() {
    let data = stage.data()
    let other = stage.data("other")
    data.value = 1
    other.value = 2
    data.value = 3
    func result(_ entries: [StateJournal.Entry], observe: (AsyncData<Int>, AsyncData<Int>) -> ObservationToken)
      -> String?
    {
      let replay = Replay(entries)
      let (first, second) = (AsyncData<Int>(), AsyncData<Int>())
      replay.attach(first, name: "data") { $0.number }
      replay.attach(second, name: "other") { $0.number }
      let token = observe(first, second)
      defer { withExtendedLifetime(token) {} }
      return replay.run()
    }
    let cause = result(entries) { first, second in first.observed.observe { if $0.value == 3 { second.value = 9 } } }
    #expect(cause?.contains(">>#4 other: value set<<") == true)
    #expect(cause?.contains(">>other: value set ← #3<<") == true)
    let extra = result(entries) { first, second in first.observed.observe { if $0.value == 5 { second.value = 9 } } }
    #expect(extra?.contains(">>end<<") == true)
    #expect(extra?.hasSuffix("The recording ends before this.") == true)
    let another = result(entries) { first, second in second.observed.observe { if $0.value == 4 { first.invalidate() } }
    }
    #expect(another?.contains(">>data: invalidated ← #4<<") == true)
    #expect(result(entries) { first, _ in first.observed.observe { _ in } } == nil)
  }

  @Test("14.3 entries of a subject that was not attached are an error before anything is carried out")
  func missingSubject() {
    let data = stage.data()
    let other = stage.data("other")
    data.value = 1
    other.value = 2
    let replay = Replay(entries)
    let again = AsyncData<Int>()
    replay.attach(again, name: "data") { $0.number }
    #expect(
      replay.run() == """
        The recording has entries of subjects that were not attached to the replay: other (2). Nothing was carried out. \
        Attach them, or leave their entries out: `Replay(entries.filter { $0.subject != "other" })`.
        """)
    #expect(replay.run() != nil)
    #expect(again.value == nil)
    #expect(replay.journal.entries == [])
    let filtered = Replay(entries.filter { $0.subject != "other" })
    filtered.attach(again, name: "data") { $0.number }
    #expect(filtered.run() == nil)
    #expect(again.value == 3)
  }

  @Test("14.3 what was led to by an entry that is left out counts as from outside")
  func leftOut() {
    let input = Input(0)
    stage.journal.attach(input, name: "input")
    let data = stage.data()
    let token = input.observe { if $0 != 0 { data.value = $0 } }
    input.write(1)
    let replay = Replay(entries.filter { $0.subject != "input" })
    let again = AsyncData<Int>()
    replay.attach(again, name: "data") { $0.number }
    #expect(replay.run() == nil)
    #expect(again.value == 4)
    withExtendedLifetime(token) {}
  }

  @Test("14.3 a recording may be empty, and may stop and go on anywhere")
  func parts() {
    #expect(Replay([]).run() == nil)
    let data = stage.data()
    for value in 0..<5 { data.value = value }
    let replay = Replay(entries)
    let again = AsyncData<Int>()
    replay.attach(again, name: "data") { $0.number }
    for number in 1...6 {
      #expect(replay.run(through: number) == nil)
      #expect(again.value == (number == 1 ? nil : number))
    }
    #expect(replay.run(through: 2) == nil)
    #expect(replay.run() == nil)
    again.value = 9
    #expect(replay.run()?.hasSuffix("The recording ends before this.") == true)
  }

  @Test("14.3 a recording whose beginning was dropped starts with the data of the test, and a load that was running")
  func dropped() {
    let stage = JournalStage(capacity: 3)
    let data = stage.data()
    data.value = 1
    let load = data.begin(.refresh)
    load.report(progress: 0.5)
    load.fail(with: Failure(name: "offline"))
    data.invalidate()
    #expect(stage.journal.entries.map(\.number) == [4, 5, 6])
    let replay = Replay(stage.journal.entries)
    let again = AsyncData<Int>()
    replay.attach(again, name: "data") { $0.number }
    #expect(replay.run() == nil)
    #expect(again.error as? ReplayedError == ReplayedError("offline"))
    #expect("\(ReplayedError("offline"))" == "offline")
  }

  @Test("14.3 data that were attached in the middle of everything are brought to where they were")
  func attachedLate() throws {
    let data = AsyncData<Int>()
    data.value = 1
    data.invalidate()
    data.error = Failure()
    let load = data.begin()
    stage.journal.attach(data, name: "data")
    load.yield(2)
    load.succeed(with: 3)
    #expect(
      entries.first?.event == .attached(.init(isRunning: true, isValueSet: true, hasError: true, isInvalidated: true)))
    try expectSame()
    // Other data than that are a difference.
    let replay = Replay(entries)
    let other = AsyncData<Int>()
    other.value = 7
    replay.attach(other, name: "data") { $0.number }
    #expect(replay.run()?.contains(">>data: attached: value<<") == true)
  }

  @Test("14.3 a release is left to the test, and what had been open then has ended")
  func released() throws {
    var data: AsyncData<Int>? = stage.data()
    let load = data?.begin()
    data = nil
    #expect(entries.last?.event == .released)
    let replay = Replay(entries)
    let again = AsyncData<Int>()
    replay.attach(again, name: "data") { $0.number }
    #expect(replay.run() == nil)
    #expect(!again.isRunning)
    withExtendedLifetime(load) {}
  }

  @Test("14.3 what a replay cannot repeat is an error that says so")
  func unrepeatable() async throws {
    let store = MemoryStore<Int, Int>()
    let family = AsyncFamily<Int, Int>(clock: stage.clock, store: store) { $0 }
    stage.journal.attach(family, name: "items")
    await family[1].load()
    await family.settled()
    let replay = Replay(entries)
    let again = AsyncData<Int>()
    replay.attach(again, name: "items[1]") { $0.number }
    let difference = replay.run()
    #expect(difference?.contains(" items[1]: stored<<") == true)
    #expect(difference?.hasSuffix("A replay cannot repeat this: leave such entries out of the recording.") == true)
    let data = Replay(
      try StateJournal.entries(of: "#1 data: answered\n#2 data: next page arrived\n#3 data: patch confirmed"))
    let empty = AsyncData<Int>()
    empty.value = 1
    data.attach(empty, name: "data") { $0.number }
    #expect(data.run()?.hasSuffix("No load runs in the replay.") == true)
    for (line, text) in [
      ("next page arrived", "No page request runs in the replay."),
      ("patch confirmed", "The optimistic change was not made by the replay."),
      ("combined: running", "leave such entries out of the recording."),
      ("next page superseded", "leave such entries out of the recording."),
    ] {
      let replay = Replay(try StateJournal.entries(of: "#1 data: value set\n#2 data: \(line)"))
      replay.attach(AsyncData<Int>(), name: "data") { $0.number }
      let difference = replay.run() ?? "none"
      #expect(difference.hasSuffix(text))
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
    func sum(_ first: Input<Int>, _ second: Input<Int>, _ data: AsyncData<Int>) -> ObservationToken {
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

  @Test("14.3 warnings are no part of a recording")
  func warnings() {
    let stage = JournalStage(limits: .init(restarts: 1))
    let data = stage.data()
    let token = data.observed.observe { snapshot in
      if let value = snapshot.value, value < 5, !snapshot.isRunning { data.begin(.refresh).succeed(with: value + 1) }
    }
    data.begin().succeed(with: 1)
    #expect(stage.journal.timeline.contains("warning"))
    let replay = Replay(stage.journal.entries, replacesObservers: true)
    replay.attach(AsyncData<Int>(), name: "data") { $0.number }
    #expect(replay.run() == nil)
    withExtendedLifetime(token) {}
  }
}

extension String {
  /// Without times.
  fileprivate var words: [String] {
    split(separator: "\n").map { String($0.drop { $0 != "#" }) }
  }
}
