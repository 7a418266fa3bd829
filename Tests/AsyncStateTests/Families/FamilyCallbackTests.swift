// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// What the user's code may do while a family calls it.
  @MainActor
  struct FamilyCallbackTests {
    /// A family whose tags may use it, each value of which is its key.
    private func family(
      keepUnused: Int = 50, board: AsyncTagBoard = AsyncTagBoard(),
      tags: @escaping (AsyncFamily<Int, Int>, Int, Int?) -> Set<AsyncTag>
    ) -> AsyncFamily<Int, Int> {
      var family: AsyncFamily<Int, Int>!
      family = AsyncFamily(keepUnused: keepUnused, board: board, tags: { tags(family, $0, $1) }) { $0 }
      return family
    }

    @Test("1.4 what changes its value while tags are computed runs in constant stack")
    func tagsWrite() {
      var rest = 0
      let board = AsyncTagBoard()
      let family = family(keepUnused: 1, board: board) { family, key, value in
        if rest > 0 {
          rest -= 1
          family[key].data.value = rest
        }
        return [AsyncTag("value", value ?? -1)]
      }
      let resource = family[1]
      rest = 20_000
      resource.data.value = -5
      expectEqual(resource.value, 0)
      expectEqual(family.entries.map(\.tags), [[AsyncTag("value", 0)]])
      rest = 20_000
      resource.data.begin().succeed(with: 7)
      expectEqual(resource.value, 0)
      board.invalidate(AsyncTag("value", 7))
      expect(!resource.snapshot.isInvalidated)
      board.invalidate(AsyncTag("value", 0))
      expect(resource.snapshot.isInvalidated)
    }

    @Test(
      "11.3 an answer, or a stored value, that arrives while tags are computed is stale rather than fresh wrongly")
    func tagsAnswer() {
      var rest = 10_000
      let answering = family { family, key, value in
        if value != nil, rest > 0 {
          rest -= 1
          family[key].data.begin().succeed(with: rest)
        }
        return ["all"]
      }
      let resource = answering[1]
      resource.data.begin().succeed(with: -1)
      expectEqual(resource.value, 0)
      expect(resource.snapshot.isInvalidated)
      resource.data.begin().succeed(with: 7)
      expectEqual(resource.value, 7)
      expect(!resource.snapshot.isInvalidated)
      var isFirst = true
      let restoring = family { family, key, _ in
        if isFirst {
          isFirst = false
          family.restore(StoredValue(7, age: .zero), for: key)
        }
        return ["all"]
      }
      let restored = restoring[1]
      expectEqual(restored.value, 7)
      expect(restored.snapshot.isInvalidated)
    }

    @Test("12.1 what is restored is displayed, though its tags evict what is not held")
    func restoreEvicts() {
      let family = family(keepUnused: 1) { family, _, _ in
        family.trim(toIdle: 0)
        return []
      }
      family.restore(StoredValue(5, age: .zero), for: 1)
      expectEqual(family.existing(1)?.value, 5)
    }

    /// A clock that can be set.
    private final class SetClock: Clock, @unchecked Sendable {
      // Justified: used on the main actor only.
      var time: Duration = .zero

      struct Instant: InstantProtocol {
        var time: Duration
        func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        func duration(to other: Instant) -> Duration { other.time - time }
        static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
      }

      var now: Instant { Instant(time: time) }
      var minimumResolution: Duration { .zero }
      func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
    }

    @Test("12.1 a stored value is not fresh wrongly, though a clock was set back between invalidations")
    func clockSetBack() {
      let clock = SetClock()
      let board = AsyncTagBoard()
      let family = AsyncFamily<Int, Int>(
        options: LoadOptions(clock: clock), board: board, tags: { key, _ in [AsyncTag("key", key)] }
      ) { key in key }
      clock.time = .seconds(100)
      board.invalidate(AsyncTag("key", 1))
      clock.time = .seconds(50)
      board.invalidate(AsyncTag("key", 2))
      clock.time = .seconds(110)
      let resource = family[1]
      family.restore(StoredValue(1, age: .seconds(40)), for: 1)
      expect(resource.snapshot.isInvalidated)
      expect(resource.isStale)
    }
  }
}
