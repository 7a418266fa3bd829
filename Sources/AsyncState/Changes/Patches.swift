// SPDX-License-Identifier: MIT
/// Changes of a value that are displayed before they are confirmed, each in its place.
///
/// The displayed value is the base with every patch applied, in the order in which they were made. A confirmed patch keeps its
/// place until all before it are decided; one that fails is removed alone.
///
/// A plain value. To add, confirm or remove a patch takes constant time, and is done in place, without running a patch. An
/// answer of a load or the server is put under all of them in a copy: patches run in the copy, which is then stored.
///
/// Without key paths: in code that does not know `Value`, each use of one takes 9,000 instructions.
struct Patches<Value> {
  typealias Patch = (inout Value) -> Void
  typealias Entry = PatchOrder.Entry

  /// The last value that does not depend on an undecided patch.
  private(set) var base: Value?
  private(set) var order = PatchOrder()

  /// What was confirmed since the running load began or yielded. Nil until something is.
  private var sinceLoad: SinceLoad?

  private struct SinceLoad {
    /// The confirmed value as it was then, or a value that was pushed since.
    var known: Value?
    /// The patches that were confirmed since, which are applied to the answer again.
    var confirmed: [Entry] = []
    /// The number of these, from the first, that the known value contains, because it was pushed after them.
    var containedCount = 0
    /// True if the operation has read such a value. Its answer may be that value, or another one.
    var hasReadContained = false
  }

  init(base: Value?) {
    self.base = base
  }

  /// True if no patch is left: the base is the displayed value.
  var isEmpty: Bool { order.isEmpty }

  /// True if nothing is left to remember.
  var isSettled: Bool { order.isEmpty && sinceLoad == nil }

  /// True if each is confirmed, and no load needs them.
  var isDecided: Bool { !order.hasUndecided && sinceLoad == nil }

  /// True if a patch has been confirmed since the running load began or yielded.
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

  /// The displayed value. A patch applied to no value makes none.
  var value: Value? { base(with: order.all) }

  /// The base with every confirmed patch: this value stays even if the others fail.
  var confirmedValue: Value? { base(with: order.all.filter { $0.isConfirmed }) }

  /// The value that the running load may return as "not modified": without the patches that are applied to its answer again.
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

  /// Confirms the patch as it is displayed.
  ///
  /// - Parameters:
  ///   - mark: The present mark of the value.
  ///   - known: While a load runs, its ``valueForLoad`` before this.
  mutating func confirm(_ commit: Commit, at mark: ValueMark, during known: Value??) {
    guard let entry = order.confirm(commit, at: mark), let known else { return }
    if sinceLoad == nil { sinceLoad = SinceLoad(known: known) }
    sinceLoad?.confirmed.append(entry)
  }

  /// Replaces the patch by the one that its answer makes of it.
  ///
  /// - Returns: The former patch, which may be the last holder of objects of the user's.
  @discardableResult
  mutating func exchange(_ patch: @escaping Patch, of commit: Commit) -> AnyObject? {
    order.exchange(StoredPatch(patch), of: commit)
  }

  /// Removes a patch that failed, and no other.
  ///
  /// - Returns: The patch, which may be the last holder of objects of the user's.
  mutating func remove(_ commit: Commit) -> Entry? { order.remove(commit) }

  /// Makes the ``folded`` value the base.
  ///
  /// - Returns: The replaced base and patches, which may be the last holders of objects of the user's.
  mutating func fold(into newBase: Value?, before next: Int) -> (base: Value?, entries: [Entry]) {
    var former = newBase
    swap(&base, &former)
    return (former, order.take(before: next))
  }

  // MARK: Answers. Patches run in here.

  /// Confirms the patch as it is displayed.
  ///
  /// - Parameter isLoading: True if a load is running, which began before this.
  mutating func confirm(_ commit: Commit, at mark: ValueMark, isLoading: Bool) {
    confirm(commit, at: mark, during: isLoading ? .some(valueForLoad) : nil)
  }

  /// Confirms the patch by the server's value. That value contains the confirmed patches that were made before this one, and
  /// all that were confirmed before this one was sent.
  ///
  /// - Parameter isLoading: True if a load is running, which began before this.
  mutating func confirm(_ commit: Commit, at mark: ValueMark, with answer: Value?, isLoading: Bool) {
    guard order[commit] != nil else { return }
    confirm(commit, at: mark, isLoading: isLoading)
    replaceConfirmed(with: answer, keeping: []) { entry, confirmedAt in
      entry.commit.number <= commit.number || commit.sentAt.map { confirmedAt.isBefore($0) } == true
    }
  }

  /// Puts a value under the patches that the running load yielded or answered. It contains the patches that were confirmed
  /// before the load began, and none that were confirmed since: these are applied again, with the undecided ones, in order.
  ///
  /// - Returns: True if it is not known whether it contains a confirmed patch.
  @discardableResult
  mutating func rebase(on newBase: Value?) -> Bool {
    let since = sinceLoad
    replaceConfirmed(with: newBase, keeping: since?.confirmed ?? [])
    sinceLoad?.known = newBase
    sinceLoad?.containedCount = 0
    return since.map { !$0.confirmed.isEmpty || $0.hasReadContained } == true
  }

  /// Notes that the operation of the running load has read the value that it can rely on. What that contains is not applied to it
  /// again.
  ///
  /// - Returns: The patches, which may be the last holders of objects of the user's.
  mutating func noteKnownIsRead() -> [Entry] {
    guard let count = sinceLoad?.containedCount, count > 0 else { return [] }
    let contained = sinceLoad?.confirmed.prefix(count) ?? []
    sinceLoad?.confirmed.removeFirst(count)
    sinceLoad?.containedCount = 0
    sinceLoad?.hasReadContained = true
    return Array(contained)
  }

  /// Replaces the confirmed value by one that contains every confirmed patch: a page arrived.
  mutating func replaceConfirmed(with newBase: Value?) {
    replaceConfirmed(with: newBase, keeping: [])
  }

  /// Replaces the confirmed value by one that was pushed, and contains every confirmed patch. It is what the running load can rely
  /// on from now on.
  mutating func push(_ newBase: Value?) {
    replaceConfirmed(with: newBase, keeping: [])
    sinceLoad?.known = newBase
    let count = sinceLoad?.confirmed.count ?? 0
    sinceLoad?.containedCount = count
  }

  /// Forgets a load that has ended, so there is no answer to apply a confirmed patch to.
  mutating func forgetLoad() {
    sinceLoad = nil
  }

  /// - Parameters:
  ///   - newBase: A value that contains confirmed patches.
  ///   - kept: Confirmed patches that it does not contain, though they may be folded already.
  ///   - isContained: True if it contains this one, which was confirmed at this mark.
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
