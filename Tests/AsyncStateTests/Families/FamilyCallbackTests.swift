// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// What the user's code may do while a family calls it.
  @MainActor
  struct FamilyCallbackTests {
    @Test("1.4 what changes its value while tags are computed runs in constant stack")
    func tagsWrite() {
      var rest = 0
      var family: AsyncFamily<Int, Int>!
      let board = AsyncTagBoard()
      family = AsyncFamily(
        keepUnused: 1, board: board,
        tags: { key, value in
          if rest > 0 {
            rest -= 1
            family[key].data.value = rest
          }
          return [AsyncTag("value", value ?? -1)]
        }
      ) { key in key }
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
      var family: AsyncFamily<Int, Int>!
      family = AsyncFamily(
        board: AsyncTagBoard(),
        tags: { key, value in
          if value != nil, rest > 0 {
            rest -= 1
            family[key].data.begin().succeed(with: rest)
          }
          return ["all"]
        }
      ) { key in key }
      let resource = family[1]
      resource.data.begin().succeed(with: -1)
      expectEqual(resource.value, 0)
      expect(resource.snapshot.isInvalidated)
      resource.data.begin().succeed(with: 7)
      expectEqual(resource.value, 7)
      expect(!resource.snapshot.isInvalidated)
      var isFirst = true
      family = AsyncFamily(
        board: AsyncTagBoard(),
        tags: { key, _ in
          if isFirst {
            isFirst = false
            family.restore(StoredValue(7, age: .zero), for: key)
          }
          return ["all"]
        }
      ) { key in key }
      let restored = family[1]
      expectEqual(restored.value, 7)
      expect(restored.snapshot.isInvalidated)
    }

    @Test("12.1 what is restored is displayed, though its tags evict what is not held")
    func restoreEvicts() {
      var family: AsyncFamily<Int, Int>!
      family = AsyncFamily(
        keepUnused: 1, board: AsyncTagBoard(),
        tags: { _, _ in
          family.trim(toIdle: 0)
          return []
        }
      ) { key in key }
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
