// SPDX-License-Identifier: MIT
/// The changes that lie on a value, their order, and which of them are confirmed: the part of ``Patches`` that does not depend
/// on the type of the value, and is compiled once. Generic code looks up the type at each use of its container, which took more
/// than all else that a change does.
struct PatchOrder {
  struct Entry {
    let commit: Commit
    fileprivate(set) var patch: AnyPatch
    /// The mark of the value when it was confirmed; nil: it is undecided.
    fileprivate(set) var confirmedAt: ValueMark?
    var isConfirmed: Bool { confirmedAt != nil }
  }

  /// By the number of the change.
  private var entries: [Int: Entry] = [:]
  /// The lowest number of an entry. That entry is undecided, unless there is something to fold.
  private var first = Int.max
  private var last = 0
  private var undecidedCount = 0
  /// The number of the last confirmed change that was never sent.
  private var lastUpdate = 0

  var isEmpty: Bool { entries.isEmpty }

  var hasUndecided: Bool { undecidedCount > 0 }

  /// True if so many are confirmed above an undecided one that they are folded: each is applied again at each change.
  var isFull: Bool { hasUndecided && entries.count - undecidedCount >= 100 }

  /// True if a confirmed change lies above an undecided one.
  var hasConfirmed: Bool { undecidedCount < entries.count }

  /// True if an update was made above a change.
  func hasUpdate(above commit: Commit) -> Bool { lastUpdate > commit.number }

  func hasUndecided(besides commit: Commit) -> Bool {
    undecidedCount > (self[commit]?.isConfirmed == false ? 1 : 0)
  }

  subscript(commit: Commit) -> Entry? { entries[commit.number] }

  /// All of them, in order.
  var all: [Entry] { entries.values.sorted { $0.commit.number < $1.commit.number } }

  /// The changes that are not decided.
  var undecided: [Entry] { entries.values.filter { !$0.isConfirmed } }

  /// True if a confirmed patch has nothing undecided before it, or the first patch was removed.
  var canFold: Bool { !entries.isEmpty && entries[first]?.isConfirmed != false }

  /// The confirmed patches that have nothing undecided before them, in order, and the number of the patch after these. Each
  /// number is passed once in the life of the patches.
  var foldable: (entries: [Entry], next: Int) {
    var (found, next) = ([Entry](), first)
    while next <= last {
      if let entry = entries[next] {
        guard entry.isConfirmed else { break }
        found.append(entry)
      }
      next += 1
    }
    return (found, next)
  }

  /// The number after that of the last patch.
  var end: Int { last + 1 }

  mutating func add(_ patch: AnyPatch, _ commit: Commit) {
    if entries.isEmpty { first = commit.number }
    entries[commit.number] = Entry(commit: commit, patch: patch)
    last = commit.number
    undecidedCount += 1
  }

  /// - Returns: The entry; nil if there is none.
  mutating func confirm(_ commit: Commit, at mark: ValueMark) -> Entry? {
    guard let place = entries.index(forKey: commit.number) else { return nil }
    entries.values[place].confirmedAt = mark
    undecidedCount -= 1
    if commit.sentAt == nil { lastUpdate = max(lastUpdate, commit.number) }
    return entries.values[place]
  }

  /// Replaces the patch of a commit.
  ///
  /// - Returns: The former patch, which may be the last holder of objects of the user's.
  mutating func exchange(_ patch: AnyPatch, of commit: Commit) -> AnyPatch? {
    let former = entries[commit.number]?.patch
    entries[commit.number]?.patch = patch
    return former
  }

  /// - Returns: The removed entry, which may be the last holder of objects of the user's.
  mutating func remove(_ commit: Commit) -> Entry? {
    guard let entry = entries.removeValue(forKey: commit.number) else { return nil }
    undecidedCount -= 1
    return entry
  }

  /// Removes and returns the patches before this number.
  mutating func take(before next: Int) -> [Entry] {
    defer { first = next }
    return (first..<next).compactMap { entries.removeValue(forKey: $0) }
  }

  /// - Parameters:
  ///   - kept: Confirmed patches that stay, or lie on the value again.
  ///   - isContained: True if the value contains this one, which was confirmed at this mark.
  mutating func removeConfirmed(keeping kept: [Entry], where isContained: (Entry, _ confirmedAt: ValueMark) -> Bool) {
    entries = entries.filter { entry in entry.value.confirmedAt.map { !isContained(entry.value, $0) } ?? true }
    for entry in kept { entries[entry.commit.number] = entry }
    first = entries.keys.min() ?? .max
    lastUpdate = entries.values.filter { $0.isConfirmed && $0.commit.sentAt == nil }.map(\.commit.number).max() ?? 0
  }
}

/// A change of a value, whatever its type.
class AnyPatch {}
