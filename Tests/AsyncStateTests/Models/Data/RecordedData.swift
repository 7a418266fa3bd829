// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting

/// A journal of one data, and what must be true of it: laws 13.1 to 13.4.
final class RecordedData {
  private let audit: JournalAudit

  init(_ data: AsyncData<[Int]>, _ clock: some Clock<Duration>, isolation: isolated any Actor = #isolation) {
    audit = JournalAudit(clock)
    audit.journal.attach(data, name: "data", isolation: isolation)
  }

  func difference(from snapshot: AsyncSnapshot<[Int]>) -> String? {
    audit.difference() ?? audit.difference(of: "data", from: snapshot)
  }

  func differenceAtRest() -> String? { audit.differenceAtRest() }

  /// What was recorded, carried out again on new data.
  ///
  /// - Returns: Where that is recorded otherwise.
  func differenceOfReplay(isolation: isolated any Actor = #isolation) -> String? {
    let entries = audit.entries
    let read = try? StateJournal.entries(of: StateJournal.timeline(of: entries))
    for entries in [entries, read ?? []] {
      let replay = Replay(entries, replacesObservers: true)
      replay.attach(AsyncData<[Int]>(), name: "data") { [$0.number] }
      if let difference = replay.run() { return difference }
      if replay.journal.entries.count < entries.count - 1 { return "only \(replay.journal.entries.count) entries" }
    }
    return nil
  }
}
