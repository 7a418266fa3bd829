// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

@Suite("14.3 Replay: recordings that begin late, stop early or leave something out", .timeLimit(.minutes(5)))
@MainActor
struct PartialReplayTests: JournalSuite {
  let stage = JournalStage()

  @Test("14.3 what was led to by an entry that is left out counts as from outside")
  func leftOut() {
    let input = Input(0)
    stage.journal.attach(input, name: "input")
    let data = stage.data()
    let token = input.observe { if $0 != 0 { data.value = $0 } }
    input.write(1)
    let replay = Replay(entries.filter { $0.subject != "input" })
    let again = AsyncData<Int>()
    replay.attach(again, name: "data") { $0.number }
    #expect(replay.run() == nil)
    #expect(again.value == 4)
    withExtendedLifetime(token) {}
  }

  @Test("14.3 a recording may be empty, and may stop and go on anywhere")
  func parts() {
    #expect(Replay([]).run() == nil)
    let data = stage.data()
    for value in 0..<5 { data.value = value }
    let replay = Replay(entries)
    let again = AsyncData<Int>()
    replay.attach(again, name: "data") { $0.number }
    for number in 1...6 {
      #expect(replay.run(through: number) == nil)
      #expect(again.value == (number == 1 ? nil : number))
    }
    #expect(replay.run(through: 2) == nil)
    #expect(replay.run() == nil)
    again.value = 9
    #expect(replay.run()?.hasSuffix("The recording ends before this.") == true)
  }

  @Test("14.3 a recording whose beginning was dropped starts with the data of the test, and a load that was running")
  func dropped() {
    let stage = JournalStage(capacity: 3)
    let data = stage.data()
    data.value = 1
    let load = data.begin(.refresh)
    load.report(progress: 0.5)
    load.fail(with: Failure(name: "offline"))
    data.invalidate()
    #expect(stage.journal.entries.map(\.number) == [4, 5, 6])
    let replay = Replay(stage.journal.entries)
    let again = AsyncData<Int>()
    replay.attach(again, name: "data") { $0.number }
    #expect(replay.run() == nil)
    #expect(again.error as? ReplayedError == ReplayedError("offline"))
    #expect("\(ReplayedError("offline"))" == "offline")
  }

  @Test("14.3 data that was attached in the middle of everything is brought to where it was")
  func attachedLate() throws {
    let data = AsyncData<Int>()
    data.value = 1
    data.invalidate()
    data.error = Failure()
    let load = data.begin()
    stage.journal.attach(data, name: "data")
    load.yield(2)
    load.succeed(with: 3)
    #expect(
      entries.first?.event == .attached(.init(isRunning: true, isValueSet: true, hasError: true, isInvalidated: true)))
    try expectSame()
    // Other data than that are a difference.
    let replay = Replay(entries)
    let other = AsyncData<Int>()
    other.value = 7
    replay.attach(other, name: "data") { $0.number }
    #expect(replay.run()?.contains(">>data: attached: value<<") == true)
  }

  @Test("14.3 a release is left to the test, and what had been open then has ended")
  func released() async throws {
    var data: AsyncData<Int>? = stage.data()
    let load = data?.begin()
    data = nil
    await afterReleases()
    #expect(entries.last?.event == .released)
    let replay = Replay(entries)
    let again = AsyncData<Int>()
    replay.attach(again, name: "data") { $0.number }
    #expect(replay.run() == nil)
    #expect(!again.isRunning)
    withExtendedLifetime(load) {}
  }
}
