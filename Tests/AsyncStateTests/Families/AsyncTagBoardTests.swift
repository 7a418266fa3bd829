// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  @MainActor
  struct AsyncTagBoardTests: TagBoardSuite {
    @Test(
      "10.4, 11.1 all entries, of all families or of one, are marked before the first is notified, and each is once",
      arguments: [false, true])
    func marksFirst(isByTag: Bool) async {
      let board = AsyncTagBoard()
      let families = (0..<2).map { _ in
        AsyncFamily<Int, Int>(keepUnused: .max, board: board, tags: Self.tags) { key in key }
      }
      let resources = [families[0][1], families[0][2], families[0][4], families[1][2]]
      for resource in resources { await resource.load() }
      board.gate.close()
      let counts = resources.map { NotificationCount($0) }
      var marked: [Int] = []
      for count in counts { count.inside = { marked.append(resources.count { $0.snapshot.isInvalidated }) } }
      if isByTag {
        board.invalidate("even", AsyncTag("key", 2), "unknown")
      } else {
        families[0].invalidate(where: { $0 != 1 })
      }
      expectEqual(counts.map(\.count), [0, 1, 1, isByTag ? 1 : 0])
      expectEqual(marked, isByTag ? [3, 3, 3] : [2, 2])
      // An entry that is held alone is of no family: the board does not reach it.
      withExtendedLifetime(families) {}
    }

    @Test("11.1 tags are equal when what they are made of is, and are computed from the value of each answer, too")
    func tagsOfValues() async {
      expectEqual(AsyncTag("article", 5), AsyncTag("article", 5))
      expect(AsyncTag("article", 5) != AsyncTag("author", 5))
      expect(AsyncTag("article", 5) != "article")
      let stage = stage { _, value in value.map { [AsyncTag("value", $0)] } ?? ["none"] }
      stage.hold(1)
      expectEqual(stage.entry(1)?.tags, ["none"])
      await stage.load(1, 7)
      expectEqual(stage.entry(1)?.tags, [AsyncTag("value", 7)])
      stage.family[1].data.value = 8
      expectEqual(stage.entry(1)?.tags, [AsyncTag("value", 8)])
      stage.board?.gate.close()
      stage.board?.invalidate(AsyncTag("value", 7), "none")
      expectEqual(isInvalidated(stage, 1), [false])
      stage.board?.invalidate(AsyncTag("value", 8))
      expectEqual(isInvalidated(stage, 1), [true])
      stage.family[1].reset()
      expectEqual(stage.entry(1)?.tags, ["none"])
    }

    @Test("11.1 invalidating in a notification runs in constant stack")
    func inside() async {
      let stage = await loadedStage(1, 2)
      stage.board?.gate.close()
      let counts = [1, 2].map { NotificationCount(stage.family[$0]) }
      var rest = 5_000
      counts[1].inside = {
        guard rest > 0 else { return }
        rest -= 1
        stage.board?.invalidate("all")
      }
      stage.board?.invalidate("all")
      expectEqual(counts.map(\.count), [5_001, 5_001])
    }

    @Test("11.3 an answer whose tags were invalidated since its load began stays marked, and is requested again")
    func lateTags() async {
      let stage = stage { _, value in value.map { [AsyncTag("value", $0)] } ?? [] }
      stage.hold(1)
      let load = stage.family[1].start()
      await stage.gate.arrived(1)
      stage.board?.invalidate(AsyncTag("value", 7))
      expectEqual(isInvalidated(stage, 1), [false])
      let notifications = NotificationCount(stage.family[1])
      stage.answer(1, 7)
      await expectEqual(load.outcome().word, "value 7")
      expectEqual(notifications.seen.first, "7 set invalidated")
      await stage.gate.arrived(2)
      stage.answer(1, 8)
      await stage.board?.settled()
      expectEqual(stage.family[1].value, 8)
      expectEqual(isInvalidated(stage, 1), [false])
      // What was invalidated before the load started does not count.
      await stage.load(1, 7)
      expectEqual(isInvalidated(stage, 1), [false])
      // What is invalidated in the notification that it starts counts. So far its tag is another one.
      stage.board?.gate.close()
      notifications.inside = {
        if stage.family[1].isRunning { stage.board?.invalidate(AsyncTag("value", 9)) }
      }
      await stage.load(1, 9)
      expectEqual(isInvalidated(stage, 1), [true])
    }

    @Test("11.3 with less memory than tags nothing is fresh wrongly", arguments: [-1, 0, 1, 3, 100])
    func memory(capacity: Int) {
      var random = SeededGenerator(seed: 11)
      var needless = 0
      for _ in 0..<300 {
        var log = TagLog(capacity: capacity)
        var history: [Set<AsyncTag>] = []
        for _ in 0..<20 {
          let tags = Set(
            (0..<Int.random(in: 0...2, using: &random)).map { _ in
              AsyncTag(Int.random(in: 0..<6, using: &random))
            })
          log.note(tags)
          history.append(tags)
          let since = Int.random(in: 0...history.count, using: &random)
          let asked: Set<AsyncTag> = [AsyncTag(Int.random(in: 0..<6, using: &random))]
          let isInvalidated = history[since...].contains { !$0.isDisjoint(with: asked) }
          let answer = log.hasInvalidated(asked, since: UInt64(since))
          if isInvalidated { expect(answer) } else if answer { needless += 1 }
        }
      }
      if capacity == 100 { expectEqual(needless, 0) } else { expect(needless > 0) }
    }

    @Test("11.3 past invalidations, and families that were released, take bounded memory, and limit nothing")
    func bounded() async {
      let board = AsyncTagBoard()
      let clean = AsyncTagBoard()
      for tag in 0..<100_000 { board.invalidate(AsyncTag(tag)) }
      for _ in 0..<100_000 { clean.invalidate("one") }
      expect(board.memoryUse <= 2 * AsyncTagBoard.rememberedTags + 16)
      expect(clean.memoryUse <= 16)
      let shared = AsyncTagBoard()
      let narrow = LoadGate(width: 1)
      for number in 1...200 {
        let family = AsyncFamily<Int, Int>(
          options: LoadOptions(gate: narrow), board: shared, tags: { key, _ in [AsyncTag("tag", key)] }
        ) { $0 }
        family.restore(StoredValue(number, age: .zero), for: number)
      }
      expect(shared.entryCount < 100)
      // Eight entries of another family: as many requests at a time as the board's gate lets in.
      let gate = ManualServer<Int>()
      let family = AsyncFamily<Int, Int>(board: shared, tags: { _, _ in ["all"] }) { _ in try await gate.wait() }
      let held = (0..<8).map { family[$0] }
      for (number, entry) in held.enumerated() {
        entry.start()
        gate.answer(call: number + 1, with: .success(0))
      }
      await family.settled()
      shared.invalidate("all")
      expectEqual(held.count { $0.isRunning }, 6)
      for call in 9...16 { gate.answer(call: call, with: .success(0)) }
      await shared.settled()
      withExtendedLifetime(narrow) {}
    }

    @Test("11.5, 14.2 what an invalidation has begun can be awaited, until the task or the family ends")
    func finished() async {
      let stage = stage().hold(1, 2, 3)
      for key in 1...2 { await stage.load(key, key) }
      stage.held[3]?.start()
      await stage.gate.arrived(3)
      let refresh = stage.board!.invalidate("odd")
      let end = Waiting { await refresh.finished() }
      await end.begun()
      await stage.gate.arrived(5)
      for call in 4...5 { stage.gate.answer(call: call, with: .success(10)) }
      await end.end()
      expectEqual(stage.held[1]?.value, 10)
      expectEqual(stage.held[3]?.value, 10)
      expectEqual(stage.requests.count, 5)
      // Nothing is begun.
      await stage.board!.invalidate("nothing").finished()
      stage.board?.gate.close()
      await stage.board!.invalidate("all").finished()
      await stage.board!.refreshStale().finished()
      expectEqual(stage.requests.count, 5)
      let other = await loadedStage(1)
      let early = other.board!.invalidate("all")
      let first = Waiting { await early.finished() }
      let second = Waiting { await early.finished() }
      await second.begun()
      first.cancel()
      await first.end()
      let settling = Waiting { await other.board?.settled() }
      await settling.begun()
      settling.cancel()
      await settling.end()
      expectEqual(other.held[1]?.isRunning, true)
      other.release()
      await second.end()
      expectEqual(other.held[1]?.isRunning, false)
    }
  }
}
