// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What takes stack in proportion to its depth, and how deep it may be at least, on the stack of 512 KiB of an actor.
  struct DepthTests {
    private final class Leaf: ChildController {
      private(set) var calls: [String] = []
      func didAppear(animated: Bool) { calls.append("did appear") }
      func didDisappear(animated: Bool) { calls.append("did disappear") }
    }

    @Test("5.18 containers appear and disappear 200 deep")
    func containers() async {
      let calls = await SmallStack().run { actor in
        _ = actor
        let leaf = Leaf()
        var outermost = StateContainer(initialState: 0) { _ in [leaf] }
        for _ in 1..<200 { outermost = StateContainer(initialState: 0) { [outermost] _ in [outermost] } }
        outermost.appear(animated: false)
        outermost.disappear(animated: false)
        return leaf.calls
      }
      expectEqual(calls, ["did appear", "did disappear"])
    }

    @Test("7.5 boxes are released 1,000 deep")
    func boxes() async {
      let released = await SmallStack().run { actor in
        _ = actor
        var released = 0
        var outermost: Box<Farewell>? = Box(Farewell { released += 1 })
        for _ in 1..<1_000 {
          let box = Box(Farewell { released += 1 })
          if let outermost { box.add(outermost) { _, _ in } }
          outermost = box
        }
        outermost = nil
        return released
      }
      expectEqual(released, 1_000)
    }

    @Test("20.1 a chain of 1,000, each of which only the next one holds, is released")
    func madeOfOthers() async {
      let released = await SmallStack().run { actor in
        let count = Released()
        var last: AsyncResource<Int>? = AsyncResource(isolation: actor) { .value { 0 } }
        for _ in 1..<1_000 { last = last.map { Self.made(of: $0, count, on: actor) } }
        _ = await last?.load()
        last = nil
        return count.value
      }
      expectEqual(released, 999)
    }

    @Test("1.4, 3.4 a chain of 1,000 resources that await one another is cancelled with the task of its last caller")
    func awaited() async {
      let gate = ManualServer<Int>()
      let isCancelled = await SmallStack().run { actor in
        var chain = [
          AsyncResource<Int>(isolation: actor) {
            .value {
              _ = actor
              return try await gate.wait()
            }
          }
        ]
        for number in 1..<1_000 { chain.append(Self.waiter(for: chain[number - 1], on: actor)) }
        let call = Task { [last = chain[999]] in
          _ = actor
          return await last.load()
        }
        await gate.arrived(1)
        call.cancel()
        let outcome = await call.value
        // From the end: each is held by the next one.
        while chain.popLast() != nil {}
        guard case .cancelled = outcome else { return false }
        return true
      }
      expect(isCancelled)
    }

    private static func waiter(for former: AsyncResource<Int>, on actor: isolated any Actor) -> AsyncResource<Int> {
      AsyncResource(isolation: actor) {
        .value {
          _ = actor
          return try await former.get()
        }
      }
    }

    private final class Released { var value = 0 }

    private static func made(
      of former: AsyncResource<Int>, _ released: Released, on actor: isolated any Actor
    ) -> AsyncResource<Int> {
      let farewell = Farewell { released.value += 1 }
      return AsyncResource(isolation: actor) {
        .of(former) { value in
          _ = (actor, farewell)
          return value + 1
        }
      }
    }
  }
}
