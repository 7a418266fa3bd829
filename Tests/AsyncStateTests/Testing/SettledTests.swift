import AsyncState
import AsyncStateTesting
import Testing

@Suite("14.2 settled()", .timeLimit(.minutes(1)))
@MainActor
struct SettledTests {
  let data = AsyncData<Int>()
  let gate = Gate<Int>(ignoresCancellation: true)

  /// Waits for `settled()` in a task of its own, and does not return before each of `calls` is answered.
  private func returnsOnly(after calls: ClosedRange<Int>) async {
    var isSettled = false
    let waiting = Waiting { [data] in
      await data.settled()
      isSettled = true
    }
    await waiting.begun()
    for call in calls {
      #expect(!isSettled, "call \(call) is not answered")
      gate.answer(call: call, with: .success(call))
      await gate.ended(call)
    }
    await waiting.end()
    #expect(isSettled)
  }

  @Test("14.2 without a load it returns at once")
  func atOnce() async {
    await data.settled()
    data.value = 1
    await data.settled()
    #expect(data.value == 1)
  }

  @Test("14.2 it returns when the load has ended")
  func load() async {
    data.start { [gate] in try await gate.wait() }
    await gate.arrived(1)
    await returnsOnly(after: 1...1)
    #expect(data.value == 1)
  }

  @Test("14.2 operations of superseded loads have returned, too")
  func superseded() async {
    for call in 1...3 {
      data.start { [gate] in try await gate.wait() }
      await gate.arrived(call)
    }
    await returnsOnly(after: 1...3)
    #expect(data.value == 3)
  }

  @Test("14.2 an operation that ignores its cancellation has returned, too")
  func cancelled() async {
    data.start { [gate] in try await gate.wait() }
    await gate.arrived(1)
    data.cancel()
    #expect(!data.isRunning)
    await returnsOnly(after: 1...1)
    #expect(data.value == nil)
  }

  @Test("14.2 a commit is waited for, too")
  func commit() async {
    data.value = 0
    let mutation = Waiting { [data, gate] in
      _ = await data.mutate({ $0 = 7 }, commit: { _ = try await gate.wait() })
    }
    await gate.arrived(1)
    await returnsOnly(after: 1...1)
    await mutation.end()
    #expect(data.value == 7)
  }

  @Test("14.2 it returns when its task is cancelled")
  func taskIsCancelled() async {
    data.start { [gate] in try await gate.wait() }
    await gate.arrived(1)
    let waiting = Waiting { [data] in await data.settled() }
    await waiting.begun()
    waiting.cancel()
    await waiting.end()
    #expect(data.isRunning)
    gate.answer(call: 1, with: .success(1))
    await data.settled()
  }

  @Test("14.2 loadEnded waits for the current load alone")
  func loadEnded() async {
    data.start { [gate] in try await gate.wait() }
    await gate.arrived(1)
    data.start { [gate] in try await gate.wait() }
    await gate.arrived(2)
    gate.answer(call: 2, with: .success(2))
    await data.loadEnded()
    #expect(data.value == 2)
    await returnsOnly(after: 1...1)
    #expect(data.value == 2)
  }
}
