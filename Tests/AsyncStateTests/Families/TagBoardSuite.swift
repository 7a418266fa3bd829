// SPDX-License-Identifier: MIT
import AsyncState

/// A suite of tests of a family whose entries have tags.
@MainActor
protocol TagBoardSuite {}

extension TagBoardSuite {
  /// Even and odd keys have tags, all keys have one, and each has its own.
  nonisolated static func tags(_ key: Int, _ value: Int?) -> Set<AsyncTag> {
    ["all", AsyncTag(key.isMultiple(of: 2) ? "even" : "odd"), AsyncTag("key", key)]
  }

  func stage(
    width: Int = 4, keepUnused: Int = .max,
    tags: @escaping (Int, Int?) -> Set<AsyncTag> = Self.tags
  ) -> FamilyStage {
    FamilyStage(
      keepUnused: keepUnused, board: AsyncTagBoard(gate: LoadGate(width: width)),
      tags: tags
    )
  }

  func isInvalidated(_ stage: FamilyStage, _ keys: Int...) -> [Bool] {
    keys.map { key in stage.entry(key)?.snapshot.isInvalidated == true }
  }
}
