// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct FollowingChainTests {
    /// What is seen of a chain of resources, the first of which follows a key.
    private struct Seen: Sendable {
      var atLast: [Int?] = []
      var pairs: [String] = []
      var left: [Int] = []
      var running: [Int] = []
    }

    /// Makes resources, each of which follows what `derive` makes of the one before.
    private static func chain(
      _ key: Observed<Int?>, _ count: Int, on actor: isolated any Actor,
      _ derive: (Observed<AsyncSnapshot<Int>>) -> Observed<Int?>
    ) -> [AsyncResource<Int>] {
      var resources = [AsyncResource<Int>(isolation: actor, following: key) { key in .value { key } }]
      for _ in 1..<count {
        let next = derive(resources[resources.count - 1].observed)
        resources.append(AsyncResource<Int>(isolation: actor, following: next) { key in .value { key } })
      }
      return resources
    }

    @Test(
      "1.4, 9.3 a write of the key resets 5,000 of them on a stack of 512 KiB, all before any observer is notified")
    func reset() async {
      let count = 5_000
      let seen = await SmallStack().run { actor in
        var seen = Seen()
        let key = Input<Int?>(1)
        let resources = Self.chain(key, count, on: actor) { $0.map { $0.value } }
        for resource in resources {
          resource.start(isolation: actor)
          resource.data.value = 1
        }
        let last = resources[count - 1].observed.map { $0.value }
        let tokens = [
          last.observe { seen.atLast.append($0) },
          key.zip(last).observe { seen.pairs.append("\($0 ?? 0):\($1 ?? 0)") },
          resources[0].observed.zip(last).observe { seen.pairs.append("\($0.value ?? 0):\($1 ?? 0)") },
        ]
        key.write(2)
        seen.left = resources.indices.filter { resources[$0].value != nil }
        seen.running = resources.indices.filter { resources[$0].isRunning }
        withExtendedLifetime(tokens) {}
        return seen
      }
      expectEqual(seen.atLast, [1, nil])
      expectEqual(Set(seen.pairs), ["1:1", "2:0", "0:0"])
      expectEqual(seen.left, [])
      expectEqual(seen.running, [0])
    }

    @Test("1.4, 9.3 a load that 5,000 of them lead to, each by its start, on a stack of 512 KiB")
    func start() async {
      let count = 5_000
      let running = await SmallStack().run { actor in
        let key = Input<Int?>(nil)
        let resources = Self.chain(key, count, on: actor) { $0.map { $0.isRunning ? 1 : nil } }
        for resource in resources { resource.start(isolation: actor) }
        key.write(1)
        return resources.count { $0.isRunning }
      }
      expectEqual(running, count)
    }

    @Test("9.3 a write by an observer of one in the middle reaches all after it before that write returns")
    @MainActor
    func writeInside() async {
      let key = Input<Int?>(1)
      let first = AsyncResource<Int>(following: key) { $0 }
      let other = Input<Int?>(1)
      let second = AsyncResource<Int>(following: first.observed.map { $0.value }.zip(other).map { $0.0 ?? $0.1 }) { $0 }
      let third = AsyncResource<Int>(following: second.observed.map { $0.value }) { $0 }
      for resource in [first, second, third] {
        resource.start()
        resource.data.value = 1
      }
      var seen: [String] = []
      let token = first.observed.observe { snapshot in
        guard snapshot.isRunning, other.current == 1 else { return }
        second.data.value = 5
        seen.append("\(third.value ?? 0) \(third.isRunning)")
        other.write(2)
        seen.append("\(second.value ?? 0) \(second.isRunning) \(third.value ?? 0)")
      }
      key.write(2)
      expectEqual(seen, ["0 true", "0 true 0"])
      await second.settled()
      expectEqual(second.value, 2)
      token.cancel()
    }

    @Test("1.8, 9.3 one that an observer releases while the others are reset is not requested any more")
    @MainActor
    func released() async {
      let key = Input<Int?>(1)
      var requests: [Int] = []
      let first = AsyncResource<Int>(following: key) { $0 }
      var second: AsyncResource<Int>? = AsyncResource<Int>(following: key) {
        requests.append($0)
        return $0
      }
      first.start()
      second?.start()
      await first.settled()
      await second?.settled()
      let token = first.observed.observe { if $0.isRunning { second = nil } }
      key.write(2)
      await first.settled()
      expectEqual(requests, [1])
      expectNil(second)
      expectEqual(first.value, 2)
      token.cancel()
    }
  }
}
