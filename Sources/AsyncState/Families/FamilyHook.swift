// SPDX-License-Identifier: MIT
// The connection from families and boards to a journal. They use these protocols, and do not depend on the journal.

/// Is notified of each entry of a family, on its actor. The family holds it.
package protocol FamilyHook: AnyObject {
  /// Called when the family has a new entry.
  func didAdd<Key, Value>(_ key: Key, _ data: AsyncData<Value>)
}

/// Is notified of invalidations, on the board's actor. The board holds it.
package protocol BoardHook: AnyObject {
  /// Calls `body`, which invalidates tags.
  func invalidating(_ tags: [AsyncTag], _ body: () -> Void)
}
