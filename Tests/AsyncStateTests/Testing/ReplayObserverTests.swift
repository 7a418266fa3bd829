// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

@Suite("14.3 Replay: what observers did", .timeLimit(.minutes(5)))
@MainActor
struct ReplayObserverTests: JournalSuite {
  let stage = JournalStage()

  @Test(
    "14.3 what an observer did must follow by itself; a test without the observer fails with a message that says so")
  func observers() throws {
    let data = stage.data()
    let token = data.observed.observe { if $0.value == 4 { data.reset() } }
    data.begin().succeed(with: 4)
    data.value = 5
    let replay = Replay(entries)
    let again = AsyncData<Int>()
    let observer = again.observed.observe { if $0.value == 4 { again.reset() } }
    replay.attach(again, name: "data") { $0.number == 3 ? 4 : 5 }
    #expect(replay.run() == nil)
    #expect(again.value == 5)

    let alone = Replay(entries)
    let other = AsyncData<Int>()
    alone.attach(other, name: "data") { $0.number }
    #expect(
      alone.run() == """
        The replay differs from the recording after 3 entries.
        This has not happened: #4 data: reset ← #3.
        recorded:
          #1 data: attached: idle
          #2 data: load started (refresh)
          #3 data: answered ← #2
          >>#4 data: reset ← #3<<
          #5 data: value set
        replayed:
          #1 data: attached: idle
          #2 data: load started (refresh)
          #3 data: answered ← #2
          >>end<<
        #4 data: reset. It was led to by #3, and has not followed by itself: make the code that did this a part of the \
        test, or create the replay with `replacesObservers: true`.
        """)
    // Nothing more is carried out.
    #expect(alone.run() != nil)
    #expect(other.value == 3)
    try expectSame(replacesObservers: true)
    withExtendedLifetime((token, observer)) {}
  }

  @Test("14.3 a replay that replaces observers does what they did in the same notification")
  func replacedObservers() throws {
    let data = stage.data()
    let other = stage.data("other")
    let third = stage.data("third")
    let tokens = [
      data.observed.observe { if $0.value == 4 { other.value = 1 } },
      data.observed.observe { if $0.value == 4 { data.reset() } },
      other.observed.observe { third.error = $0.value == nil ? nil : Failure() },
    ]
    _ = stage.take()
    data.value = 4
    let recorded = stage.take()
    #expect(
      recorded == [
        "#5 data: value set", "#6 other: value set ← #5", "#7 third: error set: failure ← #6", "#8 data: reset ← #5",
      ])
    let replay = Replay(entries, replacesObservers: true)
    let datas = ["data", "other", "third"].map { name in
      let data = AsyncData<Int>()
      replay.attach(data, name: name) { $0.number }
      return data
    }
    var seen: [String] = []
    let token = datas[0].observed.observe { seen.append("\($0.value ?? 0) \(datas[1].value ?? 0)") }
    #expect(replay.run() == nil)
    // The first notification of the data finds the other ones set, as the observers after the first did.
    #expect(seen == ["0 0", "5 6", "0 6"])
    withExtendedLifetime((tokens, token)) {}
  }

  @Test("14.3 warnings are no part of a recording")
  func warnings() {
    let stage = JournalStage(limits: .init(restarts: 1))
    let data = stage.data()
    let token = data.observed.observe { snapshot in
      if let value = snapshot.value, value < 5, !snapshot.isRunning { data.begin(.refresh).succeed(with: value + 1) }
    }
    data.begin().succeed(with: 1)
    #expect(stage.journal.timeline.contains("warning"))
    let replay = Replay(stage.journal.entries, replacesObservers: true)
    replay.attach(AsyncData<Int>(), name: "data") { $0.number }
    #expect(replay.run() == nil)
    withExtendedLifetime(token) {}
  }
}
