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

  /// Sets the value of entry 1.
  ///
  /// - Returns: What its write waits for, which has begun.
  func beginWriting(_ value: Int, _ stage: FamilyStage, ignoresCancellation: Bool = false) async -> ManualServer<Void> {
    let writes = ManualServer<Void>(ignoresCancellation: ignoresCancellation)
    stage.store?.writes = writes
    stage.family[1].data.value = value
    await writes.arrived(1)
    return writes
  }
}
