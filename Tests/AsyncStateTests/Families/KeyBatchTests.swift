// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  @MainActor
  struct KeyBatchTests {
    // MARK: 10.11

    @Test("1.1, 10.11 the operation of a batch runs on the actor of its family")
    func onItsActor() async {
      actor Session {
        private var requested: [[Int]] = []

        func load() async -> String {
          let family = AsyncFamily<Int, Int>(isolation: self, batching: 10) { keys in
            self.preconditionIsolated()
            self.requested.append(keys)
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, 2 * $0) })
          }
          let other = family[2].start()
          await family[1].load()
          _ = await other.outcome()
          return "\(requested) \(family[1].value ?? 0) \(family[2].value ?? 0)"
        }
      }
      #expect(await Session().load() == "[[2, 1]] 2 4")
    }

    @Test(
      "10.11 the keys that are requested in one turn are one request, in this order, and each has its own value"
    )
    func together() async {
      let stage = BatchStage()
      let entries = stage.start([3, 1, 2])
      let call = Waiting { await stage.family[1].load().word }
      await call.begun()
      #expect(await stage.requests() == [[3, 1, 2]])
      stage.answer([3, 1, 2])
      #expect(await call.end() == "value 10")
      await stage.family.settled()
      #expect(entries.map(\.value) == [30, 10, 20])
      entries[0].start()
      #expect(await stage.requests() == [[3, 1, 2], [3]])
      stage.answer([3])
      await stage.family.settled()
    }

    @Test(
      "10.11 what does not fit into a request is another one", arguments: [-1, 0, 1, 3, 4, 5, .max])
    func limit(limit: Int) async {
      let stage = BatchStage(limit)
      stage.start(1...4)
      let expected =
        switch limit {
        case ...1: [[1], [2], [3], [4]]
        case 3: [[1, 2, 3], [4]]
        default: [[1, 2, 3, 4]]
        }
      #expect(await stage.requests() == expected)
      for keys in expected { stage.answer(keys) }
      await stage.family.settled()
    }

    @Test(
      "10.11 ten thousand keys of one turn are as many requests as the limit says",
      arguments: [nil, 2])
    func many(width: Int?) async {
      let gate = width.map { LoadGate(width: $0) }
      var count = 0
      let family = AsyncFamily<Int, Int>(
        options: LoadOptions(gate: gate), keepIdle: .all, batching: 99
      ) { keys in
        count += 1
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) })
      }
      for key in 0..<10_000 { family.prefetch(key) }
      await family.settled()
      #expect(count == 102 && family.entries.allSatisfy { $0.snapshot.value == $0.key })
      #expect(gate.map { $0.roomCount + $0.waitingCount } ?? 0 == 0)
    }

    private actor Home {
      private(set) var keys: [[Int]] = []

      func values() async -> [Int?] {
        let home = self as any Actor
        let family = AsyncFamily<Int, Int>(
          isolation: self, options: LoadOptions(retry: .exponential()), batching: 9
        ) {
          keys in
          let isolation: (any Actor)? = #isolation
          self.keys.append(keys)
          return Dictionary(uniqueKeysWithValues: keys.map { ($0, isolation === home ? $0 : -1) })
        }
        let entries = (1...3).map { family[$0] }
        for entry in entries { entry.start() }
        for entry in entries { await entry.load(when: .stale) }
        return entries.map(\.value)
      }
    }

    @Test("1.1, 10.11 a family of any actor requests its keys there")
    func actors() async {
      let home = Home()
      #expect(await home.values() == [1, 2, 3])
      #expect(await home.keys == [[1, 2, 3]])
    }

    @Test(
      "10.11 a batch waits for what is read of the store; what is found fresh, or cannot be read, is not in it"
    )
    func store() async {
      let stage = BatchStage(role: .truth)
      for key in 1...2 { stage.store?.put(key, for: key, age: .seconds(key == 1 ? 5 : 100)) }
      let reads = Gate<Void>()
      stage.store?.reads = reads
      let entries = stage.hold(1...4)
      for entry in entries { entry.start(when: .stale) }
      await reads.arrived(4)
      for call in [2, 1, 4] { reads.answer(call: call, with: .success(())) }
      #expect(await stage.requests() == [])
      reads.answer(call: 3, with: .failure(Failure()))
      await stage.server.arrived(1)
      #expect(await stage.requests() == [[2, 4]])
      #expect(entries.map(\.value) == [1, 2, nil, nil] && entries[2].error is Failure)
      stage.answer([2, 4])
      await stage.family.settled()
      #expect(entries.map(\.value) == [1, 20, nil, 40] && stage.store?.written.sorted() == [2, 4])
    }

    @Test("10.11 a key that is cancelled while its store is read does not hold up the others")
    func cancelledRead() async {
      let stage = BatchStage(role: .cache)
      let reads = Gate<Void>()
      stage.store?.reads = reads
      let entries = stage.hold(1...2)
      for entry in entries { entry.start(when: .stale) }
      await reads.arrived(2)
      reads.answer(call: 1, with: .success(()))
      #expect(await stage.requests() == [])
      entries[1].cancel()
      #expect(await stage.requests() == [[1]])
      stage.answer([1])
      reads.answer(call: 2, with: .success(()))
      await stage.family.settled()
    }

    @Test(
      "3.5, 10.11 a batch has the highest priority of its keys, also that of a call that joins while it runs"
    )
    func priority() async {
      let begin = Gate<[Int: Int]>()
      var priority: TaskPriority?
      let family = AsyncFamily<Int, Int>(keepIdle: .all, batching: 9) { keys in
        let answer = try await begin.wait(for: keys)
        priority = Task.currentPriority
        return answer
      }
      let prefetch: @MainActor () -> Void = { family.prefetch(1) }
      // Not awaited, which would raise its priority.
      Task.detached(priority: .background) { await prefetch() }
      await begin.arrived(1)
      await Task(priority: .high) { _ = family[1].start() }.value
      begin.answer(call: 1, with: .success([1: 1]))
      await family.settled()
      #expect(priority == .high)
    }

    // MARK: 10.12

    @Test(
      "10.12 a key that the answer lacks has no data, and a key that was not requested is ignored")
    func lacking() async {
      let stage = BatchStage()
      let entries = stage.start([1, 2])
      let other = stage.hold([3])[0]
      stage.server.answer(for: [1, 2], with: .success([2: 20, 3: 30]))
      await stage.family.settled()
      #expect(entries[0].status() == .noData && !entries[0].isStale && entries[1].value == 20)
      #expect(other.value == nil && other.snapshot.isIdle)
    }

    @Test(
      "10.12 a batch that fails is a failure of each key, and a retry of one is a request of that one"
    )
    func failure() async {
      let stage = BatchStage()
      let entries = stage.start([1, 2])
      stage.fail([1, 2])
      await stage.family.settled()
      #expect(entries.allSatisfy { $0.error is Failure })
      entries[1].reload()
      #expect(await stage.requests() == [[1, 2], [2]])
      stage.answer([2])
      await stage.family.settled()
      #expect(entries[0].error is Failure && entries[1].value == 20 && entries[1].error == nil)
    }

    @Test(
      "2.2, 3.3, 9.8 what a batch throws means for each key what it means elsewhere", arguments: 0..<3
    )
    func errors(kind: Int) async {
      let stage = BatchStage(retry: RetryPolicy { _ in .zero })
      let entries = stage.start([1, 2])
      stage.fail([1, 2], with: [NoDataError(), CancellationError(), NoKeyError()][kind])
      await stage.family.settled()
      #expect(await stage.requests() == [[1, 2]])
      for entry in entries {
        #expect(entry.status() == (kind == 0 ? .noData : .idle) && entry.error == nil)
      }
    }

    @Test(
      "10.12 keys that failed together are tried again together, after one pause, with what is requested by then"
    )
    func retries() async {
      let tally = Tally()
      // A jitter that is another one at each call.
      let retry = RetryPolicy { failed in
        tally.note("\(failed.count)")
        return failed.count > 1 ? nil : .seconds(tally.entries.count)
      }
      let gate = LoadGate()
      let stage = BatchStage(retry: retry, gate: gate)
      let entries = stage.start([1, 2, 3])
      stage.fail([1, 2, 3])
      await stage.clock.sleepers(atLeast: 1)
      #expect(
        entries.allSatisfy { $0.isRunning && $0.error == nil && $0.snapshot.activity?.failures == 1 })
      #expect(stage.clock.sleeperCount == 1)
      entries[0].cancel()
      gate.close()
      await stage.clock.advance(by: .seconds(1))
      for await snapshot in entries[2].observed.values where snapshot.isWaiting { break }
      let other = stage.start([4])[0]
      #expect(await stage.requests() == [[1, 2, 3]])
      gate.open()
      #expect(await stage.requests() == [[1, 2, 3], [2, 3, 4]])
      stage.fail([2, 3, 4])
      await stage.clock.sleepers(atLeast: 1)
      // Each key has its own number of failures.
      #expect(tally.entries == ["1", "1", "2"])
      for entry in entries[1...2] { await entry.data.loadEnded() }
      #expect(
        entries[1].error is Failure && entries[2].error is Failure && other.isRunning
          && other.error == nil)
      await stage.clock.advance(by: .seconds(2))
      await stage.server.arrived(3)
      stage.answer([4])
      await stage.family.settled()
      #expect(other.value == 40 && stage.clock.sleeperCount == 0)
    }

    @Test(
      "10.12 a pause ends when none of its keys is wanted any more, and nothing is requested after it"
    )
    func pauseEnds() async {
      let stage = BatchStage(retry: RetryPolicy { _ in .seconds(5) })
      let entries = stage.start([1, 2])
      stage.fail([1, 2])
      await stage.clock.sleepers(atLeast: 1)
      for entry in entries { entry.cancel() }
      await stage.family.settled()
      #expect(stage.clock.sleeperCount == 0)
      await stage.clock.advance(by: .seconds(9))
      #expect(await stage.requests() == [[1, 2]])
    }

    // MARK: 10.13

    @Test("10.13 a key that is cancelled in the turn is not requested, and without keys nothing is")
    func cancelledInTurn() async {
      let stage = BatchStage()
      let entries = stage.start([1, 2, 3])
      entries[1].cancel()
      #expect(await stage.requests() == [[1, 3]])
      stage.answer([1, 3])
      await stage.family.settled()
      for entry in stage.start([1, 2]) { entry.cancel() }
      let call = Waiting { await stage.family[3].load().word }
      await call.begun()
      call.cancel()
      #expect(await call.end() == "cancelled")
      #expect(await stage.requests() == [[1, 3]])
      await stage.family.settled()
    }

    @Test("10.13 a batch continues for the keys that are wanted, and is cancelled with the last one")
    func cancelledWhileRunning() async {
      let stage = BatchStage(ignoresCancellation: true)
      let call = Waiting { await stage.family[1].load().word }
      let entries = stage.hold([1, 2])
      entries[1].start()
      await call.begun()
      #expect(await stage.requests() == [[2, 1]])
      call.cancel()
      #expect(await call.end() == "cancelled")
      #expect(!entries[0].isRunning && entries[1].isRunning)
      stage.answer([2, 1])
      await stage.family.settled()
      #expect(entries[0].value == nil && entries[1].value == 20)

      var wasCancelled: [Bool] = []
      let begin = Gate<Void>(ignoresCancellation: true)
      let family = AsyncFamily<Int, Int>(keepIdle: .all, batching: 9) { _ in
        try await begin.wait()
        wasCancelled.append(Task.isCancelled)
        return [:]
      }
      let others = [family[1], family[2]]
      for round in 1...2 {
        for entry in others { entry.start() }
        await begin.arrived(round)
        for entry in others.prefix(round) { entry.cancel() }
        await afterReleases()
        begin.answer(call: round, with: .success(()))
        await family.settled()
      }
      #expect(wasCancelled == [false, true])
    }

    @Test(
      "10.13 settled() waits for a batch that none of its keys wants any more, as for any operation")
    func settles() async {
      let stage = BatchStage(ignoresCancellation: true)
      let entries = stage.start([1, 2])
      #expect(await stage.requests() == [[1, 2]])
      for entry in entries { entry.cancel() }
      let settling = Waiting { await stage.family.settled() }
      await settling.begun()
      await afterReleases()
      #expect(settling.result == nil)
      stage.answer([1, 2])
      await settling.end()
      #expect(entries.allSatisfy { $0.value == nil && $0.snapshot.isIdle })
    }

    @Test(
      "10.13 a key that is requested again in the turn is there once, and while its batch runs in another one"
    )
    func again() async {
      let stage = BatchStage(ignoresCancellation: true)
      let entries = stage.start([1, 2])
      entries[0].reload()
      entries[0].cancel()
      entries[0].start()
      #expect(await stage.requests().map { $0.sorted() } == [[1, 2]])
      entries[0].reload()
      #expect(await stage.requests().dropFirst() == [[1]])
      stage.answer([1])
      await entries[0].data.loadEnded()
      #expect(entries[0].value == 10)
      stage.server.answer(call: 1, with: .success([1: -1, 2: 2]))
      await stage.family.settled()
      #expect(entries.map(\.value) == [10, 2])
    }

    @Test(
      "3.5, 10.13 keys that are invalidated while their batch runs are requested once more, together")
    func invalidated() async {
      let stage = BatchStage()
      let entries = stage.start(1...3)
      #expect(await stage.requests() == [[1, 2, 3]])
      stage.family.invalidate(where: { $0 != 2 })
      for entry in entries { entry.start() }
      stage.answer([1, 2, 3])
      await stage.server.arrived(2)
      // Each load continues by way of the global pool: in any order.
      let again = await stage.requests()[1]
      #expect(again.sorted() == [1, 3])
      #expect(entries.map(\.isStale) == [true, false, true])
      stage.answer(again)
      await stage.family.settled()
      #expect(entries.allSatisfy { !$0.isStale && !$0.isRunning })
    }

    @Test(
      "10.4, 10.13 a key that is forgotten gets nothing of the batch that runs; the others do",
      arguments: [true, false])
    func forgotten(inTurn: Bool) async throws {
      let stage = BatchStage()
      let entries = stage.start(1...2)
      if !inTurn { #expect(await stage.requests() == [[1, 2]]) }
      try await stage.family.forget(1)
      let keys = inTurn ? [2] : [1, 2]
      #expect(await stage.requests() == [keys])
      stage.answer(keys)
      await stage.family.settled()
      #expect(entries[0].value == nil && entries[0].snapshot.isIdle && entries[1].value == 20)
    }

    @Test(
      "3.2, 10.13 a key that is set by hand keeps that, and one whose data is released ends",
      arguments: [true, false])
    func setOrReleased(isSet: Bool) async {
      let stage = BatchStage()
      let entries = stage.start(1...2)
      #expect(await stage.requests() == [[1, 2]])
      if isSet { entries[0].data.value = 7 } else { stage.release() }
      stage.answer([1, 2])
      await afterReleases()
      for entry in entries { await entry.settled() }
      #expect(entries.map(\.value) == (isSet ? [7, 20] : [nil, nil]))
      #expect(entries.allSatisfy { !$0.isRunning })
    }

    @Test(
      "11.2 a board requests the entries of batches as so many requests at a time, and not as so many keys"
    )
    func board() async {
      let board = AsyncTagBoard()
      let stage = BatchStage(3, board: board)
      let entries = stage.start(1...14)
      for first in stride(from: 1, through: 14, by: 3) {
        stage.answer(Array(first...min(first + 2, 14)))
      }
      await stage.family.settled()
      board.invalidate("all")
      // Four requests of three keys each.
      #expect(await stage.requests().dropFirst(5).map(\.count) == [3, 3, 3, 3])
      #expect(entries.count(where: \.isRunning) == 12)
      for keys in await stage.requests().dropFirst(5) { stage.answer(keys) }
      #expect(await stage.requests().dropFirst(9).map(\.count) == [2])
      for keys in await stage.requests().dropFirst(9) { stage.answer(keys) }
      await board.settled()
      #expect(entries.allSatisfy { !$0.isStale })
    }

    // MARK: Operations that await others

    @Test(
      "9.13, 10.13 a batch that would await one of its own keys, or what awaits one, fails with a cycle"
    )
    func cycles() async {
      @MainActor final class Pair {
        lazy var first: AsyncFamily<Int, Int> = AsyncFamily(keepIdle: .all, batching: 9) {
          [weak self] keys in
          var values: [Int: Int] = [:]
          for key in keys { values[key] = try await self?.second[key].get() }
          return values
        }
        lazy var second: AsyncFamily<Int, Int> = AsyncFamily(keepIdle: .all, batching: 9) {
          [weak self] keys in
          var values: [Int: Int] = [:]
          for key in keys { values[key] = try await key == 1 ? self?.first[key].get() : key }
          return values
        }
      }
      let pair = Pair()
      #expect(await pair.first[2].load().word == "value 2")
      pair.first[1].start()
      pair.first[3].start()
      await pair.first.settled()
      await pair.second.settled()
      #expect(pair.first[1].error is LoadCycleError && pair.first[3].error is LoadCycleError)
      #expect("\(pair.first[1].error ?? Failure())".contains("a batch of"))
      pair.first[3].start()
      await pair.first.settled()
      #expect(pair.first[3].value == 3)
    }

    @Test("9.13, 10.13 a batch may await other keys of its family, which are another batch")
    func otherKeys() async {
      @MainActor final class Tree {
        private(set) var requests: [[Int]] = []
        lazy var family: AsyncFamily<Int, Int> = AsyncFamily(
          options: LoadOptions(gate: LoadGate(width: 1)), keepIdle: .all, batching: 9
        ) { [weak self] keys in
          self?.requests.append(keys)
          var values: [Int: Int] = [:]
          for key in keys { values[key] = try await key > 2 ? self?.family[key / 3].get() : key }
          return values
        }
      }
      let tree = Tree()
      for key in [9, 8, 7] { tree.family.prefetch(key) }
      await tree.family.settled()
      #expect(tree.requests == [[9, 8, 7], [3], [1], [2]])
      #expect([9, 8, 7].map { tree.family[$0].value } == [1, 2, 2])
    }

    @Test("11.2 the batches of two families are two requests")
    func twoFamilies() async {
      let board = AsyncTagBoard(gate: LoadGate(width: 1))
      let server = Gate<[Int: Int]>()
      func make() -> AsyncFamily<Int, Int> {
        AsyncFamily(board: board, tags: { _, _ in ["all"] }, batching: 10) { [server] in try await server.wait(for: $0)
        }
      }
      let (first, second) = (make(), make())
      let entries = [first[1], second[2]]
      for key in [1, 2] { server.answer(for: [key], with: .success([key: key])) }
      for entry in entries { await entry.load() }
      board.invalidate("all")
      for _ in 0..<20 { await afterReleases() }
      #expect(server.callCount == 3)
      for key in [1, 2] { server.answer(for: [key], with: .success([key: key])) }
      await board.settled()
      withExtendedLifetime((first, second, entries)) {}
    }
  }
}
