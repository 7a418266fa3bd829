// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

@Suite("14.3 Replay: containers and hosts", .timeLimit(.minutes(5)))
@MainActor
struct ScreenReplayTests: JournalSuite {
  let stage = JournalStage()

  /// Children by the name of a state.
  final class Page: ChildController {
    let name: String
    init(_ name: String) { self.name = name }
  }

  static func name(_ child: any ChildController) -> String { (child as? Page)?.name ?? "?" }

  /// Entries and their text.
  func recordings() throws -> [[StateJournal.Entry]] {
    [entries, try StateJournal.entries(of: stage.journal.timeline)]
  }

  func pages(_ animator: any TransitionAnimator, keepsState: Bool = true) -> StateContainer<String> {
    var pages: [String: Page] = [:]
    func page(_ name: String) -> Page {
      let page = pages[name] ?? Page(name)
      pages[name] = page
      return page
    }
    let children: (String) -> [any ChildController] = { [page("bar"), page($0)] }
    return keepsState
      ? StateContainer(initialState: "one", animator: animator, children: children)
      : StateContainer(appearanceState: { "one" }, animator: animator, children: children)
  }

  @Test("14.3 requests and life-cycle calls of a container give the same trace again", arguments: [true, false])
  func container(keepsState: Bool) throws {
    let container = pages(ImmediateAnimator(), keepsState: keepsState)
    stage.journal.attach(container, name: "pages", child: Self.name)
    container.appear(animated: true)
    container.setNeedsTransition(to: "two", animated: true)
    container.willDisappear(animated: false)
    container.setNeedsTransition(to: "three", animated: false)
    container.didDisappear(animated: false)
    container.setNeedsTransition(to: "four", animated: false)
    container.willAppear(animated: false)
    container.willDisappear(animated: false)
    container.willAppear(animated: false)
    container.didAppear(animated: false)
    for entries in try recordings() {
      let replay = Replay(entries)
      let again = pages(ImmediateAnimator(), keepsState: keepsState)
      replay.attach(again, name: "pages", states: ["one", "two", "three", "four"], child: Self.name)
      #expect(replay.run() == nil)
      #expect(again.currentState == container.currentState)
      #expect(again.appearance == .visible)
    }
    let replay = Replay(entries)
    replay.attach(pages(ImmediateAnimator(), keepsState: keepsState), name: "pages", states: ["one"], child: Self.name)
    #expect(
      replay.run()?.hasSuffix("None of the states that were given to the replay is written like that.") == true)
  }

  @Test("14.3 animations end when the recording says so")
  func animations() throws {
    let animator = HeldAnimator()
    let container = pages(animator)
    let data = stage.data()
    stage.journal.attach(container, name: "pages", child: Self.name)
    container.appear(animated: false)
    container.setNeedsTransition(to: "two", animated: true)
    data.value = 1
    animator.animations[1].finish()
    data.value = 2
    container.setNeedsTransition(to: "three", animated: true)
    animator.animations[0].finish()
    data.value = 3
    container.disappear(animated: false)
    animator.finishAll()
    for entries in try recordings() {
      let replay = Replay(entries)
      let (again, newData) = (pages(replay.animator), AsyncData<Int>())
      replay.attach(newData, name: "data") { $0.number }
      replay.attach(again, name: "pages", states: ["two", "three"], child: Self.name)
      #expect(replay.run() == nil)
      #expect(again.currentState == "three")
    }
    // With another animator the end of the animation is too early.
    let replay = Replay(entries)
    replay.attach(AsyncData<Int>(), name: "data") { $0.number }
    replay.attach(pages(ImmediateAnimator()), name: "pages", states: ["two", "three"], child: Self.name)
    #expect(replay.run()?.contains(">>pages: two did appear ← #") == true)
    let held = Replay(entries)
    held.attach(AsyncData<Int>(), name: "data") { $0.number }
    held.attach(pages(animator), name: "pages", states: ["two", "three"], child: Self.name)
    #expect(held.run()?.hasSuffix("No such animation runs: give the container the `animator` of the replay.") == true)
    animator.finishAll()
  }

  @Test("14.3 what happens to the children by itself is not repeated")
  func childEvents() throws {
    for line in ["two will appear", "did transition from one", "status data"] {
      let replay = Replay(try StateJournal.entries(of: "#1 pages: attached\n#2 pages: \(line)"))
      replay.attach(pages(ImmediateAnimator()), name: "pages", states: ["one"], child: Self.name)
      #expect(replay.run()?.hasSuffix("leave such entries out of the recording.") == true)
    }
  }

  @Test("14.3 a host is replayed by its data: it loads, displays, reloads and appears again as it was recorded")
  func host() throws {
    var loads: [PendingLoad<Int>] = []
    func screen(_ animator: any TransitionAnimator) -> AsyncHost<Int> {
      var children: [String: Page] = [:]
      return AsyncHost(animator: animator, request: { data, mode in loads.append(data.begin(mode)) }) { status in
        let child = children["\(status.kind)"] ?? Page("\(status.kind)")
        children["\(status.kind)"] = child
        return [child]
      }
    }
    let animator = HeldAnimator()
    let host = screen(animator)
    stage.journal.attach(host.data, name: "data")
    stage.journal.attach(host, name: "screen", child: Self.name)
    host.appear(animated: true)
    host.start()
    loads[0].yield(1)
    loads[0].succeed(with: 2)
    for animation in animator.animations { animation.finish() }
    animator.finishAll()
    host.reload()
    loads[1].fail(with: Failure())
    for animation in animator.animations { animation.finish() }
    animator.finishAll()
    host.refresh()
    loads[2].succeed(with: 3)
    host.disappear(animated: false)
    host.data.reset()
    host.appear(animated: false)
    animator.finishAll()
    for entries in try recordings() {
      let replay = Replay(entries)
      let again = screen(replay.animator)
      replay.attach(again, name: "screen", child: Self.name)
      replay.attach(again.data, name: "data") { $0.number }
      #expect(replay.run() == nil)
      #expect(again.container.currentState.kind == host.container.currentState.kind)
    }
    // A status that does not follow from the data.
    let replay = Replay(try StateJournal.entries(of: "#1 screen: status loading\n#2 screen: status data"))
    let other = screen(ImmediateAnimator())
    other.start()
    replay.attach(other, name: "screen", child: Self.name)
    #expect(replay.run()?.hasSuffix("The status follows from the data, which has another one.") == true)
    other.data.cancel()
  }
}
