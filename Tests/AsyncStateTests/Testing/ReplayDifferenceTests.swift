// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

@Suite("14.3 Replay: differences, and what cannot be repeated", .timeLimit(.minutes(5)))
@MainActor
struct ReplayDifferenceTests: JournalSuite {
  let stage = JournalStage()

  @Test("14.3 an extra change, a missing one and another cause are differences")
  func differences() {
    let data = stage.data()
    let other = stage.data("other")
    data.value = 1
    other.value = 2
    data.value = 3
    func result(_ entries: [StateJournal.Entry], observe: (AsyncData<Int>, AsyncData<Int>) -> ObservedToken)
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
    #expect(cause?.contains("Expected is #4 other: value set. What has happened is other: value set ← #3.") == true)
    #expect(cause?.contains(">>#4 other: value set<<") == true)
    #expect(cause?.contains(">>other: value set ← #3<<") == true)
    let extra = result(entries) { first, second in first.observed.observe { if $0.value == 5 { second.value = 9 } } }
    #expect(extra?.contains("This is not in the recording: other: value set ← #5.") == true)
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

  @Test("14.3 what a replay cannot repeat is an error that says so")
  func unrepeatable() async throws {
    let store = MemoryStore<Int, Int>()
    let family = AsyncFamily<Int, Int>(options: LoadOptions(clock: stage.clock), store: .cache(store)) { $0 }
    stage.journal.attach(family, name: "items")
    await family[1].load()
    await family.settled()
    let replay = Replay(entries)
    let again = AsyncData<Int>()
    replay.attach(again, name: "items[1]") { $0.number }
    let difference = replay.run()
    #expect(difference?.contains(" items[1]: not in the store<<") == true)
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
      ("next page superseded", "No page request runs in the replay."),
    ] {
      let replay = Replay(try StateJournal.entries(of: "#1 data: value set\n#2 data: \(line)"))
      replay.attach(AsyncData<Int>(), name: "data") { $0.number }
      let difference = replay.run() ?? "none"
      #expect(difference.hasSuffix(text))
    }
  }
}
