// SPDX-License-Identifier: MIT
/// Changes of a value that are displayed before they are confirmed, each in its place.
///
/// What is displayed is the base with every patch applied, in the order in which they were made. A patch that is
/// confirmed keeps its place until all before it are decided; one that fails is removed alone.
///
/// A plain value. To add, confirm or remove a patch takes constant time, and is done in place; no patch runs in there.
/// What a load or the server answers is put under all of them in a copy, in which they run, and which is then stored.
///
/// Without key paths: in code that does not know `Value`, each use of one takes 9,000 instructions.
struct Patches<Value> {
  typealias Patch = (inout Value) -> Void

  struct Entry {
    let commit: Commit
    var patch: Patch
    /// What the value was when it was confirmed; nil: it is undecided.
    var confirmedAt: ValueMark?
    var isConfirmed: Bool { confirmedAt != nil }
  }

  /// The last value that does not depend on an undecided patch.
  private(set) var base: Value?
  /// By the number of the change.
  private var entries: [Int: Entry] = [:]
  /// No entry has a lower number. The one with this number is undecided, unless there is something to fold.
  private var first = Int.max
  private var last = 0
  private var undecidedCount = 0

  /// The knowledge of the running load: the confirmed value as it was when it began or yielded, and the patches that
  /// were confirmed since. Nil until one is.
  private var sinceLoad: (known: Value?, confirmed: [Entry])?

  init(base: Value?) {
    self.base = base
  }

  var hasUndecided: Bool { undecidedCount > 0 }

  func hasUndecided(besides commit: Commit) -> Bool {
    undecidedCount > (entries[commit.number]?.isConfirmed == false ? 1 : 0)
  }

  /// No patch is left: the base is what is displayed.
  var isEmpty: Bool { entries.isEmpty }

  /// Nothing is left to remember.
  var isSettled: Bool { entries.isEmpty && sinceLoad == nil }

  /// The numbers of those that are not decided, in order.
  var undecidedNumbers: [Int] { undecided.map(\.commit.number).sorted() }

  /// The number after that of the last patch.
  var end: Int { last + 1 }

  /// A patch has been confirmed since the running load began or yielded.
  var remembersLoad: Bool { sinceLoad != nil }

  /// A confirmed patch has nothing undecided before it, or the first patch was removed.
  var canFold: Bool { !entries.isEmpty && entries[first]?.isConfirmed != false }

  func contains(_ commit: Commit) -> Bool { entries[commit.number] != nil }

  func patch(of commit: Commit) -> Patch? { entries[commit.number]?.patch }

  /// Those that are not decided.
  var undecided: [Entry] { entries.values.filter { !$0.isConfirmed } }

  // MARK: Values. Patches run in here.

  /// The value that is displayed. A patch of nothing is nothing.
  var value: Value? { base(with: inOrder) }

  /// The base with every confirmed patch: the value that stays, whatever becomes of the others.
  var confirmedValue: Value? { base(with: inOrder.filter { $0.isConfirmed }) }

  /// The value that the running load may return as "not modified": without the patches that are applied to its answer
  /// again.
  var valueForLoad: Value? {
    if let sinceLoad { sinceLoad.known } else { confirmedValue }
  }

  /// The base with the confirmed patches that have nothing undecided before them, and the number of the patch after
  /// these. Each number is passed once in the life of the patches.
  var folded: (base: Value?, next: Int) {
    var (value, next) = (base, first)
    while next <= last {
      guard let entry = entries[next] else { next += 1; continue }
      guard entry.isConfirmed else { break }
      if value != nil { entry.patch(&value!) }
      next += 1
    }
    return (value, next)
  }

  private var inOrder: [Entry] { entries.values.sorted { $0.commit.number < $1.commit.number } }

  private func base(with entries: [Entry]) -> Value? {
    guard var value = base else { return nil }
    for entry in entries { entry.patch(&value) }
    return value
  }

  // MARK: Patches, in constant time. No patch runs in here.

  mutating func add(_ patch: @escaping Patch, _ commit: Commit) {
    entries[commit.number] = Entry(commit: commit, patch: patch)
    if entries.count == 1 { first = commit.number }
    last = commit.number
    undecidedCount += 1
  }

  /// The patch is confirmed as it is displayed.
  ///
  /// - Parameters:
  ///   - mark: What the value is now.
  ///   - known: While a load runs, its ``valueForLoad`` before this.
  mutating func confirm(_ commit: Commit, at mark: ValueMark, during known: Value??) {
    guard entries[commit.number] != nil else { return }
    entries[commit.number]?.confirmedAt = mark
    undecidedCount -= 1
    if let known { remember(commit, known) }
  }

  /// From now on the change is what its answer makes of it.
  mutating func exchange(_ patch: @escaping Patch, of commit: Commit) {
    entries[commit.number]?.patch = patch
  }

  private mutating func remember(_ commit: Commit, _ known: Value?) {
    guard let entry = entries[commit.number] else { return }
    if sinceLoad == nil { sinceLoad = (known, []) }
    sinceLoad?.confirmed.append(entry)
  }

  /// The patch failed: it is removed alone.
  ///
  /// - Returns: The patch, which may be the last to hold what is the user's.
  mutating func remove(_ commit: Commit) -> Entry? {
    guard let entry = entries.removeValue(forKey: commit.number) else { return nil }
    undecidedCount -= 1
    return entry
  }

  /// What was ``folded`` becomes the base.
  ///
  /// - Returns: What was replaced, which may be the last to hold what is the user's.
  mutating func fold(into newBase: Value?, before next: Int) -> (base: Value?, entries: [Entry]) {
    var former = (base: newBase, entries: [Entry]())
    swap(&base, &former.base)
    for number in first..<next {
      if let entry = entries.removeValue(forKey: number) { former.entries.append(entry) }
    }
    first = next
    return former
  }

  // MARK: Answers. Patches run in here.

  /// The patch is confirmed as it is displayed.
  ///
  /// - Parameter isLoading: A load is running, which began before this.
  mutating func confirm(_ commit: Commit, at mark: ValueMark, isLoading: Bool) {
    confirm(commit, at: mark, during: isLoading ? .some(valueForLoad) : nil)
  }

  /// The patch is confirmed by the server's value. That contains what was made before it and confirmed, and whatever was
  /// confirmed before it was sent.
  ///
  /// - Parameter isLoading: A load is running, which began before this.
  mutating func confirm(_ commit: Commit, at mark: ValueMark, with answer: Value?, isLoading: Bool) {
    guard entries[commit.number] != nil else { return }
    confirm(commit, at: mark, isLoading: isLoading)
    replaceConfirmed(with: answer, keeping: []) { entry, confirmedAt in
      entry.commit.number <= commit.number || commit.sentAt.map { confirmedAt.isBefore($0) } == true
    }
  }

  /// The running load yielded or answered. Its value contains what was confirmed before it began, and nothing that was
  /// confirmed since: that is applied again, with the undecided patches, in order.
  ///
  /// - Returns: Whether a confirmed patch was applied again.
  @discardableResult
  mutating func rebase(on newBase: Value?) -> Bool {
    let since = sinceLoad?.confirmed ?? []
    replaceConfirmed(with: newBase, keeping: since)
    if sinceLoad != nil { sinceLoad = (newBase, since) }
    return !since.isEmpty
  }

  /// The confirmed value was replaced by one that contains every confirmed patch: a page arrived, or a value was pushed.
  mutating func replaceConfirmed(with newBase: Value?) {
    replaceConfirmed(with: newBase, keeping: [])
  }

  /// The load has ended, so there is no answer any more to apply a confirmed patch to.
  mutating func forgetLoad() {
    sinceLoad = nil
  }

  /// - Parameters:
  ///   - newBase: A value that contains confirmed patches.
  ///   - kept: Confirmed patches that it does not contain, though they may be folded already.
  ///   - isContained: Whether it contains one that was confirmed, and when.
  private mutating func replaceConfirmed(
    with newBase: Value?, keeping kept: [Entry],
    where isContained: (Entry, _ confirmedAt: ValueMark) -> Bool = { _, _ in true }
  ) {
    base = newBase
    entries = entries.filter { entry in entry.value.confirmedAt.map { !isContained(entry.value, $0) } ?? true }
    for entry in kept { entries[entry.commit.number] = entry }
    first = entries.keys.min() ?? .max
    let (folded, next) = folded
    _ = fold(into: folded, before: next)
  }
}
