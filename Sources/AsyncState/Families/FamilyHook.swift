// SPDX-License-Identifier: MIT
// How a journal records what families and boards do. They know these protocols, and nothing of the journal.

/// Is notified of the entries of a family, on its actor. The family holds it.
package protocol FamilyHook: AnyObject {
  /// The family has an entry.
  func didAdd<Key, Value>(_ key: Key, _ data: AsyncData<Value>)
}

/// Is notified of invalidations, on the board's actor. The board holds it.
package protocol BoardHook: AnyObject {
  /// Calls `body`, which invalidates tags.
  func invalidating(_ tags: [AsyncTag], _ body: () -> Void)
}

extension AsyncFamily {
  /// From now on this one is notified, also of the entries that there are.
  package func attach(_ hook: any FamilyHook) {
    table.settings.hook = hook
    for member in table.all { hook.didAdd(member.key, member.data) }
  }
}
