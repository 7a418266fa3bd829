// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting

/// Data whose journal is read as `number event ← cause`.
@MainActor
final class JournalStage {
  let clock = ManualClock()
  let journal: StateJournal
  private var seen = 0

  init(capacity: Int = 1_000, limits: StateJournal.Limits = .init()) {
    journal = StateJournal(capacity: capacity, clock: clock, limits: limits)
  }

  func data(_ name: String = "data", seed: Int? = nil) -> AsyncData<Int> {
    let data = AsyncData(seed: seed, options: LoadOptions(clock: clock))
    journal.attach(data, name: name)
    _ = take()
    return data
  }

  /// The entries since the last time, as text.
  func take() -> [String] {
    defer { seen = journal.entries.last?.number ?? 0 }
    return journal.entries.filter { $0.number > seen }.map(\.description)
  }
}

/// A suite of tests that have a journal each.
@MainActor
protocol JournalSuite {
  var stage: JournalStage { get }
}

extension JournalSuite {
  var journal: StateJournal { stage.journal }
  var entries: [StateJournal.Entry] { stage.journal.entries }
}
