// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct KeyBatcherTests {
    typealias Answer = [Int: Result<Int, any Error>]
    private let server = ManualServer<Answer>()

    /// A batcher whose requests wait for the test, which sees their keys.
    private func batcher(limit: Int = .max, _ log: Log = Log()) -> KeyBatcher<Int, Int> {
      KeyBatcher(limit: limit) { [server] keys in
        log("\(keys)")
        return try await server.wait()
      }
    }

    private func values(of keys: Int...) -> Answer {
      Dictionary(uniqueKeysWithValues: keys.map { ($0, .success($0 * 10)) })
    }

    private func call(_ batcher: KeyBatcher<Int, Int>, _ key: Int) -> Waiting<String> {
      Waiting {
        do {
          return "\(try await batcher.value(for: key).map(String.init) ?? "none")"
        } catch {
          return "\(error)"
        }
      }
    }

    @Test(
      "10.11 the keys of one turn are one request, in their order, each once, or as many as the limit requires; what the answer lacks has no value",
      arguments: [
        (Int.max, [3, 1, 3, 2], ["[3, 1, 2]"]), (2, [1, 2, 3, 4], ["[1, 2]", "[3, 4]"]),
        (2, [3, 1, 3, 2, 1, 4], ["[3, 1]", "[2, 4]"]),
        (1, [3, 1, 2], ["[3]", "[1]", "[2]"]), (-1, [3, 1, 2], ["[3]", "[1]", "[2]"]),
      ])
    func oneTurn(limit: Int, keys: [Int], requests: [String]) async {
      let log = Log()
      let batcher = batcher(limit: limit, log)
      let calls = keys.map { call(batcher, $0) }
      await server.arrived(requests.count)
      for number in 1...requests.count { server.answer(call: number, with: .success(values(of: 1, 3, 9))) }
      for (call, key) in zip(calls, keys) {
        await expectEqual(call.end(), [1, 3].contains(key) ? "\(key * 10)" : "none")
      }
      expectEqual(log.take(), requests)
    }

    @Test("10.11 a refused key is an error of that key alone, and what the operation throws is one of all")
    func errors() async {
      let batcher = batcher()
      var calls = (1...2).map { call(batcher, $0) }
      await server.answer(arriving: 1, with: .success([1: .success(10), 2: .failure(Failure(name: "refused"))]))
      await expectEqual(calls[0].end(), "10")
      expect(await calls[1].end().contains("refused"))
      calls = (1...2).map { call(batcher, $0) }
      await server.answer(arriving: 2, with: .failure(Failure(name: "down")))
      for call in calls { expect(await call.end().contains("down")) }
    }

    @Test(
      "10.11 who leaves in the turn takes the key out, unless another caller wants it; without keys nothing is sent")
    func leavesBefore() async {
      let log = Log()
      let batcher = batcher(log)
      let calls = [1, 2, 2, 3].map { call(batcher, $0) }
      // After the calls have begun, and before the request.
      let leaving = Waiting { for number in [0, 1] { calls[number].cancel() } }
      await server.answer(arriving: 1, with: .success(values(of: 2, 3)))
      for (call, result) in zip(calls, ["CancellationError()", "CancellationError()", "20", "30"]) {
        await expectEqual(call.end(), result)
      }
      expectEqual(log.take(), ["[2, 3]"])
      let alone = call(batcher, 4)
      let end = Waiting { alone.cancel() }
      await expectEqual(alone.end(), "CancellationError()")
      let next = call(batcher, 5)
      await server.answer(arriving: 2, with: .success(values(of: 5)))
      expectEqual(await next.end(), "50")
      expectEqual(log.take(), ["[5]"])
      withExtendedLifetime((leaving, end)) {}
    }

    @Test("10.11 a request continues while one of its keys is wanted, and is cancelled with the last one")
    func leavesDuring() async {
      let batcher = batcher()
      let calls = (1...2).map { call(batcher, $0) }
      await server.arrived(1)
      calls[0].cancel()
      await expectEqual(calls[0].end(), "CancellationError()")
      // A call for its key is another request.
      let again = call(batcher, 1)
      await server.arrived(2)
      server.answer(call: 1, with: .success(values(of: 1, 2)))
      await expectEqual(calls[1].end(), "20")
      again.cancel()
      await expectEqual(again.end(), "CancellationError()")
      // It was not answered.
      await server.ended(2)
    }

    @Test(
      "10.11 a request that its only caller has left before it began is cancelled alone: the next call has another one")
    func leftBeforeItBegan() async throws {
      actor Home {
        private let executor: HeldExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private lazy var batcher = KeyBatcher<Int, Bool>(isolation: self) { [$0[0]: .success(Task.isCancelled)] }

        init(_ executor: HeldExecutor) { self.executor = executor }

        func isCancelled(_ key: Int) async throws -> Bool? { try await batcher.value(for: key) }
      }
      let executor = HeldExecutor()
      let home = Home(executor)
      let first = Task { try await home.isCancelled(1) }
      await executor.queued(1)
      executor.runLast()
      first.cancel()
      // The request and the cancel. The latter is carried out first, and lets the call return.
      await executor.queued(2)
      executor.runLast()
      await executor.queued(2)
      let second = Task { try await home.isCancelled(2) }
      await executor.queued(3)
      executor.runLast()
      executor.open()
      try await expectEqual(second.value, false)
      await #expect(throws: CancellationError.self) { try await first.value }
    }

    @Test("10.11 a request that has ended, or failed, keeps neither its answers nor its keys")
    func released() async throws {
      final class Reference: Hashable, Sendable {
        static func == (left: Reference, right: Reference) -> Bool { left === right }
        func hash(into hasher: inout Hasher) {}
      }
      let batcher = KeyBatcher<Int, Reference> { keys in [keys[0]: .success(Reference())] }
      weak let answer = try await batcher.value(for: 1)
      expectNil(answer)
      let failing = KeyBatcher<Reference, Int> { _ in throw Failure() }
      var key: Reference? = Reference()
      weak let released = key
      if let key { _ = try? await failing.value(for: key) }
      key = nil
      expectNil(released)
    }

    @Test("1.1, 10.11 the entries of a family are requested together, on the actor of the batcher")
    func actor() async {
      actor Home {
        private var keys: [[Int]] = []

        func run() async -> [[Int]] {
          let batcher = KeyBatcher<Int, Int>(isolation: self) { keys in
            self.assertIsolated()
            self.keys.append(keys)
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, .success($0)) })
          }
          let family = AsyncFamily<Int, Int>(isolation: self) { key in
            .value { try await batcher.value(for: key, isolation: self) }
          }
          let entries = (1...3).map { family[$0] }
          for entry in entries { entry.start() }
          for entry in entries { await entry.load(when: .stale) }
          return keys
        }
      }
      await expectEqual(Home().run(), [[1, 2, 3]])
    }
  }
}
