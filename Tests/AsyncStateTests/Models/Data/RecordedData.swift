import AsyncState
import AsyncStateTesting

/// A journal of one data, and what must be true of it: laws 13.1 to 13.4.
final class RecordedData {
  private let journal: StateJournal
  private var entries: [StateJournal.Entry] = []
  private var token: ObservationToken?
  private var kind: StateJournal.DataKind?
  /// The numbers of what has begun and not ended.
  private var open: Set<Int> = []
  private var fault: String?

  init(_ data: AsyncData<[Int]>, _ clock: some Clock<Duration>, isolation: isolated any Actor = #isolation) {
    // A small ring: what is checked here was observed, not kept.
    journal = StateJournal(capacity: 64, clock: clock)
    token = journal.observe { [unowned self] in note($0) }
    journal.attach(data, name: "data", isolation: isolation)
  }

  private func note(_ entry: StateJournal.Entry) {
    entries.append(entry)
    if entry.number != entries.count { fault = "entry \(entry.number) is observed as number \(entries.count)" }
    if let cause = entry.cause, cause >= entry.number { fault = "entry \(entry.number) has the later cause \(cause)" }
    kind = StateJournal.kind(of: "data", after: CollectionOfOne(entry), from: kind)
    if let ends = entry.ends, open.remove(ends) == nil { fault = "entry \(entry.number) ends \(ends), which had ended" }
    switch entry.event {
    case .loadStarted, .patched, .pageStarted: open.insert(entry.number)
    default: break
    }
  }

  func difference(from snapshot: AsyncSnapshot<[Int]>) -> String? {
    if let fault { return fault }
    let expected = StateJournal.DataKind(snapshot)
    if kind != expected { return "recorded \(kind.map { "\($0)" } ?? "nothing"), expected \(expected)" }
    if entries.suffix(64) != journal.entries[...] { return "the ring has other entries than were observed" }
    return entries.count - journal.entries.count == journal.dropped ? nil : "\(journal.dropped) entries are dropped"
  }

  func differenceAtRest() -> String? {
    fault ?? (open.isEmpty ? nil : "open at rest: \(open.sorted())")
  }

  /// What was recorded, carried out again on new data.
  ///
  /// - Returns: Where that is recorded otherwise.
  func differenceOfReplay(isolation: isolated any Actor = #isolation) -> String? {
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
