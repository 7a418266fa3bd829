import AsyncStateTesting
import Testing

@testable import AsyncState

@Suite("11 AsyncTagBoard", .timeLimit(.minutes(5)))
@MainActor
struct AsyncTagBoardTests {
  /// Even and odd keys have tags, all keys have one, and each has its own.
  private nonisolated static func tags(_ key: Int, _ value: Int?) -> Set<AsyncTag> {
    ["all", AsyncTag(key.isMultiple(of: 2) ? "even" : "odd"), AsyncTag("key", key)]
  }

  private func stage(
    width: Int = 4, memory: Int = 256, keepIdle: Int = .max,
    tags: @escaping (Int, Int?) -> Set<AsyncTag> = AsyncTagBoardTests.tags
  ) -> FamilyStage {
    FamilyStage(keepIdle: keepIdle, board: AsyncTagBoard(width: width, memory: memory), tags: tags)
  }

  private func isInvalidated(_ stage: FamilyStage, _ keys: Int...) -> [Bool] {
    keys.map { key in stage.entry(key)?.snapshot.isInvalidated == true }
  }

  // MARK: 11.1

  @Test("11.1 tags are equal when what they are made from is")
  func equality() {
    #expect(AsyncTag(5) == AsyncTag(5))
    #expect(AsyncTag("a") == "a")
    #expect(AsyncTag("article", 5) == AsyncTag("article", 5))
    #expect(AsyncTag("article", 5) != AsyncTag("author", 5))
    #expect(AsyncTag("article", 5) != "article")
  }

  @Test("11.1 all entries of all families are marked before the first is notified, and each is once")
  func marksFirst() async {
    let board = AsyncTagBoard()
    let families = (0..<2).map { _ in
      AsyncFamily<Int, Int>(keepIdle: .max, board: board, tags: Self.tags) { key in key }
    }
    let resources = [families[0][1], families[0][2], families[1][2], families[1][4]]
    for resource in resources { await resource.load() }
    board.isOpen = false
    let counts = resources.map { NotificationCount($0) }
    var marked: [Int] = []
    for count in counts { count.inside = { marked.append(resources.count { $0.snapshot.isInvalidated }) } }
    board.invalidate("even", AsyncTag("key", 2), "unknown")
    #expect(counts.map(\.count) == [0, 1, 1, 1])
    #expect(marked == [3, 3, 3])
  }

  @Test("11.1 tags are computed from the value, too, and again with each answer")
  func tagsOfValues() async {
    let stage = stage { _, value in value.map { [AsyncTag("value", $0)] } ?? ["none"] }
    stage.hold(1)
    #expect(stage.entry(1)?.tags == ["none"])
    await stage.load(1, 7)
    #expect(stage.entry(1)?.tags == [AsyncTag("value", 7)])
    stage.family[1].data.value = 8
    #expect(stage.entry(1)?.tags == [AsyncTag("value", 8)])
    stage.board?.isOpen = false
    stage.board?.invalidate(AsyncTag("value", 7), "none")
    #expect(isInvalidated(stage, 1) == [false])
    stage.board?.invalidate(AsyncTag("value", 8))
    #expect(isInvalidated(stage, 1) == [true])
    stage.family[1].reset()
    #expect(stage.entry(1)?.tags == ["none"])
  }

  @Test("11.1 a tag closure that gives other tags each time leaves nothing behind")
  func fickleTags() async {
    var count = 0
    let stage = stage { key, _ in
      count += 1
      return [AsyncTag("call", count)]
    }
    stage.hold(1)
    for value in 1...5 { await stage.load(1, value) }
    stage.board?.isOpen = false
    for call in 1..<count { stage.board?.invalidate(AsyncTag("call", call)) }
    #expect(isInvalidated(stage, 1) == [false])
    stage.board?.invalidate(AsyncTag("call", count))
    #expect(isInvalidated(stage, 1) == [true])
  }

  // MARK: 11.2

  @Test("11.2 what is held and was requested before is requested again, the rest is only marked")
  func reloads() async {
    let stage = stage().hold(1, 3)
    for key in [1, 5] { await stage.load(key, key) }
    stage.board?.invalidate("odd")
    #expect(isInvalidated(stage, 1, 3, 5) == [true, true, true])
    await stage.gate.arrived(3)
    #expect(stage.requests == [1, 5, 1])
    #expect(stage.family[1].snapshot.activity?.mode == .refresh)
    stage.answer(1, 11)
    await stage.board?.settled()
    #expect(stage.family[1].value == 11)
    #expect(isInvalidated(stage, 1) == [false])
    #expect(stage.requests.count == 3)
  }

  @Test("11.2 at most `width` requests run at a time, those that were used last first", arguments: [-1, 1, 2, 3])
  func width(width: Int) async {
    let stage = stage(width: width)
    for key in 1...6 {
      stage.hold(key)
      await stage.load(key, key)
    }
    stage.board?.invalidate("all")
    let limit = max(width, 1)
    for round in 0..<6 {
      await stage.gate.arrived(min(6 + round + limit, 12))
      #expect(stage.family.entries.count { $0.snapshot.isRunning } == min(limit, 6 - round))
      stage.answer(6 - round, 10)
      await stage.family[6 - round].settled()
    }
    await stage.board?.settled()
    #expect(stage.requests[6...].sorted() == Array(1...6))
    if limit == 1 { #expect(stage.requests[6...] == [6, 5, 4, 3, 2, 1]) }
    #expect(stage.family.entries.allSatisfy { $0.snapshot.value == 10 && !$0.snapshot.isInvalidated })
  }

  @Test("11.2 a reload that fails leaves the mark, and is not repeated")
  func fails() async {
    let stage = stage().hold(1)
    await stage.load(1, 1)
    stage.fail(1)
    stage.board?.invalidate("all")
    await stage.board?.settled()
    #expect(isInvalidated(stage, 1) == [true])
    #expect(stage.family[1].error is Failure)
    #expect(stage.requests == [1, 1])
  }

  @Test("11.2 a call of a user's is not held back, and takes the place of the reload that waits")
  func users() async {
    let stage = stage(width: 1).hold(1, 2)
    for key in 1...2 { await stage.load(key, key) }
    stage.board?.invalidate("all")
    await stage.gate.arrived(3)
    #expect(stage.requests.last == 2)
    let load = stage.family[1].start(.refresh)
    await stage.gate.arrived(4)
    stage.answer(1, 11)
    #expect(await load.outcome().word == "value 11")
    stage.answer(2, 12)
    await stage.board?.settled()
    #expect(stage.requests == [1, 2, 2, 1])
    #expect(isInvalidated(stage, 1, 2) == [false, false])
  }

  @Test("11.2 a reload that is superseded gives its place to the next")
  func superseded() async {
    let stage = stage(width: 1).hold(1, 2)
    for key in 1...2 { await stage.load(key, key) }
    stage.board?.invalidate("all")
    await stage.gate.arrived(3)
    stage.family[2].data.value = 20
    await stage.gate.arrived(4)
    #expect(stage.requests == [1, 2, 2, 1])
    stage.answer(1, 11)
    await stage.board?.settled()
    #expect(stage.family[2].value == 20)
  }

  @Test("11.2 what is not held any more when its turn comes is not requested")
  func dropped() async {
    let stage = stage(width: 1).hold(1, 2)
    for key in 1...2 { await stage.load(key, key) }
    stage.board?.invalidate("all")
    await stage.gate.arrived(3)
    stage.drop(1)
    stage.answer(2, 12)
    await stage.board?.settled()
    #expect(stage.requests == [1, 2, 2])
    #expect(isInvalidated(stage, 1, 2) == [true, false])
  }

  @Test("11.2 invalidations before the reload starts are one reload, and any number while it runs one more")
  func storm() async {
    let stage = stage(width: 1).hold(1, 2)
    for key in 1...2 { await stage.load(key, key) }
    for _ in 0..<10 { stage.board?.invalidate("all") }
    await stage.gate.arrived(3)
    stage.answer(2, 12)
    await stage.gate.arrived(4)
    for _ in 0..<10 { stage.board?.invalidate("odd") }
    stage.answer(1, 11)
    await stage.gate.arrived(5)
    // The second one was requested, and invalidated before that began: once more.
    stage.answer(2, 22)
    stage.answer(1, 21)
    await stage.gate.arrived(6)
    await stage.board?.settled()
    #expect(stage.requests.count { $0 == 1 } == 3)
    #expect(stage.requests.count { $0 == 2 } == 3)
    #expect(isInvalidated(stage, 1, 2) == [false, false])
  }

  @Test("11.2 a load that was running when its entry was marked is followed by one reload, even if it fails")
  func running() async {
    let stage = stage().hold(1)
    let load = stage.family[1].start()
    await stage.gate.arrived(1)
    stage.board?.invalidate("all")
    stage.board?.invalidate("all")
    stage.fail(1)
    #expect(await load.outcome().word == "failure failure")
    await stage.gate.arrived(2)
    stage.answer(1, 2)
    await stage.board?.settled()
    #expect(stage.requests == [1, 1])
    #expect(isInvalidated(stage, 1) == [false])
    #expect(stage.family[1].error == nil)
  }

  @Test("11.2 a call that waits for the running load is the one further load")
  func waitingCall() async {
    let stage = stage().hold(1)
    let load = stage.family[1].start()
    await stage.gate.arrived(1)
    stage.board?.invalidate("all")
    let waiting = stage.family[1].start()
    stage.answer(1, 1)
    #expect(await load.outcome().word == "value 1")
    await stage.gate.arrived(2)
    stage.answer(1, 2)
    #expect(await waiting.outcome().word == "value 2")
    await stage.board?.settled()
    #expect(stage.requests == [1, 1])
  }

  @Test("11.1 invalidating in a notification runs in constant stack")
  func inside() async {
    let stage = stage().hold(1, 2)
    for key in 1...2 { await stage.load(key, key) }
    stage.board?.isOpen = false
    let counts = [1, 2].map { NotificationCount(stage.family[$0]) }
    var rest = 10_000
    counts[1].inside = {
      guard rest > 0 else { return }
      rest -= 1
      stage.board?.invalidate("all")
    }
    stage.board?.invalidate("all")
    #expect(counts.map(\.count) == [10_001, 10_001])
  }

  // MARK: 11.3

  @Test(
    "11.3 an answer whose tags were invalidated since its load started is shown, stays marked, and is requested again")
  func lateTags() async {
    let stage = stage { _, value in value.map { [AsyncTag("value", $0)] } ?? [] }
    stage.hold(1)
    let load = stage.family[1].start()
    await stage.gate.arrived(1)
    stage.board?.invalidate(AsyncTag("value", 7))
    #expect(isInvalidated(stage, 1) == [false])
    let notifications = NotificationCount(stage.family[1])
    stage.answer(1, 7)
    #expect(await load.outcome().word == "value 7")
    #expect(notifications.seen.first == "7 set invalidated")
    await stage.gate.arrived(2)
    stage.answer(1, 8)
    await stage.board?.settled()
    #expect(stage.family[1].value == 8)
    #expect(isInvalidated(stage, 1) == [false])
    // What was invalidated before the load started does not count.
    await stage.load(1, 7)
    #expect(isInvalidated(stage, 1) == [false])
  }

  @Test("11.3 a tag that is invalidated in the notification that a load starts counts")
  func invalidatedAtStart() async {
    let stage = stage { _, value in value.map { [AsyncTag("value", $0)] } ?? [] }
    stage.hold(1)
    stage.board?.isOpen = false
    let notifications = NotificationCount(stage.family[1])
    notifications.inside = {
      if stage.family[1].isRunning { stage.board?.invalidate(AsyncTag("value", 7)) }
    }
    await stage.load(1, 7)
    #expect(isInvalidated(stage, 1) == [true])
  }

  // MARK: 11.4

  @Test("11.4 while the board is closed entries are marked, and opening requests once what is held and stale")
  func closed() async {
    let stage = stage().hold(1, 2, 3)
    for key in 1...4 { await stage.load(key, key) }
    stage.board?.isOpen = false
    for _ in 0..<3 { stage.board?.invalidate("all") }
    await stage.board?.settled()
    #expect(isInvalidated(stage, 1, 2, 3, 4) == [true, true, true, true])
    await stage.load(2, 12)
    stage.drop(3)
    #expect(stage.requests.count == 5)
    stage.board?.isOpen = true
    stage.board?.isOpen = true
    await stage.gate.arrived(6)
    stage.answer(1, 11)
    await stage.board?.settled()
    #expect(stage.requests == [1, 2, 3, 4, 2, 1])
  }

  @Test("11.4 a board that is closed while reloads wait begins none of them")
  func closing() async {
    let stage = stage(width: 1).hold(1, 2)
    for key in 1...2 { await stage.load(key, key) }
    stage.board?.invalidate("all")
    await stage.gate.arrived(3)
    stage.board?.isOpen = false
    stage.answer(2, 12)
    await stage.board?.settled()
    #expect(stage.requests == [1, 2, 2])
    stage.board?.isOpen = true
    await stage.gate.arrived(4)
    stage.answer(1, 11)
    await stage.board?.settled()
    #expect(isInvalidated(stage, 1, 2) == [false, false])
  }

  // MARK: 11.5

  @Test("11.5 with less memory than tags nothing is fresh wrongly", arguments: [-1, 0, 1, 3, 100])
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
        if isInvalidated { #expect(answer) } else if answer { needless += 1 }
      }
    }
    if capacity == 100 { #expect(needless == 0) } else { #expect(needless > 0) }
  }

  @Test("11.5 past invalidations take bounded memory")
  func bounded() {
    let board = AsyncTagBoard(memory: 10)
    let clean = AsyncTagBoard(memory: 10)
    for tag in 0..<100_000 { board.invalidate(AsyncTag(tag)) }
    for _ in 0..<100_000 { clean.invalidate("one") }
    #expect(board.memoryUse <= 48)
    #expect(clean.memoryUse <= 48)
  }

  // MARK: 11.6

  @Test("11.6 settled returns when no reload of the board runs or can run")
  func settled() async {
    let stage = stage().hold(1)
    await stage.board?.settled()
    let load = stage.family[1].start()
    await stage.board?.settled()
    await stage.gate.arrived(1)
    stage.board?.invalidate("all")
    // The user's load is followed by one of the board's.
    let settling = Waiting { await stage.board?.settled() }
    await settling.begun()
    stage.answer(1, 1)
    #expect(await load.outcome().word == "value 1")
    await stage.gate.arrived(2)
    stage.answer(1, 2)
    await settling.end()
    #expect(stage.family[1].value == 2)
  }

  @Test("11.6 settled returns early when its task is cancelled")
  func settledCancelled() async {
    let stage = stage().hold(1)
    await stage.load(1, 1)
    stage.board?.invalidate("all")
    let settling = Waiting { await stage.board?.settled() }
    await settling.begun()
    settling.cancel()
    await settling.end()
    #expect(stage.family[1].isRunning)
  }

  @Test("11.6 a family that is released is none of the board's any more")
  func released() async {
    let stage = stage(width: 1).hold(1, 2)
    for key in 1...2 { await stage.load(key, key) }
    stage.board?.invalidate("all")
    await stage.gate.arrived(3)
    stage.release()
    await stage.board?.settled()
    #expect(stage.held[1]?.snapshot.isInvalidated == true)
    stage.board?.invalidate("all")
    await stage.board?.settled()
    #expect(stage.requests.count == 3)
  }
}
