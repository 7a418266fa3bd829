import AsyncState
import AsyncStateTesting
import Testing

@Suite("14.3 Replay: data and inputs", .timeLimit(.minutes(1)))
@MainActor
struct ReplayTests {
  let stage = JournalStage()
  var entries: [StateJournal.Entry] { stage.journal.entries }

  /// Replays what was recorded of data, by the entries and by their text.
  func expectSame(
    _ name: String = "data", values: [Int: Int?] = [:], seed: Int? = nil, replacesObservers: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let read = try StateJournal.entries(of: stage.journal.timeline)
    #expect(read.map(\.ends) == entries.map(\.ends), sourceLocation: sourceLocation)
    for entries in [entries, read] {
      let replay = Replay(entries, replacesObservers: replacesObservers)
      let data = AsyncData<Int>(seed: seed)
      replay.attach(data, name: name) { values[$0.number] ?? $0.number }
      #expect(replay.run() == nil, sourceLocation: sourceLocation)
      #expect(StateJournal.DataKind(data.snapshot) == StateJournal.kind(of: name, after: entries))
      let same = replay.journal.entries.map(\.description) == entries.map(\.description)
      #expect(same, sourceLocation: sourceLocation)
    }
  }

  @Test("14.3 a change that failed is displayed and removed again")
  func patch() async throws {
    let data = stage.data()
    data.value = 1
    await data.mutate { $0 += 1 } commit: { throw Failure() }
    try expectSame()
  }

  @Test("14.3 a change of no value is displayed and removed again")
  func patchOfNothing() async throws {
    let data = stage.data()
    await data.mutate { $0 += 1 } commit: { throw Failure() }
    try expectSame()
  }
}
