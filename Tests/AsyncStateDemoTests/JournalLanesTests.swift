// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

@testable import AsyncStateDemo

@Suite("Lanes of a journal")
@MainActor
struct JournalLanesTests {
  /// A journal, and the lanes that take in its entries.
  final class Stage {
    let clock = ManualClock()
    let journal: StateJournal
    var lanes: JournalLanes
    private var token: ObservedToken?

    init(capacity: Int = 1000, lanes: JournalLanes = JournalLanes()) {
      journal = StateJournal(capacity: capacity, clock: clock)
      self.lanes = lanes
      token = journal.observe { [weak self] in self?.lanes.add($0) }
    }

    func wait(_ milliseconds: Int) async {
      await clock.advance(by: .milliseconds(milliseconds))
    }

    /// The marks of a lane as `milliseconds sign text`, with a bar behind what is running.
    func marks(_ subject: String, _ part: JournalLanes.Part) -> [String] {
      lanes.lane(JournalLanes.ID(subject, part), named: "").marks.map { mark in
        "\(mark.time.milliseconds) \(mark.sign)\(mark.text)\(mark.isRunning ? "━" : "")"
      }
    }

    var stretches: [ClosedRange<Int>] {
      lanes.stretches.map { $0.lowerBound.milliseconds...$0.upperBound.milliseconds }
    }
  }

  let stage = Stage()

  final class Child: ChildController, CustomStringConvertible {
    let description: String
    init(_ name: String) { description = name }
  }

  @Test("A load is a bar that ends with a sign; the content stays while it is running")
  func loads() async {
    let data = AsyncData<Int>()
    stage.journal.attach(data, name: "data")
    let first = data.begin()
    await stage.wait(100)
    first.succeed(with: 1)
    await stage.wait(50)
    let second = data.begin(.refresh)
    await stage.wait(30)
    data.cancel()
    data.begin().fail(with: CancellationFailure())
    withExtendedLifetime(second) {}
    #expect(stage.marks("data", .requests) == ["0 ━", "100 ●", "150 ━", "180 ○", "180 ━", "180 ✗"])
    #expect(stage.marks("data", .content) == ["0 ▏nothing", "100 ▏value", "180 ▏value, error"])
  }

  @Test("Entries of another journal have marks, and no number that can be selected")
  func aside() async {
    let (folder, details) = (AsyncData<Int>(), AsyncData<Int>())
    let others = StateJournal(capacity: 1, clock: stage.clock)
    let token = others.observe { [stage] in stage.lanes.add($0, isAside: true) }
    stage.journal.attach(folder, name: "folder")
    folder.value = 1
    let (last, marked) = (stage.lanes.lastNumber, stage.lanes.lastMarkedNumber)
    others.attach(details, name: "details[1]")
    let load = details.begin()
    #expect(stage.lanes.isBusy)
    await stage.wait(50)
    load.succeed(with: 2)
    #expect(stage.marks("details", .requests) == ["0 ━", "50 ●"])
    #expect((stage.lanes.lastNumber, stage.lanes.lastMarkedNumber) == (last, marked))
    #expect(!stage.lanes.isBusy)
    withExtendedLifetime(token) {}
  }

  private struct CancellationFailure: Error {}

  @Test("A load that is superseded ends where the next one begins, and its late answer is no mark")
  func supersededLoads() async {
    let data = AsyncData<Int>()
    stage.journal.attach(data, name: "data")
    let first = data.begin()
    await stage.wait(100)
    let second = data.begin()
    await stage.wait(100)
    second.succeed(with: 2)
    first.succeed(with: 1)
    #expect(stage.marks("data", .requests) == ["0 ━", "100 ⊘", "100 ━", "200 ●"])
    #expect(data.value == 2)
  }

  @Test("What overlaps in a lane is one bar, until the last one has ended")
  func overlaps() async {
    let data = AsyncData<Int>(seed: 0)
    stage.journal.attach(data, name: "data")
    let gate = Gate<Void>()
    let commits = [1, 2].map { number in
      Task {
        await data.mutate {
          $0 += number
        } commit: {
          try await gate.wait(for: number)
        }
      }
    }
    await gate.arrived(2)
    gate.answer(for: 2, with: .success(()))
    _ = await commits[1].value
    await stage.wait(10)
    gate.answer(for: 1, with: .failure(CancellationFailure()))
    _ = await commits[0].value
    #expect(stage.marks("data", .requests) == ["0 ━", "0 ━", "0 ●━", "10 ✗"])
  }

  @Test("A transition has its “will” and its “did”, side by side at one time, with the state that it leads to")
  func transitions() async {
    let container = StateContainer(
      initialState: 1, animator: ClockAnimator(clock: stage.clock), children: { [Child("child \($0)")] })
    stage.journal.attach(container, name: "screen", child: { "\($0)" })
    container.appear(animated: false)
    await stage.wait(20)
    container.setNeedsTransition(to: 2, animated: false)
    #expect(stage.marks("screen", .transitions) == ["0 ◇◆1", "20 ◇◆2"])
    #expect(stage.marks("screen", .children) == ["0 ▏child 1", "20 ▏child 2, child 1", "20 ▏child 2"])
    #expect(stage.marks("screen", .child("child 1")) == ["0 ━", "20 ┤"])
    #expect(stage.marks("screen", .child("child 2")) == ["20 ━"])
  }

  @Test("A transition that takes time is a bar from its “will” to its “did”")
  func animatedTransitions() async {
    let slow = SlowChild()
    let container = StateContainer(
      initialState: 1, animator: ClockAnimator(clock: stage.clock), children: { $0 == 1 ? [] : [slow] })
    stage.journal.attach(container, name: "screen")
    container.appear(animated: false)
    container.setNeedsTransition(to: 2, animated: true)
    await stage.clock.sleepers(atLeast: 1)
    #expect(stage.lanes.isBusy)
    await stage.wait(200)
    #expect(stage.marks("screen", .transitions) == ["0 ◇◆1", "0 ◇━", "200 ◆2"])
    #expect(!stage.lanes.isBusy)
  }

  final class SlowChild: TransitioningController {
    func transitionDuration(isAppearing: Bool) -> Duration { .milliseconds(200) }
  }

  @Test("A host has a lane of its statuses")
  func statuses() async {
    let data = AsyncData<Int>()
    let host = AsyncHost(data: data, request: { _, _ in }, children: { _ in [Child("child")] })
    stage.journal.attach(host, name: "screen")
    host.start()
    host.appear(animated: false)
    data.value = 1
    await stage.wait(10)
    data.error = CancellationFailure()
    #expect(stage.marks("screen", .status).suffix(2) == ["0 ▏data", "10 ▏error"])
    #expect(stage.marks("screen", .transitions).suffix(2) == ["0 ◇◆data", "10 ◇◆error"])
    withExtendedLifetime(host) {}
  }

  @Test("Entries of a family share a lane, which has the content of the one that was attached last")
  func families() async {
    let former = AsyncData<Int>()
    let present = AsyncData<Int>()
    stage.journal.attach(former, name: "rows[1]")
    stage.journal.attach(present, name: "rows[2]")
    present.value = 1
    former.error = CancellationFailure()
    let load = former.begin()
    #expect(stage.marks("rows", .content) == ["0 ▏nothing", "0 ▏nothing", "0 ▏value"])
    #expect(stage.marks("rows", .requests) == ["0 ━"])
    #expect(stage.lanes.isBusy)
    withExtendedLifetime(load) {}
  }

  @Test("Data that was attached while a load was running, and is released before it ends")
  func releases() async {
    var data: AsyncData<Int>? = AsyncData<Int>()
    let load = data?.begin()
    if let data { stage.journal.attach(data, name: "data") }
    #expect(stage.marks("data", .requests) == ["0 ━"])
    data = nil
    await load?.task.outcome()
    #expect(stage.marks("data", .requests) == ["0 ━", "0 ○"])
    #expect(!stage.lanes.isBusy)
  }

  @Test("A pause divides stretches, unless something is running")
  func stretches() async {
    let data = AsyncData<Int>()
    stage.journal.attach(data, name: "data")
    await stage.wait(400)
    let load = data.begin()
    await stage.wait(5000)
    load.succeed(with: 1)
    await stage.wait(401)
    data.value = 2
    await stage.wait(100)
    data.value = 3
    #expect(stage.stretches == [0...5400, 5801...5901])
  }

  @Test("The lanes stay right when the journal removes what they are made of, and are bounded")
  func bounds() async {
    let stage = Stage(capacity: 3, lanes: JournalLanes(capacity: 10))
    let data = AsyncData<Int>()
    stage.journal.attach(data, name: "data")
    data.value = 0
    let load = data.begin()
    for _ in 0..<100 {
      await stage.wait(1000)
      load.yield(1)
    }
    #expect(stage.journal.dropped == 100)
    #expect((10..<20).contains(stage.marks("data", .requests).count))
    #expect(stage.marks("data", .content) == ["0 ▏nothing", "0 ▏value"])
    load.succeed(with: 2)
    #expect(stage.marks("data", .requests).last == "100000 ●")
    #expect(!stage.lanes.isBusy)
    for _ in 0..<100 {
      await stage.wait(1000)
      data.value = 3
    }
    #expect((10..<20).contains(stage.lanes.stretches.count))
  }
}
#endif
