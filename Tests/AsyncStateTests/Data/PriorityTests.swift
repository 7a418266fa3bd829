// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// A screen that needs what something in the background has begun to request.
  @MainActor
  struct PriorityTests {
    private let gate = ManualServer<Int>()

    /// The priority at the end of an operation that was called in the background, and is joined by a user.
    private func priority(
      _ make: (_ operation: @escaping @MainActor () async throws -> Int) -> @MainActor () -> Void
    ) async -> TaskPriority? {
      var priority: TaskPriority?
      let call = make { [gate] in
        let answer = try await gate.wait()
        priority = Task.currentPriority
        return answer
      }
      // Not awaited, which would raise its priority.
      Task.detached(priority: .background) { await call() }
      await gate.arrived(1)
      await Task(priority: .high) { call() }.value
      gate.answer(call: 1, with: .success(1))
      await gate.ended(1)
      return priority
    }

    @Test("3.5 a resource that a prefetch has begun to load gets the priority of the screen that joins")
    func resource() async {
      var resource: AsyncResource<Int>?
      let priority = await priority { operation in
        resource = AsyncResource { try await operation() }
        return { resource?.start() }
      }
      await resource?.settled()
      expectEqual(priority, .high)
    }

    @Test("16.2 a command that is joined gets the priority of the second tap")
    func mutation() async {
      var send: AsyncMutation<Int, Int>?
      let priority = await priority { operation in
        send = AsyncMutation { _ in try await operation() }
        return { send?.perform(1) }
      }
      await send?.settled()
      expectEqual(priority, .high)
    }
  }
}
