// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct MutationTests {
    let data = AsyncData<[String]>()
    let gate = ManualServer<[String]?>()

    @Test("3.12 what a commit returns is ignored, whatever its type: unliking with a server that answers true unlikes")
    func ignored() async {
      let isLiked = AsyncData(snapshot: .value(true))
      await isLiked.mutate({ $0 = false }, commit: { true })
      expectEqual(isLiked.value, false)
      let count = AsyncData(snapshot: .value(1))
      await count.mutate({ $0 += 1 }, commit: { 200 as Int? })
      await count.mutate({ $0 += 1 }, commit: { Int?.none })
      await count.mutate({ $0 += 1 }) { 200 }
      await count.mutate({ $0 += 1 }) {
        let status = 200
        _ = status
      }
      expectEqual(count.value, 5)
    }

    @Test("3.12, 3.16 a commit that returns decides its change, cancelled or not, with options of its own or without")
    func cancelledAndConfirmed() async {
      for options in [LoadOptions(), LoadOptions(timeout: .seconds(30), clock: ManualClock())] {
        let data = AsyncData<[String]>(options: options)
        data.value = ["a"]
        let deaf = ManualServer<Int>(ignoresCancellation: true)
        let change = Waiting { await data.mutate({ $0.append("b") }) { _ = try await deaf.wait() }.word }
        await deaf.arrived(1)
        change.cancel()
        expectEqual(data.value, ["a", "b"])
        deaf.answer(call: 1, with: .success(0))
        await expectEqual(change.end(), "a b")
        expect(!data.isStale)
        expect(!data.hasPendingChanges)
      }
    }

    @Test("3.12 a change confirmed after a load began is applied to its answer again, and the data is invalidated")
    func confirmedDuringLoad() async {
      data.value = ["a"]
      let load = data.start(.refresh) { [gate] in try await gate.wait() }
      await gate.arrived(1)
      await data.mutate({ $0.append("b") }) {}
      expect(!data.hasPendingChanges)
      gate.answer(call: 1, with: .success(["A"]))
      _ = await load.outcome()
      expectEqual(data.value, ["A", "b"])
      expect(data.isStale)
    }

    @Test("3.12 in a task that is cancelled already nothing happens")
    func cancelledAlready() async {
      data.value = ["a"]
      let recorder = DataRecorder(data)
      let change = Waiting { [data] in
        withUnsafeCurrentTask { $0?.cancel() }
        return await data.mutate({ $0.append("b") }, commit: {}).word
      }
      await expectEqual(change.end(), "cancelled")
      expectEqual(recorder.takeFlags(), "")
    }
  }
}

extension AsyncOutcome where Success == [String]? {
  fileprivate var word: String {
    switch self {
    case .success(let value): value.map { $0.joined(separator: " ") } ?? "nothing"
    case .failure(let error): "failure \(error)"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .notRequested: "not requested"
    }
  }
}
