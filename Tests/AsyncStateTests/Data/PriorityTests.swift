// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// A screen that needs what something in the background has begun to request.
  @MainActor
  struct PriorityTests {
    private let gate = ManualServer<Int>()

    @Test(
      "3.5, 16.2 what a prefetch, or a first tap, has begun gets the priority of the screen, or the second tap, that joins it",
      arguments: [false, true])
    func joined(isCommand: Bool) async {
      var priority: TaskPriority?
      let operation: @MainActor () async throws -> Int = { [gate] in
        let answer = try await gate.wait()
        priority = Task.currentPriority
        return answer
      }
      let resource = AsyncResource { try await operation() }
      let send = AsyncMutation<Int, Int> { _ in try await operation() }
      let call: @MainActor () -> Void = { if isCommand { send.perform(1) } else { resource.start() } }
      // Not awaited, which would raise its priority.
      Task.detached(priority: .background) { await call() }
      await gate.arrived(1)
      await Task(priority: .high) { call() }.value
      gate.answer(call: 1, with: .success(1))
      await gate.ended(1)
      await resource.settled()
      await send.settled()
      expectEqual(priority, .high)
    }
  }
}
