// SPDX-License-Identifier: MIT
@testable import AsyncStateJournal
@testable import AsyncState
import Testing

extension AllTests {
  /// Every event, from every record, beside the tables in the text of the contract.
  struct DataEventTests {
    let table: CauseTable

    init() throws {
      table = try CauseTable()
    }

    @Test("2 each cause of the table has an event, and each event a cause")
    func complete() {
      let causes = Set(EventSample.all.map { $0.cause })
      expectEqual(Set(table.causes), causes.union(["created"]))
      expectEqual(table.causes.count, 34)
    }

    @Test(
      "2, 13.4 what each event makes of each record, and what it ends, notifies of and records, is what the table says; its entry makes the same of the kind"
    )
    func events() {
      let records = RecordSample.all
      for sample in EventSample.all {
        for before in records where sample.canHappen(to: before) {
          for hasValue in sample.values(table, before) {
            let faults = sample.faults(table, before, hasValue: hasValue)
            guard faults.isEmpty else {
              Issue.record("\(sample.event), value \(String(describing: hasValue)), from \(before): \(faults)")
              return
            }
          }
          var (after, kind) = (before, StateJournal.DataKind(before))
          after.apply(sample.event, hasValue: sample.values(table, before).first ?? nil)
          if sample.endsRequests, before.context.isRunning { kind.apply(.loadSuperseded) }
          kind.apply(sample.entry(with: after))
          expectEqual(kind, StateJournal.DataKind(after), "\(sample.event), from \(before)")
        }
      }
    }

    @Test("2 what is said of an origin is what the table says", arguments: ValueOrigin.all)
    func origins(origin: ValueOrigin) {
      let words = [
        "isValueSet": origin.isValueSet, "isProvisional": origin.isProvisional, "isUntouched": origin.isUntouched,
        "confirmed": origin.isConfirmed, "of a former key": origin.isFormer,
      ]
      expectEqual(table.origin(origin.words), words.mapValues { "\($0)" })
      expectEqual(table.origins.count, ValueOrigin.all.count)
    }

    @Test("2 created: the seed, and nothing else", arguments: [nil, 7])
    func created(seed: Int?) {
      let data = AsyncData(seed: seed)
      let record = data.state.core.record
      expectEqual(data.snapshot.value, seed)
      expectEqual(record.context.origin, .initial(hasSeed: seed != nil))
      expectEqual(table["created", "origin"], "seed, not requested")
      expect(!data.isRunning)
      expectNil(data.age)
      expectNil(data.error)
      expect(!data.hasPendingChanges)
    }
  }
}

/// An event with what the test knows of it.
private struct EventSample {
  var event: DataEvent
  /// The edge that the load extends that it is about; nil: that of the whole value.
  var page: PageEdge?
  /// It leaves the value of a former key.
  var keepsFormer = false
  /// What it brings makes the data out of date.
  var isOutdated = false
  var isChanged = false
  var hasOthers = false
  var isForced = false
  /// It begins another key.
  var leavesKey = false

  static var all: [EventSample] {
    let plain: [DataEvent] = [
      .errorSet(Failure(name: "new")), .errorRemoved, .invalidated, .cancelledAll,
      .began(LoadActivity(mode: .reload)), .began(LoadActivity(mode: .refresh)), .yielded, .progressed(0.25), .waited,
      .continued, .retried(Failure(name: "attempt"), failures: 3), .failed(Failure(name: "new")), .cancelled,
      .foundFresh, .elementArrived(at: .seconds(7)), .streamEnded, .patched(number: 1), .patchDoubted, .keyMissing,
      .forgotten, .keyRemoved,
    ]
    var all = plain.map { EventSample(event: $0) }
    for former in [false, true] { all.append(EventSample(event: .keyChanged, keepsFormer: former)) }
    for edge in PageEdge.allCases {
      var activity = LoadActivity(mode: .refresh)
      activity.edge = edge
      all += [
        EventSample(event: .began(activity), page: edge),
        EventSample(event: .failed(Failure(name: "new")), page: edge), EventSample(event: .dropped, page: edge),
      ]
      for flag in [false, true] {
        all.append(
          EventSample(
            event: .answered(at: .seconds(7), isOutdated: flag, isEqual: false), page: edge, isOutdated: flag))
      }
    }
    for flag in [false, true] {
      all += [
        EventSample(event: .set(at: .seconds(7), isSame: flag), isForced: flag),
        EventSample(event: .answered(at: .seconds(7), isOutdated: flag, isEqual: false), isOutdated: flag),
        EventSample(event: .answered(at: .seconds(7), isOutdated: flag, isEqual: true), isOutdated: flag),
        EventSample(event: .combined(Self.parts, isForced: flag), isForced: flag),
        EventSample(event: .reset(leavesKey: flag), leavesKey: flag),
        EventSample(event: .updated(isOutdated: flag), isOutdated: flag),
      ]
      for others in [false, true] {
        all += [
          EventSample(
            event: .restored(
              answeredAt: flag ? .seconds(7) : nil, isOutdated: flag, isOfStore: flag, isChanged: others),
            isOutdated: flag, isChanged: others),
          EventSample(
            event: .patchConfirmed(number: 1, isOutdated: flag, hasOthers: others), isOutdated: flag, hasOthers: others),
          EventSample(
            event: .patchRemoved(number: 1, isOutdated: flag, hasOthers: others), isOutdated: flag, hasOthers: others),
        ]
      }
    }
    return all
  }

  /// What the parts of a combination are together.
  static let parts: DataRecord = {
    var context = AsyncSnapshot<Int>(error: Failure(name: "theirs"), activity: LoadActivity(mode: .refresh)).context
    context.validity = .invalidated
    var record = DataRecord(context: context)
    record.revision = DataRevision(value: 3, error: 4, key: 5)
    record.answeredAt = .seconds(3)
    record.hasFailed = true
    record.confirmations = 9
    return record
  }()

  func entry(with record: DataRecord) -> StateJournal.Event {
    event.entry(with: record, of: page.map { StateJournal.Edge($0) })
  }

  /// The row of the table.
  var cause: String {
    switch event {
    case .began where page != nil: "page is requested"
    case .answered where page != nil: "page arrives"
    case .failed where page != nil: "page fails with e"
    case .dropped: "page is superseded"
    case .set: "`value = v`"
    case .errorSet: "`error = e`"
    case .errorRemoved: "`error = nil`"
    case .reset: "`reset()`"
    case .invalidated: "`invalidate()`"
    case .cancelledAll: "`cancel()`"
    case .began: "load starts"
    case .yielded: "load yields v"
    case .progressed: "load progresses"
    case .waited: "load waits"
    case .continued: "load continues"
    case .retried: "load retries"
    case .answered: "load succeeds with v"
    case .failed: "load fails with e"
    case .cancelled: "load is cancelled"
    case .foundFresh: "load finds the value fresh"
    case .elementArrived: "element v arrives"
    case .streamEnded: "stream ends"
    case .patched: "change is made"
    case .patchConfirmed: "change is confirmed"
    case .patchRemoved: "change is removed"
    case .updated: "value is updated"
    case .patchDoubted: "dropped change is in doubt"
    case .restored: "stored value v arrives"
    case .keyChanged: "key changes"
    case .keyRemoved: "key is removed"
    case .keyMissing: "key is missing"
    case .forgotten: "key is forgotten"
    case .combined: "parts change"
    }
  }

  var endsRequests: Bool {
    switch event.ends {
    case .requests, .everything: true
    case .nothing, .request: false
    }
  }

  /// A load reports and ends while it runs, and a further page is requested while none does.
  func canHappen(to record: DataRecord) -> Bool {
    let activity = record.context.activity
    if case .began = event { return page == nil || activity == nil }
    if page != nil { return activity?.edge == page }
    return !cause.hasPrefix("load ") || record.context.isRunning
  }

  /// Whether there may be a value afterwards; nil where it is not written.
  func values(_ table: CauseTable, _ before: DataRecord) -> [Bool?] {
    switch table[cause, "value"] {
    case "v", "seed", "theirs": [true, false]
    case "kept": [nil]
    case "kept unless former": before.context.origin.isFormer ? [true, false] : [nil]
    case "v, where there is one": isOutdated ? [nil] : [true]
    case "seed, or former": keepsFormer && before.hasValue ? [nil] : [true, false]
    default: []
    }
  }

  /// The columns in which the event does something else than the table says.
  func faults(_ table: CauseTable, _ before: DataRecord, hasValue: Bool?) -> [String] {
    var after = before
    after.apply(event, hasValue: hasValue)
    let columns: [(name: String, isRight: (String, Change) -> Bool?)] = [
      ("origin", origin), ("isInvalidated", isInvalidated), ("error", error), ("activity", activity), ("age", age),
      ("pages", pages), ("ends", ends), ("notification", notification), ("written", written),
      ("confirmed", confirmed), ("pending", pending), ("journal", journal),
    ]
    let change = Change(before: before, after: after, hasValue: hasValue)
    return columns.compactMap { column in
      guard let word = table[cause, column.name] else { return "\(column.name) is missing" }
      switch column.isRight(word, change) {
      case true?: return nil
      case false?: return "\(column.name) is not \(word), but \(after)"
      case nil: return "\(column.name) has the unknown word \(word)"
      }
    }
  }

  struct Change {
    let before: DataRecord
    let after: DataRecord
    let hasValue: Bool?
  }

  // MARK: The columns. Nil: the word is unknown.

  private func origin(_ word: String, _ change: Change) -> Bool? {
    let (before, after) = (change.before.context.origin, change.after.context.origin)
    let seed = change.hasValue == true
    let requested: ValueOrigin =
      switch before {
      case .nothing: .nothing(.before)
      case .seed: .seed(.before)
      case .former: .former(.before)
      case .partial, .stored, .answer: before
      }
    switch word {
    case "kept": return after == before
    case "requested": return after == requested
    case "requested, not former":
      return after == (before.isFormer ? (seed ? .seed(.before) : .nothing(.before)) : requested)
    case "seed, not requested": return after == (seed ? .seed(.notYet) : .nothing(.notYet))
    case "seed, requested": return after == (seed ? .seed(.before) : .nothing(.before))
    case "seed or former, expected":
      return after == (change.hasValue == nil ? .former(.soon) : seed ? .seed(.soon) : .nothing(.soon))
    case "partial": return after == .partial
    case "stored": return after == .stored
    case "answer": return after == .answer
    case "theirs": return after == Self.parts.context.origin
    default: return nil
    }
  }

  private func isInvalidated(_ word: String, _ change: Change) -> Bool? {
    let (before, after) = (change.before.context, change.after.context)
    if after.validity == .invalidatedDuringLoad, after.activity == nil { return false }
    let isKept = (after.validity != .valid) == (before.validity != .valid)
    switch word {
    case "if newer":
      let isOlder = before.validity == .invalidatedDuringLoad || change.before.isOvertaken
      return (after.validity != .valid) == (isOlder || isOutdated)
    case "if uncertain" where isOutdated, "true": return isMarked(after)
    case "kept unless in doubt" where change.before.isOnlyInDoubt && before.activity == nil:
      return after.validity == .valid
    case "kept unless in doubt": return after.validity == before.validity
    case "if outdated" where isOutdated: return after.validity != .valid
    case "if uncertain", "if outdated": return isKept
    default: return flag(word, change) { $0.context.validity != .valid }
    }
  }

  /// A load that runs is older than the mark.
  private func isMarked(_ context: SnapshotContext) -> Bool {
    context.validity == (context.activity == nil ? .invalidated : .invalidatedDuringLoad)
  }

  private func error(_ word: String, _ change: Change) -> Bool? {
    let (before, after) = (change.before.context, change.after.context)
    let names = (before: (before.error as? Failure)?.name, after: (after.error as? Failure)?.name)
    switch word {
    case "nil": return after.error == nil
    case "kept": return names.after == names.before && after.isRefreshError == before.isRefreshError
    case "e of a reload": return names.after == "new" && !after.isRefreshError
    case "e of its mode": return names.after == "new" && after.isRefreshError == (before.activity?.mode == .refresh)
    case "theirs": return names.after == "theirs"
    default: return nil
    }
  }

  private func activity(_ word: String, _ change: Change) -> Bool? {
    let (before, after) = (change.before.context.activity, change.after.context.activity)
    switch word {
    case "nil": return after == nil
    case "kept":
      return after?.mode == before?.mode && after?.details === before?.details && after?.isWaiting == before?.isWaiting
    case "waiting", "continued":
      return after?.mode == before?.mode && after?.details === before?.details
        && after?.isWaiting == (word == "waiting")
    case "new":
      guard case .began(let new) = event else { return nil }
      return after?.mode == (before?.mode == .reload ? .reload : new.mode) && after?.details == nil
    case "refresh":
      return (after == nil) == (before == nil) && after?.mode != .reload && after?.details === before?.details
    case "progress": return after?.mode == before?.mode && after?.progress == 0.25
    case "next attempt":
      let isNext = after?.failures == 3 && (after?.lastFailure as? Failure)?.name == "attempt"
      return isNext && after?.mode == before?.mode && after?.progress == nil
    case "theirs": return after?.mode == .refresh
    default: return nil
    }
  }

  private func age(_ word: String, _ change: Change) -> Bool? {
    let (before, after) = (change.before, change.after)
    switch word {
    case "kept": return after.answeredAt == before.answeredAt && after.hasFailed == before.hasFailed
    case "new": return after.answeredAt == .seconds(7) && !after.hasFailed
    case "nil": return after.answeredAt == nil && !after.hasFailed
    case "failed": return after.answeredAt == before.answeredAt && after.hasFailed
    case "theirs": return after.answeredAt == .seconds(3) && after.hasFailed
    case "stored": return after.answeredAt == (isOutdated ? .seconds(7) : nil) && after.hasFailed == before.hasFailed
    default: return nil
    }
  }

  private func pages(_ word: String, _ change: Change) -> Bool? {
    let before = PageSample.all(change.before.context)
    var expected = before
    let edge = page ?? .next
    switch word {
    case "kept": break
    case "none", "theirs": expected = before.mapValues { _ in PageSample() }
    case "ended": expected = before.mapValues(\.ended)
    case "requested": expected[edge] = PageSample(isRunning: true)
    case "arrived": expected[edge] = PageSample()
    case "failed": expected[edge] = PageSample(error: "new")
    case "over": expected[edge] = before[edge]?.ended
    default: return nil
    }
    return PageSample.all(change.after.context) == expected
  }

  private func ends(_ word: String, _ change: Change) -> Bool? {
    switch event.ends {
    case .nothing: word == "nothing"
    case .request(.answered): word == "itself: answered"
    case .request(.failed): word == "itself: failed"
    case .request(.ended(let end)): word == "itself: \(end)"
    case .request(.fresh): word == "itself: fresh"
    case .requests(let end): word == "requests: \(end)"
    case .everything(let end): word == "everything: \(end)"
    }
  }

  private func notification(_ word: String, _ change: Change) -> Bool? {
    let isForced = event.isForced(isValueSet: change.before.context.isValueSet)
    switch word {
    case "once": return !isForced
    case "once, forced": return isForced
    case "once; forced if the same": return isForced == (self.isForced && change.before.context.isValueSet)
    case "once; forced if theirs": return isForced == self.isForced
    default: return nil
    }
  }

  private func written(_ word: String, _ change: Change) -> Bool? {
    let (before, after) = (change.before.revision, change.after.revision)
    let written = DataRevision(
      value: after.value - before.value, error: after.error - before.error, key: after.key - before.key)
    let value: UInt32 = change.hasValue == nil ? 0 : 1
    // What is displayed is another value, unless an answer is equal to it.
    if word != "theirs", after.display - before.display != (event.isEqualAnswer ? 0 : written.value) { return false }
    switch word {
    case "nothing": return written == DataRevision()
    case "value": return written == DataRevision(value: 1)
    case "value, where there is one": return written == DataRevision(value: value)
    case "error": return written == DataRevision(error: 1)
    case "error, value if former":
      return written == DataRevision(value: change.before.context.origin.isFormer ? 1 : 0, error: 1)
    case "value, key": return written == DataRevision(value: 1, key: 1)
    case "value, key if left":
      return written == DataRevision(value: 1, key: leavesKey || change.before.context.origin.isFormer ? 1 : 0)
    case "value unless former, key": return written == DataRevision(value: value, key: 1)
    case "theirs": return after == Self.parts.revision
    default: return nil
    }
  }

  private func confirmed(_ word: String, _ change: Change) -> Bool? {
    switch word {
    case "kept": change.after.confirmations == change.before.confirmations
    case "another": change.after.confirmations == change.before.confirmations + 1
    case "if changed": change.after.confirmations == change.before.confirmations + (isChanged ? 1 : 0)
    case "theirs": change.after.confirmations == Self.parts.confirmations
    default: nil
    }
  }

  private func pending(_ word: String, _ change: Change) -> Bool? {
    switch word {
    case "no": !change.after.hasUndecidedChanges
    case "yes": change.after.hasUndecidedChanges
    case "if others": change.after.hasUndecidedChanges == hasOthers
    default: flag(word, change) { $0.hasUndecidedChanges }
    }
  }

  private func journal(_ word: String, _ change: Change) -> Bool? {
    "\(entry(with: change.after))".contains(word)
  }

  private func flag(_ word: String, _ change: Change, _ read: (DataRecord) -> Bool) -> Bool? {
    switch word {
    case "true": return read(change.after)
    case "false": return !read(change.after)
    case "kept": return read(change.after) == read(change.before)
    case "theirs": return read(change.after) == read(Self.parts)
    default: return nil
    }
  }
}

/// The page request at an edge of a record, as a value that can be compared.
private struct PageSample: Equatable {
  var isRunning = false
  var isWaiting = false
  var error: String?

  var ended: PageSample { PageSample(error: error) }

  static func all(_ context: SnapshotContext) -> [PageEdge: PageSample] {
    let samples = PageEdge.allCases.map { edge in
      let page = context[page: edge]
      return (
        edge,
        PageSample(isRunning: page.isRunning, isWaiting: page.isWaiting, error: (page.error as? Failure)?.name)
      )
    }
    return Dictionary(uniqueKeysWithValues: samples)
  }
}

extension DataRecord {
  /// There may be a value.
  var hasValue: Bool { if case .nothing = context.origin { false } else { true } }
}

extension ValueOrigin {
  static var all: [ValueOrigin] {
    let requested: [Requested] = [.notYet, .soon, .before]
    return requested.flatMap { [nothing($0), seed($0), former($0)] } + [.partial, .stored, .answer]
  }

  /// As in the table.
  var words: String {
    switch self {
    case .nothing(let requested): "nothing, \(requested.word)"
    case .seed(let requested): "seed, \(requested.word)"
    case .former(let requested): "former, \(requested.word)"
    case .partial, .stored, .answer: "\(self)"
    }
  }
}

extension ValueOrigin.Requested {
  var word: String {
    switch self {
    case .notYet: "not requested"
    case .soon: "expected"
    case .before: "requested"
    }
  }
}

/// Records of data in every combination of what an event may depend on.
enum RecordSample {
  static var all: [DataRecord] {
    var all: [DataRecord] = []
    for context in contexts {
      var record = DataRecord(context: context)
      // Nothing depends on these: it is enough that both are there.
      record.hasFailed = all.count % 3 == 0
      record.isOnlyInDoubt = all.count % 2 == 0 && context.validity != .valid
      record.hasUndecidedChanges = all.count % 5 < 2
      record.isOvertaken = all.count % 11 < 4
      record.answeredAt = all.count % 7 < 3 ? .seconds(2) : nil
      all.append(record)
    }
    return all
  }

  private static var contexts: [SnapshotContext] {
    var all: [SnapshotContext] = []
    for origin in ValueOrigin.all {
      for error in [nil, LoadMode.reload, .refresh] {
        for mode in [nil, LoadMode.reload, .refresh] {
          for validity in [Validity.valid, .invalidated, .invalidatedDuringLoad]
          where mode != nil || validity != .invalidatedDuringLoad {
            var context = SnapshotContext(origin)
            if mode != nil { context.origin.noteRequest() }
            context.error = error.map { _ in Failure(name: "old") }
            context.isRefreshError = error == .refresh
            context.activity = mode.map { LoadActivity(mode: $0, progress: 0.5, failures: 1) }
            context.validity = validity
            all += pages(of: context)
          }
        }
      }
    }
    return all
  }

  /// No further page is loaded while a load runs.
  private static func pages(of context: SnapshotContext) -> [SnapshotContext] {
    var failed = context
    failed.setPageError(Failure(name: "page"), at: .previous)
    var all = [context, failed]
    for edge in PageEdge.allCases where context.activity == nil {
      for isWaiting in [false, true] {
        var loading = isWaiting ? failed : context
        var activity = LoadActivity(mode: .refresh, isWaiting: isWaiting)
        activity.edge = edge
        loading.activity = activity
        loading.origin.noteRequest()
        all.append(loading)
        loading.validity = .invalidatedDuringLoad
        all.append(loading)
      }
    }
    return all
  }
}
