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
}
