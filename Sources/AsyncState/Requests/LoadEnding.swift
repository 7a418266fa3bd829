// SPDX-License-Identifier: MIT
/// The ending of a load; the answer is stored beside it.
@usableFromInline
package enum LoadEnding {
  case answered
  case failed(any Error)
  case ended(LoadEnd)
  /// Nothing was requested, because the value, or the stored one, was fresh enough.
  case fresh
}

/// The reason for which a load ended without an answer.
@usableFromInline
package enum LoadEnd {
  /// A caller gave it up, or its data was released.
  case cancelled
  /// Something newer took its place: another load, or a write of value or error.
  case superseded
}
