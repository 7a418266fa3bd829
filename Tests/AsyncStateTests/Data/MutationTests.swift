// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct MutationTests {
    let data = AsyncData<[String]>()
    let gate = ManualServer<[String]?>()

    /// Appends a name at once, and has it confirmed at the gate.
    private func append(_ name: String) -> Waiting<String> {
      Waiting { [data, gate] in
        await data.mutate({ $0.append(name) }, commit: { _ = try await gate.wait() }).word
      }
    }

    private func answer(_ call: Int, _ result: Result<[String]?, any Error>) {
      gate.answer(call: call, with: result)
    }

    @Test("3.12 the change is visible before the first suspension")
    func visibleAtOnce() async {
      data.value = ["a"]
      var seen: [String]?
      let outcome = await data.mutate({ $0.append("b") }) { [data] in
        seen = data.value
      }
      expectEqual(seen, ["a", "b"])
      expectEqual(outcome.word, "a b")
      expectEqual(data.value, ["a", "b"])
      expect(!data.hasPendingChanges)
    }

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
      answer(1, .success(["A"]))
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

    @Test("3.12 a confirmed change keeps its place while an earlier one is undecided")
    func order() async {
      data.value = ["a"]
      let changes = [append("b"), append("c")]
      await gate.arrived(2)
      answer(2, .success(nil))
      await expectEqual(changes[1].end(), "a b c")
      expectEqual(data.value, ["a", "b", "c"])
      expect(data.hasPendingChanges)
      answer(1, .failure(Failure()))
      _ = await changes[0].end()
      expectEqual(data.value, ["a", "c"])
      expect(!data.hasPendingChanges)
    }

    @Test("3.12 a change that is cancelled before its commit began is removed at once, and the data is no staler")
    func cancelledBefore() async {
      let room = LoadGate()
      room.close()
      let data = AsyncData<[String]>(options: LoadOptions(gate: room))
      data.value = ["a"]
      var sent: [String] = []
      let changes = ["b", "c", "d"].map { name in
        Waiting { await data.mutate({ $0.append(name) }, commit: { sent.append(name) }).word }
      }
      for change in changes { await change.begun() }
      changes[1].cancel()
      await expectEqual(changes[1].end(), "cancelled")
      expectEqual(data.value, ["a", "b", "d"])
      expect(!data.isStale)
      room.open()
      for change in changes { _ = await change.end() }
      expectEqual(sent.sorted(), ["b", "d"])
      expectEqual(data.value, ["a", "b", "d"])
      expect(!data.isStale)
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
