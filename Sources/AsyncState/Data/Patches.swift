/// Changes of a value that are displayed before they are confirmed, each in its place.
///
/// What is displayed is the base with every patch applied, in the order in which they were made. A patch that is
/// confirmed keeps its place until all before it are decided; one that fails is removed alone.
///
/// A plain value: `AsyncData` changes a copy, in which the user's patches run, and then stores it.
///
/// Without key paths: in code that does not know `Value`, each use of one takes 9,000 instructions.
struct Patches<Value> {
  typealias Patch = (inout Value) -> Void

  struct Entry {
    let commit: Commit
    let patch: Patch
    var isConfirmed = false
  }

  /// The last value that does not depend on an undecided patch.
  private(set) var base: Value?
  private(set) var entries: [Entry] = []

  /// What the running load has to know: the confirmed value as it was when it began or yielded, and the patches that
  /// were confirmed since. Nil until one is.
  private var sinceLoad: (known: Value?, confirmed: [Entry])?

  init(base: Value?) {
    self.base = base
  }

  /// The number of patches that are not decided.
  var hasUndecided: Bool { entries.contains { !$0.isConfirmed } }

  /// Nothing is left to remember.
  var isSettled: Bool { entries.isEmpty && sinceLoad == nil }

  /// What is displayed. A patch of nothing is nothing.
  var value: Value? { base(with: entries) }

  /// The base with every confirmed patch: the value that stays, whatever becomes of the others.
  var confirmedValue: Value? { base(with: entries.filter { $0.isConfirmed }) }

  /// What the running load may return as "not modified": without the patches that are applied to its answer again.
  var valueForLoad: Value? {
    if let sinceLoad { sinceLoad.known } else { confirmedValue }
  }

  // MARK: Patches

  mutating func add(_ patch: @escaping Patch, _ commit: Commit) {
    entries.append(Entry(commit: commit, patch: patch))
  }

  /// The patch is confirmed, perhaps by the server's value, which contains all that was confirmed before it.
  ///
  /// - Parameter isLoading: A load is running, which began before this.
  mutating func confirm(_ commit: Commit, with answer: Value??, isLoading: Bool) {
    guard let index = entries.firstIndex(where: { $0.commit === commit }) else { return }
    let known = isLoading && sinceLoad == nil ? confirmedValue : nil
    entries[index].isConfirmed = true
    if isLoading {
      if sinceLoad == nil { sinceLoad = (known, []) }
      sinceLoad?.confirmed.append(entries[index])
    }
    if let answer {
      entries = entries[..<index].filter { !$0.isConfirmed } + entries[(index + 1)...]
      base = answer
    }
    foldConfirmed()
  }

  /// The patch failed: it is removed alone.
  mutating func remove(_ commit: Commit) {
    entries.removeAll { $0.commit === commit }
    foldConfirmed()
  }

  // MARK: Loads and pages

  /// The running load yielded or answered. Its value contains what was confirmed before it began, and nothing that was
  /// confirmed since: that is applied again, with the undecided patches, in order.
  ///
  /// - Returns: Whether a confirmed patch was applied again.
  @discardableResult
  mutating func rebase(on newBase: Value?) -> Bool {
    let since = sinceLoad?.confirmed ?? []
    entries = (entries.filter { !$0.isConfirmed } + since).sorted { $0.commit.number < $1.commit.number }
    base = newBase
    if sinceLoad != nil { sinceLoad = (newBase, since) }
    foldConfirmed()
    return !since.isEmpty
  }

  /// The confirmed value was replaced by one that contains every confirmed patch.
  mutating func replaceConfirmed(with newBase: Value?) {
    entries.removeAll { $0.isConfirmed }
    base = newBase
  }

  /// The load has ended, so there is no answer any more to apply a confirmed patch to.
  mutating func forgetLoad() {
    sinceLoad = nil
  }

  /// Confirmed patches with nothing undecided before them become part of the base.
  private mutating func foldConfirmed() {
    let end = entries.firstIndex { !$0.isConfirmed } ?? entries.endIndex
    guard end > 0 else { return }
    base = base(with: entries[..<end])
    entries.removeSubrange(..<end)
  }

  private func base(with entries: some Sequence<Entry>) -> Value? {
    guard var value = base else { return nil }
    for entry in entries { entry.patch(&value) }
    return value
  }
}

/// Patches as they are stored, and as a change takes them out: an object, which is passed on without knowing its type.
class FormerPatches {
  /// The value was set otherwise: running commits write nothing any more, and waiting ones never run.
  func supersede() { preconditionFailure("StoredPatches overrides this.") }

  /// The numbers of those that are not decided.
  var undecidedNumbers: [Int] { preconditionFailure("StoredPatches overrides this.") }
}

final class StoredPatches<Value>: FormerPatches {
  let patches: Patches<Value>

  init(_ patches: Patches<Value>) {
    self.patches = patches
  }

  override func supersede() {
    for entry in patches.entries where !entry.isConfirmed { entry.commit.end(.superseded) }
  }

  override var undecidedNumbers: [Int] { patches.entries.filter { !$0.isConfirmed }.map(\.commit.number) }
}

extension AsyncData {
  var hasPatches: Bool { state.extras?.patches != nil }

  /// Changes the patches: first a copy, in which user code runs, and then what is stored.
  ///
  /// - Parameter edit: Changes the copy, and says what follows from it.
  /// - Returns: The copy to store in the same step as its value.
  func editedPatches<Result>(_ edit: (inout Patches<Value>) -> Result) -> (patches: Patches<Value>, result: Result) {
    let extras = requiredExtras
    for _ in 0..<1_000 {
      let version = (extras.patchesVersion, revision)
      var copy = extras.patches?.patches ?? Patches(base: state.value)
      let result = edit(&copy)
      // A patch that wrote to the data has made the copy old.
      if version == (extras.patchesVersion, revision) { return (copy, result) }
    }
    fatalError(
      """
      A patch given to AsyncData.mutate changed the same data each time it was applied, so its result was never current. \
      A patch may only change the value that it is given: move the other change out of it.
      """)
  }
}

extension AsyncData {
  /// Writes a value, and the patches that it follows from in the same change.
  func write(
    _ value: Value?, ending reach: DataCore.Reach = .nothing, as ending: LoadEnding = .ended(.superseded),
    by writer: LoadRun? = nil, storing patches: Patches<Value>, _ apply: (inout DataRecord) -> Void
  ) {
    // What it replaces is released when everything is delivered: patches hold closures and values of the user's.
    var exchanged = stored(patches)
    write(value, ending: reach, as: ending, by: writer, alongside: { state.extras?.exchange(&exchanged) }, apply)
  }
}

/// Nil where all are settled.
func stored<Value>(_ patches: Patches<Value>) -> StoredPatches<Value>? {
  patches.isSettled ? nil : StoredPatches(patches)
}

extension AsyncData.Extras {
  func exchange(_ patches: inout StoredPatches<Value>?) {
    patchesVersion += 1
    swap(&self.patches, &patches)
  }

  /// Follows a change of the requests.
  ///
  /// - Returns: The patches that were replaced, to be released after the change. Those of `.everything` are superseded.
  func patchesToRelease(after reach: DataCore.Reach) -> FormerPatches? {
    if case .everything = reach {
      patchesVersion += 1
      dropCount += 1
    }
    // First without the type, which takes longer to look up than all else here.
    guard patches != nil, let former = patches else { return nil }
    switch reach {
    case .nothing: return nil
    case .only, .requests: forgetLoad(former)
    case .everything: patches = nil
    }
    return former
  }

  private func forgetLoad(_ former: StoredPatches<Value>) {
    var next = former.patches
    next.forgetLoad()
    patches = stored(next)
    patchesVersion += 1
  }
}
