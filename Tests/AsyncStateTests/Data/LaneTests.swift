// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LaneTests {
    let data = AsyncData<[String]>()
    let gate = Gate<[String]?>()
    let calls = Calls()

    @MainActor final class Calls { var count = 0 }

    init() {
      data.value = ["a"]
    }

    private func append(_ name: String, lane: LoadID? = nil) -> Waiting<String> {
      Waiting { [data, gate, calls] in
        await data.mutate(lane: lane, { $0.append(name) }) {
          calls.count += 1
          _ = try await gate.wait()
        }.short
      }
    }

    private func load() -> (LoadTask<[String]>, Gate<[String]?>) {
      let gate = Gate<[String]?>()
      return (data.start(.refresh) { try await gate.wait() }, gate)
    }

    // MARK: Lanes

    @Test("3.12 commits in one lane run one after another, in order; each change is visible at once")
    func lane() async {
      let changes = [append("b", lane: "x"), append("c", lane: "x"), append("d", lane: "y")]
      await gate.arrived(2)
      for change in changes { await change.begun() }
      #expect(data.value == ["a", "b", "c", "d"])
      #expect(calls.count == 2)
      gate.answer(call: 1, with: .success(nil))
      #expect(await changes[0].end() == "value a b c d")
      await gate.arrived(3)
      #expect(data.hasPendingChanges)
      gate.answer(call: 3, with: .failure(Failure()))
      #expect(await changes[1].end() == "failure failure")
      gate.answer(call: 2, with: .success(nil))
      #expect(await changes[2].end() == "value a b d")
      #expect(!data.hasPendingChanges)
    }

    @Test("3.12 a change cancelled before its commit began is removed at once, and the data is no staler for it")
    func cancelledInLane() async {
      let changes = [append("b", lane: "x"), append("c", lane: "x"), append("d", lane: "x")]
      await gate.arrived(1)
      for change in changes { await change.begun() }
      changes[1].cancel()
      #expect(await changes[1].end() == "cancelled")
      #expect(data.value == ["a", "b", "d"])
      #expect(!data.isStale)
      gate.answer(call: 1, with: .success(nil))
      await gate.arrived(2)
      gate.answer(call: 2, with: .success(nil))
      #expect(await changes[2].end() == "value a b d")
      #expect(calls.count == 2)
    }

    @Test("3.20 what waits in a lane is sent although the value was set; a reset ends it")
    func setWhileLaneRuns() async {
      let changes = [append("b", lane: "x"), append("c", lane: "x")]
      await gate.arrived(1)
      for change in changes { await change.begun() }
      data.value = ["z"]
      #expect(!data.hasPendingChanges)
      let later = append("y", lane: "x")
      await later.begun()
      #expect(data.value == ["z", "y"])
      #expect(calls.count == 1)
      gate.answer(call: 1, with: .failure(Failure()))
      #expect(await changes[0].end().hasPrefix("failure"))
      #expect(data.snapshot.isInvalidated)
      await gate.arrived(2)
      gate.answer(call: 2, with: .success(nil))
      #expect(await changes[1].end() == "value z y")
      await gate.arrived(3)
      data.reset()
      let last = append("w", lane: "x")
      await last.begun()
      data.reset()
      #expect(await last.end() == "superseded")
      gate.answer(call: 3, with: .success(nil))
      #expect(await later.end() == "superseded")
      #expect(calls.count == 3)
    }

    @Test("3.20 after a log-out a commit that is being sent holds up none of the next user's")
    func laneOfTheNextUser() async {
      let former = append("b", lane: "x")
      await gate.arrived(1)
      data.forget()
      data.value = ["A"]
      let changes = [append("B", lane: "x"), append("C", lane: "x")]
      await gate.arrived(2)
      for change in changes { await change.begun() }
      gate.answer(call: 1, with: .success(nil))
      #expect(await former.end() == "superseded")
      #expect(calls.count == 2, "its end lets no other begin")
      gate.answer(call: 2, with: .success(nil))
      await gate.arrived(3)
      gate.answer(call: 3, with: .success(nil))
      for change in changes { _ = await change.end() }
      #expect(data.value == ["A", "B", "C"] && !data.hasPendingChanges)
    }

    @Test("3.12 a commit that returns decides its change, cancelled or not")
    func cancelledAndConfirmed() async {
      let deaf = Gate<Int>(ignoresCancellation: true)
      let change = Waiting { [data] in await data.mutate({ $0.append("b") }) { _ = try await deaf.wait() }.short }
      await deaf.arrived(1)
      change.cancel()
      #expect(data.value == ["a", "b"])
      deaf.answer(call: 1, with: .success(0))
      #expect(await change.end() == "value a b")
      #expect(!data.isStale)
    }

    @Test("3.12 a commit that returns the value of the server, which may be that there is no data")
    func serverNil() async {
      await data.mutate({ $0.append("b") }, replacing: { nil })
      #expect(data.value == nil && data.snapshot.isValueSet)
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
      #expect(data.value == ["A", "b"])
      #expect(data.snapshot.isInvalidated && data.isStale)
    }

    @Test("3.12 a change confirmed by the server's value after a load began: the patch is applied again, not the value")
    func serverValueDuringLoad() async {
      let (load, answer) = load()
      await answer.arrived(1)
      await data.mutate({ $0.append("b") }, replacing: { ["server", "B"] })
      #expect(data.value == ["server", "B"])
      answer.answer(call: 1, with: .success(["A"]))
      _ = await load.outcome()
      #expect(data.value == ["A", "b"])
    }

    @Test("3.12 if the load fails or is cancelled the confirmed change stays", arguments: [true, false])
    func loadFails(failing: Bool) async {
      let (load, answer) = load()
      await answer.arrived(1)
      await data.mutate({ $0.append("b") }) {}
      if failing { answer.answer(call: 1, with: .failure(Failure())) } else { load.cancel() }
      _ = await load.outcome()
      #expect(data.value == ["a", "b"])
      #expect(!data.snapshot.isInvalidated)
      await data.load { ["c"] }
      #expect(data.value == ["c"])
    }

    @Test("3.8, 3.12 \"not modified\" does not apply a confirmed change twice")
    func notModified() async {
      let gate = Gate<Int>()
      let load = data.start(.refresh) { (reporter: LoadReporter<[String]>) in
        _ = try await gate.wait()
        #expect(reporter.current == ["a"])
        return reporter.current
      }
      await gate.arrived(1)
      await data.mutate({ $0.append("b") }) {}
      gate.answer(call: 1, with: .success(0))
      _ = await load.outcome()
      #expect(data.value == ["a", "b"])
    }

    @Test("3.12 a server's value contains what was confirmed before it; all others stay on top, in order")
    func serverValueInBetween() async {
      let gates = (0..<4).map { _ in Gate<[String]?>() }
      let changes = (0..<4).map { number in
        Waiting { [data] in
          let name = ["b", "c", "d", "e"][number]
          if number == 2 {
            return await data.mutate({ $0.append(name) }, replacing: { try await gates[2].wait() }).short
          }
          return await data.mutate({ $0.append(name) }) { _ = try await gates[number].wait() }.short
        }
      }
      for gate in gates { await gate.arrived(1) }
      for number in [1, 3] {
        gates[number].answer(call: 1, with: .success(nil))
        _ = await changes[number].end()
      }
      gates[2].answer(call: 1, with: .success(["A", "c", "D"]))
      #expect(await changes[2].end() == "value A c D b e")
      gates[0].answer(call: 1, with: .failure(Failure()))
      _ = await changes[0].end()
      #expect(data.value == ["A", "c", "D", "e"])
    }

    // MARK: Staleness and notifications

    @Test("2.4 a commit that had begun and fails makes the data stale, unforced, in the same notification")
    func failureInvalidates() async {
      let recorder = DataRecorder(data)
      await data.mutate({ $0.append("b") }) { throw Failure() }
      #expect(recorder.received.map(\.forced) == [false, false])
      #expect(recorder.takeSnapshots() == ["[\"a\", \"b\"] set", "[\"a\"] set invalidated"])
      #expect(data.isStale)
    }

    @Test("2.4 patches and confirmations do not renew the age")
    func age() async {
      let clock = ManualClock()
      let data = AsyncData<[String]>(options: LoadOptions(staleAfter: .seconds(5), clock: clock))
      data.value = ["a"]
      await clock.advance(by: .seconds(4))
      await data.mutate({ $0.append("b") }, replacing: { ["server"] })
      #expect(data.age == .seconds(4))
      await clock.advance(by: .seconds(1))
      #expect(data.isStale)
    }

    @Test("1.9 a patch that reads the data reads what was there before it")
    func patchReads() async {
      var seen: [[String]?] = []
      await data.mutate({ [data] in
        seen.append(data.value)
        $0.append("b")
      }) { [data] in seen.append(data.value) }
      #expect(seen.first == ["a"] && seen.last == ["a", "b"])
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
