// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// How often patches run: what a change costs, without a clock.
  @MainActor
  struct PatchCostTests {
    static let count = 100
    let room = LoadGate()
    let data: AsyncData<[Int]>
    let tally = Tally()
    let gates = (0..<count).map { _ in ManualServer<Void>() }

    @MainActor final class Tally { var runs = 0 }

    init() {
      data = AsyncData(options: LoadOptions(gate: room))
      data.value = []
    }

    /// Makes all changes; their commits wait.
    private func make(sends: Bool = true) async -> [Waiting<Void>] {
      if !sends { room.close() }
      let changes = gates.indices.map { number in
        Waiting { [data, tally, gates] in
          _ = await data.mutate {
            tally.runs += 1
            $0.append(number)
          } commit: {
            try await gates[number].wait()
          }
        }
      }
      for change in changes { await change.begun() }
      return changes
    }

    private func decide(_ number: Int, _ result: Result<Void, any Error>) async {
      await gates[number].arrived(1)
      gates[number].answer(call: 1, with: result)
      await gates[number].ended(1)
    }

    @Test(
      "3.12 changes run their patches when the value is read, each once, and to confirm them each at most once more",
      arguments: [true, false])
    func confirmed(isLastFirst: Bool) async {
      let changes = await make()
      expectEqual(tally.runs, 0)
      expectEqual(data.value, Array(0..<Self.count))
      expectEqual(tally.runs, Self.count)
      tally.runs = 0
      let numbers = Array(gates.indices)
      for number in isLastFirst ? numbers.reversed() : numbers {
        await decide(number, .success(()))
        await changes[number].end()
      }
      expectEqual(data.value, numbers)
      expect(tally.runs <= Self.count)
      expect(!data.hasPendingChanges)
    }

    @Test(
      "3.12 changes that are cancelled before they are sent leave no doubt, and run no patch until the value is read, then each once"
    )
    func cancelled() async {
      let changes = await make(sends: false)
      expectEqual(data.value?.count, Self.count)
      tally.runs = 0
      for change in changes[1..<50] { change.cancel() }
      for change in changes[1..<50] { await change.end() }
      expectEqual(tally.runs, 0)
      expectEqual(data.value, [0] + Array(50..<Self.count))
      expectEqual(tally.runs, 51)
      expect(!data.isStale)
      room.open()
      for number in [0] + Array(50..<Self.count) {
        await decide(number, .success(()))
        await changes[number].end()
      }
      expectEqual(data.value, [0] + Array(50..<Self.count))
      expectEqual(gates[1..<50].map(\.callCount).max(), 0, "they are never sent")
      expect(!data.isStale)
      expect(!data.hasPendingChanges)
    }

    @Test("1.3, 3.12 every reader has the value without a removed change at once, whichever way it is read")
    func readers() async {
      let changes = await make(sends: false)
      var observed: [Int] = []
      let token = data.observed.observe { observed.append($0.value?.count ?? 0) }
      let reads: [() -> Int?] = [{ observed.last }, { data.snapshot.value?.count }, { data.status.value?.count }]
      for (number, read) in zip(3..., reads) {
        changes[number].cancel()
        await changes[number].end()
        expectEqual(read(), Self.count + 2 - number)
        // It reads each value, too.
        token.cancel()
      }
      changes[6].cancel()
      await changes[6].end()
      data.value = [0, 1, 2] + Array(7..<Self.count)
      expectEqual(data.value?.count, 96)
      room.open()
      // What was done is sent all the same.
      for (number, gate) in gates.enumerated() where !(3...6).contains(number) {
        await gate.arrived(1)
        gate.answer(call: 1, with: .success(()))
      }
      for change in changes { await change.end() }
      expectEqual(data.value?.count, 96)
      expect(data.isStale)
    }

    @Test("1.9, 3.12 a patch that is applied again after a removal, and reads its data, reads what was there before")
    func nosy() async {
      let log = Tally()
      let data = AsyncData<Int>()
      data.value = 1
      let gate = ManualServer<Void>()
      let first = Waiting { _ = await data.mutate({ $0 += 10 }, commit: { try await gate.wait() }) }
      await first.begun()
      let second = Waiting {
        _ = await data.mutate {
          log.runs += data.value ?? 0
          $0 += 100
        } commit: {
          try await gate.wait()
        }
      }
      await second.begun()
      await gate.arrived(2)
      expectEqual(data.value, 111)
      let former = log.runs
      gate.answer(call: 1, with: .failure(Failure()))
      await first.end()
      expectEqual(data.value, 101)
      expectEqual(log.runs, former + 111)
      gate.answer(call: 2, with: .success(()))
      await second.end()
      expectEqual(data.value, 101)
    }

    @Test("3.12 a change beside removed ones and a load, none of which was read")
    func unread() async {
      let changes = await make()
      await decide(0, .failure(Failure()))
      await decide(2, .failure(Failure()))
      for number in [0, 2] { await changes[number].end() }
      await data.load(.refresh) { [1_000] }
      await decide(1, .failure(Failure()))
      await changes[1].end()
      await data.mutate({ $0.append(2_000) }, commit: {})
      await decide(4, .success(()))
      await changes[4].end()
      expectEqual(data.value, [1_000, 3] + Array(4..<Self.count) + [2_000])
      for number in [3] + Array(5..<Self.count) {
        await decide(number, .failure(Failure()))
        await changes[number].end()
      }
      expectEqual(data.value, [1_000, 4, 2_000])
      expect(!data.hasPendingChanges)
    }
  }
}
