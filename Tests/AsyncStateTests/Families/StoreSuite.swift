// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// A suite of tests of a family with a store.
@MainActor
protocol StoreSuite {}

extension StoreSuite {
  func stage(staleAfter: Duration? = .seconds(60)) -> FamilyStage {
    FamilyStage(staleAfter: staleAfter, keepUnused: .max, hasStore: true)
  }
}
