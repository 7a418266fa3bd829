// SPDX-License-Identifier: MIT
/// What is done inside a callback: in the first one, or in one so many later.
struct Inside<Action> {
  var callback: Int
  var action: Action
}

extension Array {
  /// Without one element, for each.
  var withoutOne: [[Element]] { indices.map { Array(self[..<$0] + self[($0 + 1)...]) } }
}
