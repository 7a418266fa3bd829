// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Observation
import Testing

extension AllTests {
  @MainActor
  struct PacedStatusTests {
    let clock = ManualClock()
    let resource = AsyncResource<Int> { nil }
    let gate = ManualServer<Int?>()
    var data: AsyncData<Int> { resource.data }

    private func display() -> PacedStatus<Int> {
      PacedStatus(
        resource, pacer: DisplayPacer(delay: .milliseconds(200), minimum: .milliseconds(500), clock: clock))
    }

    private func advance(_ milliseconds: Int) async {
      await clock.advance(by: .milliseconds(milliseconds))
    }

    @Test(
      "6.6, 1.7 before the delay nothing is displayed, or what was before, and no observer notified; the indicator stays its minimum"
    )
    func loading() async {
      let display = display()
      var notified = 0
      whenReported({ _ = display.status }) { notified += 1 }
      let load = data.begin()
      await advance(199)
      expectNil(display.status)
      expect(!display.isRunning)
      expectEqual(notified, 0)
      await advance(1)
      expectEqual(display.status, .loading)
      expect(display.isRunning)
      expectEqual(notified, 1)
      load.succeed(with: 1)
      await advance(499)
      expectEqual(display.status, .loading)
      expect(display.isRunning)
      await advance(1)
      expectEqual(display.status, .data(1))
      expect(!display.isRunning)
      expectEqual(clock.sleeperCount, 0)
      let refresh = data.begin(.refresh)
      expect(!display.isRunning)
      await advance(200)
      expectEqual(display.status, .data(1))
      expect(display.isRunning)
      refresh.task.cancel()
      expect(!display.isRunning)
    }

    @Test(
      "1.4, 6.6 a reader of the status, or of the indicator, that writes when it is notified: the newest is displayed")
    func writeBeforeTheChange() async {
      let pacer = DisplayPacer(delay: .milliseconds(200), minimum: .zero, clock: clock)
      let display = PacedStatus(resource, pacer: pacer)
      data.start { [gate] in try await gate.wait() }
      whenReported({ _ = display.status }) { [data] in data.value = 1 }
      await advance(200)
      expectEqual(display.status, .data(1))
      data.start { [gate] in try await gate.wait() }
      whenReported({ _ = display.status }) { [data] in data.cancel() }
      await advance(200)
      expectEqual(display.status, .data(1))
      expectEqual(clock.sleeperCount, 0)
      let other = AsyncResource<Int> { nil }
      let spinner = PacedStatus(other, pacer: pacer)
      whenReported({ _ = spinner.isRunning }) { other.data.cancel() }
      other.data.start { [gate] in try await gate.wait() }
      await advance(200)
      expect(!spinner.isRunning)
    }

    @Test("1.9, 6.6 a value that reads the status when it is released finds the new one")
    func releaseOfAValue() async {
      final class Item {
        var onRelease: () -> Void = {}
        deinit { onRelease() }
      }
      let resource = AsyncResource<Item> { nil }
      let data = resource.data
      let display = PacedStatus(resource, pacer: DisplayPacer(delay: .milliseconds(200), clock: clock))
      var found: [AsyncStatusKind?] = []
      var item: Item? = Item()
      item?.onRelease = { [weak display] in found.append(display?.status?.kind) }
      data.value = item.take()
      // From here on nothing but the display has the item.
      data.reset()
      expectEqual(display.status?.kind, .data)
      await advance(200)
      expectEqual(found, [.loading])
    }

    @Test("6.6, 9.6 a former key's value that a reset has removed is not held back")
    func formerValue() async {
      let key = Input(1)
      let found = AsyncResource(following: key.observed.map { $0 as Int? }, previous: .untilAnswered) { [gate] _ in
        try await gate.wait()
      }
      let display = PacedStatus(found, pacer: DisplayPacer(clock: clock))
      found.start()
      await gate.answer(arriving: 1, with: .success(1))
      await found.settled()
      key.write(2)
      expectEqual(display.status, .data(1))
      found.reset()
      expectNil(display.status)
    }

    @Test("6.6, 1.8 one that is released leaves no sleeper")
    func release() async {
      var display: PacedStatus<Int>? = display()
      data.start { [gate] in try await gate.wait() }
      await clock.sleepers(atLeast: 2)
      display = nil
      _ = display
      expectEqual(clock.sleeperCount, 0)
    }

    @Test("10.2 a paced status and a board hold the resource that they display")
    func holdsItsResource() async {
      let family = AsyncFamily<Int, Int>(keepUnused: 0) { $0 }
      let content = PlainContent<Int>()
      let display = PacedStatus(family[1], pacer: DisplayPacer(clock: clock))
      let board = StatusBoard(content: content, family[2])
      for key in 1...2 { await family[key].load() }
      family.trim()
      expectEqual(Set(family.entries.map(\.key)), [1, 2])
      family[1].data.value = 7
      expectEqual(display.status, .data(7))
      withExtendedLifetime((display, board)) {}
    }
  }
}
