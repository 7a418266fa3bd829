// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// A person deletes all rows of a list, which waits at a gate for the server's answer.
@MainActor
func deleteAll(of list: AsyncResource<[Int]>, awaiting answer: ManualServer<Void>) -> Task<AsyncOutcome<[Int]?>, Never>
{
  Task {
    await list.mutate {
      $0.removeAll()
    } commit: {
      try await answer.wait()
    }
  }
}
