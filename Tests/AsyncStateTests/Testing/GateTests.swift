import AsyncStateTesting
import Testing

@Suite("Gate", .timeLimit(.minutes(1)))
@MainActor
struct GateTests {
  let gate = Gate<Int>()
  let deaf = Gate<Int>(ignoresCancellation: true)

  private func call(_ gate: Gate<Int>) -> Waiting<String> {
    Waiting {
      do { return "\(try await gate.wait())" } catch { return "\(type(of: error))" }
    }
  }

  @Test("a call waits for its own answer, whichever comes first")
  func answers() async {
    let first = call(gate)
    await gate.arrived(1)
    let second = call(gate)
    await gate.arrived(2)
    gate.answer(call: 2, with: .success(2))
    #expect(await second.end() == "2")
    gate.answer(call: 1, with: .failure(Failure()))
    #expect(await first.end() == "Failure")
  }

  @Test("a call may be answered before it arrives, and keeps its first answer")
  func earlyAndTwice() async {
    gate.answer(call: 1, with: .success(1))
    gate.answer(call: 1, with: .success(2))
    #expect(await call(gate).end() == "1")
    gate.answer(call: 1, with: .success(3))
    #expect(await call(gate).begunAndAnswered(gate, 2) == "4")
  }

  @Test("a call ends when its task is cancelled; a deaf one does not")
  func cancellation() async {
    let hearing = call(gate)
    await gate.arrived(1)
    hearing.cancel()
    #expect(await hearing.end() == "CancellationError")
    gate.answer(call: 1, with: .success(1))

    let deafCall = call(deaf)
    await deaf.arrived(1)
    deafCall.cancel()
    deaf.answer(call: 1, with: .success(1))
    #expect(await deafCall.end() == "1")
  }

  @Test("a call in a task that is cancelled already ends at once")
  func cancelledBefore() async {
    let task = Waiting { [gate] in
      withUnsafeCurrentTask { $0?.cancel() }
      return (try? await gate.wait()) == nil
    }
    #expect(await task.end())
  }

  @Test("the end of a call can be waited for, before and after")
  func ended() async {
    let first = call(gate)
    await gate.arrived(1)
    let waiting = Waiting { [gate] in await gate.ended(1) }
    await waiting.begun()
    gate.answer(call: 1, with: .success(1))
    await waiting.end()
    await gate.ended(1)
    #expect(await first.end() == "1")
  }

  @Test("waiting ends when the task is cancelled")
  func waitingIsCancelled() async {
    let arrival = Waiting { [gate] in await gate.arrived(1) }
    let end = Waiting { [gate] in await gate.ended(1) }
    await arrival.begun()
    await end.begun()
    arrival.cancel()
    end.cancel()
    await arrival.end()
    await end.end()
  }
}

extension Waiting where Result == String {
  /// Answers a call once it is inside.
  fileprivate func begunAndAnswered(_ gate: Gate<Int>, _ call: Int) async -> String {
    await gate.arrived(call)
    gate.answer(call: call, with: .success(call * 2))
    return await end()
  }
}
