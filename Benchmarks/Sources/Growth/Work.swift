// SPDX-License-Identifier: MIT
import AsyncState

/// Something that is done for many objects, or many times.
struct Work: Sendable {
  /// Prepares the work for a size, and returns what is measured.
  typealias Way = @MainActor @Sendable (_ size: Int) async -> (@MainActor () async -> Void)

  let name: String
  /// The smallest size.
  let size: Int
  let library: Way
  /// The same as one would write it without the library, where that says something.
  let byHand: Way?

  init(_ name: String, _ size: Int, _ library: @escaping Way, byHand: Way? = nil) {
    self.name = name
    self.size = size
    self.library = library
    self.byHand = byHand
  }

  static let all =
    graph + data + pages + changes + resources + values + streams + families + batches + gates + mutations + outboxes
    + lists + containers
}

/// Something that is counted, so that no work is left out by the compiler.
@MainActor var tally = 0

/// What has begun on the main actor has suspended or ended.
func settle() async {
  await Task { @MainActor in }.value
}
