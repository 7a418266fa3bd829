// SPDX-License-Identifier: MIT
@testable import AsyncStateJournal
@testable import AsyncState

/// A journal beside a model's system, and what must be true of it: laws 13.1 to 13.4.
final class JournalAudit {
  let journal: StateJournal
  /// All entries: the ring keeps the last ones.
  private(set) var entries: [StateJournal.Entry] = []
  private var token: ObservedToken?
  private var kinds: [String: StateJournal.DataKind] = [:]
  /// The numbers of what has begun and not ended.
  private var open: Set<Int> = []
  private var fault: String?

  init(_ clock: some Clock<Duration>) {
    journal = StateJournal(capacity: 64, clock: clock)
    token = journal.observe { [weak self] in self?.note($0) }
  }

  private func note(_ entry: StateJournal.Entry) {
    entries.append(entry)
    if entry.number != entries.count { fault = "entry \(entry.number) is observed as number \(entries.count)" }
    if let cause = entry.cause, cause >= entry.number { fault = "entry \(entry.number) has the later cause \(cause)" }
    // A family may have a new entry of the same name before the former one is released.
    kinds[entry.subject] = StateJournal.kind(
      of: entry.subject, after: CollectionOfOne(entry), from: kinds[entry.subject])
    if let ends = entry.ends, open.remove(ends) == nil { fault = "entry \(entry.number) ends \(ends), which had ended" }
    switch entry.event {
    case .loadStarted, .patched, .pageStarted, .willTransition: open.insert(entry.number)
    // Nothing that an entry could end.
    default: break
    }
  }

  /// What of the journal is not true at any time.
  func difference() -> String? {
    if let fault { return fault }
    if entries.suffix(64) != journal.entries[...] {
      return "the ring has \(journal.entries.suffix(3)), observed were \(entries.suffix(3))"
    }
    return entries.count - journal.entries.count == journal.dropped ? nil : "\(journal.dropped) entries are dropped"
  }

  /// How the kind of data, folded from their entries, differs from the one of their snapshot.
  func difference<Value>(of name: String, from snapshot: AsyncSnapshot<Value>) -> String? {
    let expected = StateJournal.DataKind(snapshot)
    return kinds[name] == expected
      ? nil : "\(name): recorded \(kinds[name].map { "\($0)" } ?? "nothing"), expected \(expected)"
  }

  /// At rest nothing is open.
  func differenceAtRest() -> String? {
    difference() ?? (open.isEmpty ? nil : "open at rest: \(open.sorted())")
  }
}
