// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

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

  /// Data that a host displays, which is attached as `screen`.
  func displayedData() -> (data: AsyncData<Int>, host: AsyncHost<Int>) {
    let data = data()
    let host = AsyncHost(data: data, request: { _, _ in }) { _ in [] }
    host.start()
    journal.attach(host, name: "screen")
    return (data, host)
  }

  /// Observes data whose own notification starts its load again, for as long as that is said of its value.
  func restart(_ data: AsyncData<Int>, while goesOn: @escaping (Int) -> Bool) -> ObservedToken {
    data.observed.observe { snapshot in
      guard let value = snapshot.value, !snapshot.isRunning, goesOn(value) else { return }
      data.begin(.refresh).succeed(with: value + 1)
    }
  }

  /// The warnings that are kept.
  var warnings: [StateJournal.Entry] { journal.entries.filter(\.isWarning) }

  /// The entries since the last time, as text.
  func take() -> [String] {
    defer { seen = journal.entries.last?.number ?? 0 }
    return journal.entries.filter { $0.number > seen }.map(\.description)
  }

  /// Expects the entries since the last time.
  func expectEntries(_ entries: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    expectEqual(take(), entries, sourceLocation: sourceLocation)
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

extension StateJournal.Entry {
  var isWarning: Bool { if case .warning = event { true } else { false } }
}
