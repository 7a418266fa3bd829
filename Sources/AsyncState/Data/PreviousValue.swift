// SPDX-License-Identifier: MIT
/// The display of the value of a previous key, or of a previous resource in the same view, while the new one has none.
///
/// A value that is kept is provisional: it is no answer, it is not stored, and it can neither be changed nor extended. What is made of it
/// is kept with it, in the same way.
public enum PreviousValue: Hashable, Sendable {
  /// Nothing: a value of one key is not displayed under another.
  case hidden
  /// Its value, until the new one has a value or an error, or there is no key.
  case untilAnswered
}
