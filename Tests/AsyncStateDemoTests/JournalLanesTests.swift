// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal
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
    var lanes = JournalLanes()
    private var token: ObservedToken?

    init() {
      journal = StateJournal(clock: clock)
      token = journal.observe { [weak self] in self?.lanes.add($0) }
    }

    func wait(_ milliseconds: Int) async {
      await clock.advance(by: .milliseconds(milliseconds))
    }

    /// The marks of a lane as `milliseconds sign text`, with a bar behind what is running.
    func marks(_ name: String) -> [String] {
      lanes.lanes.filter { $0.name == name }.flatMap(\.marks).map { mark in
        "\(mark.time.milliseconds) \(mark.sign)\(mark.text)\(mark.isRunning ? "━" : "")"
      }
    }
  }

  let stage = Stage()

  final class Child: ChildController, CustomStringConvertible {
    let description: String
    init(_ name: String) { description = name }
  }

  @Test("A load is a bar that ends with a sign")
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
    #expect(stage.marks("data") == ["0 ━", "100 ●", "150 ━", "180 ○", "180 ━", "180 ✗"])
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
    #expect(stage.marks("data") == ["0 ━", "100 ⊘", "100 ━", "200 ●"])
    #expect(data.value == 2)
  }

  @Test("What overlaps in a lane is one bar, until the last one has ended")
  func overlaps() async {
    let data = AsyncData<Int>(seed: 0)
    stage.journal.attach(data, name: "data")
    let gate = ManualServer<Void>()
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
    #expect(stage.marks("data") == ["0 ━", "0 ━", "0 ●━", "10 ✗"])
  }

  @Test("A transition has its “will” and its “did”, with the state that it leads to")
  func transitions() async {
    let container = StateContainer(
      initialState: 1, animator: ClockAnimator(clock: stage.clock), children: { [Child("child \($0)")] })
    stage.journal.attach(container, name: "screen", child: { "\($0)" })
    container.appear(animated: false)
    await stage.wait(20)
    container.setNeedsTransition(to: 2, animated: false)
    #expect(stage.marks("screen") == ["0 ◇━", "0 ◆1", "20 ◇━", "20 ◆2"])
    #expect(stage.marks("child 1") == ["0 ━", "20 ┤"])
    #expect(stage.marks("child 2") == ["20 ━"])
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
    await stage.wait(200)
    #expect(stage.marks("screen") == ["0 ◇━", "0 ◆1", "0 ◇━", "200 ◆2"])
  }

  final class SlowChild: TransitioningController {
    func transitionDuration(isAppearing: Bool) -> Duration { .milliseconds(200) }
  }

}
#endif
