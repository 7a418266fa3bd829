// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct ChangesBesideLoadsTests {
    let data = AsyncData<[String]>()

    init() {
      data.value = ["a"]
    }

    private func load() -> (LoadTask<[String]>, ManualServer<[String]?>) {
      let gate = ManualServer<[String]?>()
      return (data.start(.refresh) { try await gate.wait() }, gate)
    }

    @Test("3.12, 3.16 a commit that returns decides its change, cancelled or not, with options of its own or without")
    func cancelledAndConfirmed() async {
      for options in [LoadOptions(), LoadOptions(timeout: .seconds(30), clock: ManualClock())] {
        let data = AsyncData<[String]>(options: options)
        data.value = ["a"]
        let deaf = ManualServer<Int>(ignoresCancellation: true)
        let change = Waiting { await data.mutate({ $0.append("b") }) { _ = try await deaf.wait() }.short }
        await deaf.arrived(1)
        change.cancel()
        expectEqual(data.value, ["a", "b"])
        deaf.answer(call: 1, with: .success(0))
        await expectEqual(change.end(), "value a b")
        #expect(!data.isStale && !data.hasPendingChanges)
      }
    }

    // MARK: Loads meanwhile

    @Test("3.12 a change confirmed after a load began is applied to its answer again, and the data is invalidated")
    func confirmedDuringLoad() async {
      let (load, answer) = load()
      await answer.arrived(1)
      await data.mutate({ $0.append("b") }) {}
      #expect(!data.hasPendingChanges)
      answer.answer(call: 1, with: .success(["A"]))
      _ = await load.outcome()
      expectEqual(data.value, ["A", "b"])
      #expect(data.snapshot.isInvalidated && data.isStale)
    }

    // MARK: Staleness and notifications

    @Test("2.4 a commit that had begun and fails makes the data stale, unforced, in the same notification")
    func failureInvalidates() async {
      let recorder = DataRecorder(data)
      await data.mutate({ $0.append("b") }) { throw Failure() }
      expectEqual(recorder.received.map(\.forced), [false, false])
      expectEqual(recorder.takeSnapshots(), ["[\"a\", \"b\"] set", "[\"a\"] set invalidated"])
      #expect(data.isStale)
    }
  }
}

extension AsyncOutcome where Success == [String]? {
  fileprivate var short: String {
    switch self {
    case .success(let value): "value \(value.map { $0.joined(separator: " ") } ?? "nothing")"
    case .failure(let error): "failure \(error)"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .notRequested: "not requested"
    }
  }
}
