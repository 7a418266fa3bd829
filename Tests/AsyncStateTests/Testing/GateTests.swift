// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct GateTests {
    let gate = ManualServer<Int>()
    let deaf = ManualServer<Int>(ignoresCancellation: true)

    private func call(_ gate: ManualServer<Int>) -> Waiting<String> {
      Waiting {
        do { return "\(try await gate.wait())" } catch { return "\(type(of: error))" }
      }
    }

    @Test("a call may be answered before it arrives, and keeps its first answer")
    func earlyAndTwice() async {
      gate.answer(call: 1, with: .success(1))
      gate.answer(call: 1, with: .success(2))
      await expectEqual(call(gate).end(), "1")
      gate.answer(call: 1, with: .success(3))
      let second = call(gate)
      await gate.arrived(2)
      gate.answer(call: 2, with: .failure(Failure()))
      await expectEqual(second.end(), "Failure")
    }

    @Test("a call ends when its task is cancelled, or was before; a deaf one does not")
    func cancellation() async {
      let hearing = call(gate)
      await gate.arrived(1)
      hearing.cancel()
      await expectEqual(hearing.end(), "CancellationError")
      gate.answer(call: 1, with: .success(1))
      let late = Waiting { [gate] in
        withUnsafeCurrentTask { $0?.cancel() }
        return (try? await gate.wait()) == nil
      }
      await expectEqual(late.end(), true)

      let deafCall = call(deaf)
      await deaf.arrived(1)
      deafCall.cancel()
      deaf.answer(call: 1, with: .success(1))
      await expectEqual(deafCall.end(), "1")
    }
  }
}

extension AllTests {
  /// Calls that are distinguished by their arguments.
  @MainActor
  struct GateArgumentTests {
    let gate = ManualServer<String>()

    private func call(_ argument: some Equatable & Sendable) -> Waiting<String> {
      Waiting { [gate] in
        do { return try await gate.wait(for: argument) } catch { return "\(type(of: error))" }
      }
    }

    @Test(
      "an argument of another type is another argument; a call that was cancelled leaves its answer to the next one")
    func types() async {
      gate.answer(for: 1, with: .success("Int"))
      gate.answer(for: 1.0, with: .success("Double"))
      gate.answer(for: "1", with: .success("String"))
      await expectEqual(call("1").end(), "String")
      await expectEqual(call(1.0).end(), "Double")
      await expectEqual(call(1).end(), "Int")
      let first = call("a")
      await gate.arrived(4)
      first.cancel()
      await expectEqual(first.end(), "CancellationError")
      gate.answer(for: "a", with: .success("1"))
      await expectEqual(call("a").end(), "1")
    }

    @Test("an argument whose comparison uses the gate is compared outside of its lock")
    func comparisonUsesTheGate() async {
      struct Argument: Equatable, Sendable {
        let gate: ManualServer<String>
        static func == (left: Self, right: Self) -> Bool {
          left.gate.arguments(as: Argument.self).count == 1
        }
      }
      let waiting = call(Argument(gate: gate))
      await gate.arrived(for: Argument(gate: gate))
      gate.answer(for: Argument(gate: gate), with: .success("yes"))
      await expectEqual(waiting.end(), "yes")
    }

    @Test("calls and answers on any thread find each other")
    func anyThread() async {
      let gate = ManualServer<Int>()
      let sum = await withTaskGroup(of: Int.self) { group in
        for number in 0..<300 {
          group.addTask { @concurrent in (try? await gate.wait(for: number)) ?? 0 }
          group.addTask { @concurrent in
            if number.isMultiple(of: 3) { await gate.arrived(for: number) }
            gate.answer(for: number, with: .success(number))
            return 0
          }
        }
        var sum = 0
        for await number in group { sum += number }
        return sum
      }
      expectEqual(sum, (0..<300).reduce(0, +))
      expectEqual(gate.arguments(as: Int.self).sorted(), Array(0..<300))
    }
  }
}

extension AllTests {
  struct CallNumberTests {
    #if os(macOS) || os(Linux) || os(Windows)
      @Test("answering it, or waiting for its end, stops the process with a message")
      func stops() async throws {
        for (call, isAnswered) in [(0, true), (-1, true), (0, false)] {
          let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [call = call as Int, isAnswered = isAnswered as Bool] in
            let server = ManualServer<Int>()
            if isAnswered { server.answer(call: call, with: .success(1)) } else { await server.ended(call) }
          }
          for part in [
            "AsyncStateTesting: there is no call \(call) at a ManualServer", "wait for ever", "numbered from 1",
          ] {
            expectEqual(result.errorText.contains(part), true, "\(call) \(isAnswered): \(part)")
          }
        }
      }
    #endif

    @Test("none have always arrived, and none always sleep", arguments: [0, -1])
    func none(count: Int) async {
      await ManualServer<Int>().arrived(count)
      await ManualClock().sleepers(atLeast: count)
    }
  }
}
