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
  typealias Entry = PatchOrder.Entry

  /// The last value that does not depend on an undecided patch.
  private(set) var base: Value?
  private(set) var order = PatchOrder()

  /// The knowledge of the running load: the confirmed value as it was when it began or yielded, and the patches that
  /// were confirmed since. Nil until one is.
  private var sinceLoad: (known: Value?, confirmed: [Entry])?

  init(base: Value?) {
    self.base = base
  }

  /// No patch is left: the base is what is displayed.
  var isEmpty: Bool { order.isEmpty }

  /// Nothing is left to remember.
  var isSettled: Bool { order.isEmpty && sinceLoad == nil }

  /// Each is confirmed, and no load has to know which were.
  var isDecided: Bool { !order.hasUndecided && sinceLoad == nil }

  /// A patch has been confirmed since the running load began or yielded.
  var remembersLoad: Bool { sinceLoad != nil }

  func patch(of commit: Commit) -> Patch? { order[commit].map(patch) }

  /// The patch of an entry.
  func patch(of entry: Entry) -> Patch {
    guard let stored = entry.patch as? StoredPatch<Value> else {
      preconditionFailure("AsyncState: the changes of data have the type of its value. Report this as a fault.")
    }
    return stored.body
  }

  // MARK: Values. Patches run in here.

  /// The value that is displayed. A patch of nothing is nothing.
  var value: Value? { base(with: order.all) }

  /// The base with every confirmed patch: the value that stays, whatever becomes of the others.
  var confirmedValue: Value? { base(with: order.all.filter { $0.isConfirmed }) }

  /// The value that the running load may return as "not modified": without the patches that are applied to its answer
  /// again.
  var valueForLoad: Value? {
    if let sinceLoad { sinceLoad.known } else { confirmedValue }
  }

  /// The base with the confirmed patches that have nothing undecided before them, and the number of the patch after
  /// these.
  var folded: (base: Value?, next: Int) {
    let (entries, next) = order.foldable
    return (base(with: entries), next)
  }

  private func base(with entries: [Entry]) -> Value? {
    guard var value = base else { return nil }
    for entry in entries { patch(of: entry)(&value) }
    return value
  }

  // MARK: Patches, in constant time. No patch runs in here.

  mutating func add(_ patch: @escaping Patch, _ commit: Commit) {
    order.add(StoredPatch(patch), commit)
  }

  /// The patch is confirmed as it is displayed.
  ///
  /// - Parameters:
  ///   - mark: What the value is now.
  ///   - known: While a load runs, its ``valueForLoad`` before this.
  mutating func confirm(_ commit: Commit, at mark: ValueMark, during known: Value??) {
    guard let entry = order.confirm(commit, at: mark), let known else { return }
    if sinceLoad == nil { sinceLoad = (known, []) }
    sinceLoad?.confirmed.append(entry)
  }

  /// From now on the change is what its answer makes of it.
  mutating func exchange(_ patch: @escaping Patch, of commit: Commit) {
    order.exchange(StoredPatch(patch), of: commit)
  }

  /// The patch failed: it is removed alone.
  ///
  /// - Returns: The patch, which may be the last to hold what is the user's.
  mutating func remove(_ commit: Commit) -> Entry? { order.remove(commit) }

  /// What was ``folded`` becomes the base.
  ///
  /// - Returns: What was replaced, which may be the last to hold what is the user's.
  mutating func fold(into newBase: Value?, before next: Int) -> (base: Value?, entries: [Entry]) {
    var former = newBase
    swap(&base, &former)
    return (former, order.take(before: next))
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
    guard order[commit] != nil else { return }
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
    order.removeConfirmed(keeping: kept, where: isContained)
    let (folded, next) = folded
    _ = fold(into: folded, before: next)
  }
}

/// A patch of values of one type.
private final class StoredPatch<Value>: AnyPatch {
  let body: Patches<Value>.Patch

  init(_ body: @escaping Patches<Value>.Patch) {
    self.body = body
  }
}
