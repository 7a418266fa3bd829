// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

extension JournalSuite {
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
}

extension String {
  /// Without times.
  fileprivate var words: [String] {
    split(separator: "\n").map { String($0.drop { $0 != "#" }) }
  }
}
