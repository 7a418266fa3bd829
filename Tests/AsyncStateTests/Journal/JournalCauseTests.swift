// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct JournalCauseTests: JournalSuite {
    let stage = JournalStage()

    @Test("13.1 a change made in a notification of the same data has that one as its cause, and not a later one")
    func reentrantCauses() {
      let data = stage.data()
      let other = stage.data("other")
      let token = data.observed.observe { snapshot in
        switch snapshot.value {
        case 1:
          data.value = 2
          data.value = 3
        case 3?: other.value = 4
        default: break
        }
      }
      data.value = 1
      expectEqual(
        stage.take(),
        [
          "#3 data: value set", "#4 data: value set ← #3", "#5 data: value set ← #3", "#6 other: value set ← #5",
        ])
      expectEqual(journal.entries.suffix(4).map(\.depth), [0, 1, 1, 2])
      expectEqual(journal.causes(of: 6).map(\.number), [5, 3])
      withExtendedLifetime(token) {}
    }

    @Test("13.1 what a load does was led to by its start; in a notification, or after another load, by that")
    func answers() async {
      let data = stage.data()
      let other = stage.data("other")
      let load = data.begin()
      let token = other.observed.observe { if let value = $0.value { load.succeed(with: value) } }
      other.value = 5
      expectEqual(
        stage.take(),
        [
          "#3 data: load started (refresh)", "#4 other: value set", "#5 data: answered ← #4",
        ])
      expectEqual(journal[5]?.ends, 3)
      withExtendedLifetime(token) {}
      let later = JournalStage()
      let joined = later.data()
      let gate = ManualServer<Int?>()
      let first = joined.start(id: "a") { try await gate.wait() }
      joined.invalidate()
      let second = joined.start(id: "a") { 2 }
      await gate.answer(arriving: 1, with: .success(1))
      _ = await first.outcome()
      _ = await second.outcome()
      expectEqual(
        later.take(),
        [
          "#2 data: load started (refresh)", "#3 data: invalidated", "#4 data: answered, out of date ← #2",
          "#5 data: load started (refresh) ← #4", "#6 data: answered ← #5",
        ])
    }

    @Test("13.1 who observes entries may cause others, which are observed in order")
    func observing() {
      let data = stage.data()
      var observed: [String] = []
      let token = journal.observe { entry in
        observed.append(entry.description)
        if case .valueSet = entry.event, data.value != 3 { data.value = (data.value ?? 0) + 1 }
      }
      data.value = 1
      expectEqual(observed, ["#2 data: value set", "#3 data: value set ← #2", "#4 data: value set ← #3"])
      token.cancel()
      data.value = 9
      expectEqual(observed.count, 3)
    }
  }
}
