// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct LostInterestTests {
    private struct Interrupted: Error {}

    /// Whether the task was cancelled when the server had answered, as an operation sees it that is just elsewhere.
    private struct Step: Sendable {
      let server = ManualServer<Int>(ignoresCancellation: true)
      private let seen: AsyncStream<Bool>
      private let see: AsyncStream<Bool>.Continuation

      init() { (seen, see) = AsyncStream.makeStream() }

      @concurrent func take() async throws -> Int {
        let answer = try await server.wait()
        see.yield(Task.isCancelled)
        return answer
      }

      /// Answers a call; nothing runs on the actor meanwhile.
      func wasCancelled(answering call: Int) async -> Bool? {
        server.answer(call: call, with: .success(call))
        return await seen.first { _ in true }
      }
    }

    private actor Session {
      let executor = HeldExecutor()
      nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
      private let data = AsyncData<Int>()
      private var resource: AsyncResource<Int>?

      func load(_ id: String? = nil, _ step: Step) async -> String {
        guard let id else { return await data.load { try await step.take() }.word }
        return await data.load(id: id) { try await step.take() }.word
      }

      func load(_ id: String, from server: ManualServer<Int>) async -> String {
        await data.load(id: id) {
          do {
            return try await server.wait()
          } catch {
            throw Interrupted()
          }
        }.word
      }

      func loadPage(_ step: Step) async -> String {
        let list = AsyncData<Paged<Int, Int>>()
        list.value = Paged(first: .init(items: [0], next: 1))
        let outcome = await list.loadNext { cursor in .init(items: [try await step.take()], next: nil) }
        if case .cancelled = outcome { return "cancelled" } else { return "\(outcome)" }
      }

      func get(_ step: Step) async -> String {
        let resource = AsyncResource(isolation: self) { .value { try await step.take() } }
        self.resource = resource
        return await resource.load().word
      }

      /// Takes the place of what runs.
      func replace(_ step: Step) async -> String {
        await resource?.data.load { try await step.take() }.word ?? "none"
      }

      var error: (any Error)? { data.error }

      nonisolated func begin<Answer>(
        _ call: @escaping @Sendable (Session) async -> Answer
      ) async -> Task<Answer, Never> where Answer: Sendable {
        let task = Task { await call(self) }
        await executor.queued(1)
        return task
      }

      /// Begins a call, and waits for its operation.
      nonisolated func begin<Answer: Sendable>(
        _ number: Int, at server: ManualServer<Int>, _ call: @escaping @Sendable (Session) async -> Answer
      ) async -> Task<Answer, Never> {
        let task = await begin(call)
        executor.runAll()
        await server.arrived(number)
        return task
      }

      /// The actor is free from now on.
      nonisolated func end<Answer: Sendable>(_ task: Task<Answer, Never>) async -> Answer {
        let turns = Task {
          while !Task.isCancelled {
            executor.runAll()
            await executor.queued(1)
          }
        }
        defer { turns.cancel() }
        return await task.value
      }
    }

    private let session = Session()
    private let step = Step()

    @Test("3.4, 3.13 its cancel cancels the operation at once, that of a page, too, on whichever thread")
    func atOnce() async {
      let calls: [@Sendable (Session, Step) async -> String] = [
        { await $0.load(nil, $1) }, { await $0.load("a", $1) }, { await $0.loadPage($1) },
      ]
      for load in calls {
        let (session, step) = (Session(), Step())
        let call = await session.begin(1, at: step.server) { await load($0, step) }
        call.cancel()
        await expectEqual(step.wasCancelled(answering: 1), true)
        await expectEqual(session.end(call), "cancelled")
      }
    }

    @Test("3.4 one of two calls that leaves cancels nothing")
    func others() async {
      let first = await session.begin(1, at: step.server) { [step] in await $0.load("a", step) }
      let second = await session.begin { [step] in await $0.load("a", step) }
      session.executor.runAll()
      first.cancel()
      await expectEqual(step.wasCancelled(answering: 1), false)
      await expectEqual(session.end(second), "value 1")
      _ = await first.value
    }

    @Test("3.4, 3.5 a call that is made when the last one has left begins a request of its own")
    func joining() async {
      let server = ManualServer<Int>()
      let first = await session.begin(1, at: server) { await $0.load("a", from: server) }
      let second = await session.begin { await $0.load("a", from: server) }
      first.cancel()
      session.executor.runAll()
      await server.arrived(2)
      server.answer(call: 2, with: .success(2))
      await expectEqual(session.end(second), "value 2")
      await expectEqual(first.value, "cancelled")
    }

    @Test("3.3, 3.4 what the operation makes of the cancel is no error, though it is there first")
    func error() async {
      let server = ManualServer<Int>()
      let call = await session.begin(1, at: server) { await $0.load("a", from: server) }
      call.cancel()
      let check = Task { [session] in await session.error == nil }
      await expectEqual(session.end(call), "cancelled")
      expect(await session.end(check))
    }

    @Test("3.2, 3.4 a call that waits for the next load leaves that one")
    func moved() async {
      let first = await session.begin(1, at: step.server) { [step] in await $0.get(step) }
      let second = await session.begin(2, at: step.server) { [step] in await $0.replace(step) }
      second.cancel()
      // The operation of the first load continues for no one.
      await expectEqual(step.wasCancelled(answering: 1), true)
      first.cancel()
      await expectEqual(step.wasCancelled(answering: 2), true)
      await expectEqual(session.end(second), "cancelled")
      await expectEqual(first.value, "cancelled")
    }
  }
}
