// SPDX-License-Identifier: MIT
/// The entry of a family for a key, at one moment: a line of a developer's menu.
public struct FamilyEntry<Key, Value> {
  /// The key.
  public let key: Key
  /// The value, the error and the activity.
  public let snapshot: AsyncSnapshot<Value>
  /// True if the resource has a holder other than the family.
  public let isHeld: Bool
  /// True if the store does not have the value yet: its write waits, runs, or has failed. It is written with the next change.
  public let isUnsaved: Bool
  /// The tags that it depends on.
  let tags: Set<AsyncTag>
}

extension FamilyEntry: CustomStringConvertible {
  /// The key, the data, and the words for an entry that is held or not, and for one that is unsaved, as in `5: 3 items, held`.
  public var description: String {
    let words = ["\(brief(key)): \(snapshot)", isHeld ? "held" : "not held"] + (isUnsaved ? ["unsaved"] : [])
    return words.joined(separator: ", ")
  }
}
