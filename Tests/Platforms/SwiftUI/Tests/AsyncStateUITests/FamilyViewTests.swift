// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Foundation
import SwiftUI
import Testing

/// A view of a family's entry, whose key is a selection.
@MainActor
@Suite(.bothOrders, .unpaced)
struct FamilyViewTests {
  @MainActor
  final class Selection {
    var key: Int? = 1
  }

  private let gate = ManualServer<String?>()
  private let selection = Selection()
  private let family: AsyncFamily<Int, String>

  init() {
    family = AsyncFamily(keepUnused: 0) { [gate] key in try await gate.wait(for: key) }
  }

  private func makeHost(previous: PreviousValue = .hidden, pacer: DisplayPacer? = nil) -> ViewHost {
    ViewHost { [family, selection] in
      ZStack {
        if let key = selection.key {
          AsyncView(family[key], previous: previous, pacer: pacer) { Text($0) }
        } else {
          Text("Select an article.")
        }
      }
    }
  }

  private func answer(_ key: Int, with result: Result<String?, any Error>) async {
    await gate.arrived(for: key)
    let resource = family[key]
    gate.answer(for: key, with: result)
    for await isRunning in resource.observed.isRunning.values where !isRunning { return }
  }

  /// A screen whose second entry was selected when it displayed the first one, which stays until there is an answer.
  private func selectSecond(at pacer: DisplayPacer) async -> ViewHost {
    let host = makeHost(previous: .untilAnswered, pacer: pacer)
    await answer(1, with: .success("one"))
    host.draw()
    selection.key = 2
    host.redraw()
    return host
  }

  private var requests: [Int] { gate.arguments(as: Int.self) }

  @Test("15.3 a redraw with the same key starts nothing and displays the same entry")
  func sameKey() async {
    let host = makeHost()
    #expect(host.texts == ["(progress)"])
    await gate.arrived(for: 1)
    for _ in 0..<100 { host.redraw() }
    #expect(family.entries.map(\.key) == [1])
    await answer(1, with: .success("one"))
    host.draw()
    #expect(host.texts == ["one"])
    for _ in 0..<100 { host.redraw() }
    #expect(requests == [1])
  }

  @Test("15.3 another key displays its own entry, and the former request ends unless another caller wants it")
  func anotherKey() async {
    let host = makeHost()
    await gate.arrived(for: 1)
    selection.key = 2
    host.redraw()
    #expect(host.texts == ["(progress)"])
    await gate.ended(1)
    await answer(2, with: .success("two"))
    await host.waitForTasks()
    #expect(!family.entries.contains { $0.key == 1 })
    host.draw()
    #expect(host.texts == ["two"])
    selection.key = 3
    host.redraw()
    // Not the value of the former key.
    #expect(host.texts == ["(progress)"])
    await answer(3, with: .success("three"))
    host.draw()
    #expect(host.texts == ["three"])
    #expect(requests == [1, 2, 3])
  }

  @Test("9.3 in every form of the view the former value is not displayed, unless the view says so")
  func forms() {
    let held = family[1]
    held.data.value = "one"
    var key = 1
    let hosts = [
      ViewHost { [family] in AsyncView(family[key]) { Text($0) } },
      ViewHost { [family] in
        AsyncView(family[key]) {
          Text($0)
        } loading: {
          ProgressView()
        } failure: { _, _ in
          EmptyView()
        } empty: { _ in
          EmptyView()
        }
      },
      ViewHost { [family] in
        AsyncView(status: family[key]) { status, actions in AsyncStatusView(status, actions: actions) { Text($0) } }
      },
    ]
    for host in hosts { #expect(host.texts == ["one"]) }
    key = 2
    for host in hosts {
      host.redraw()
      #expect(host.texts == ["(progress)"])
      host.close()
    }
    withExtendedLifetime(held) {}
  }

  @Test("10.1 an entry that is held elsewhere is displayed at once, and is fresh")
  func knownEntry() async {
    let known = family[2]
    known.data.value = "two"
    let host = makeHost()
    await answer(1, with: .success("one"))
    selection.key = 2
    host.redraw()
    #expect(host.texts == ["two"])
    await Task { @MainActor in }.value
    #expect(requests == [1])
    // Each later change of the entry, too.
    known.data.value = "two again"
    host.draw()
    #expect(host.texts == ["two again"])
  }

  @Test("10.2 a view holds the entry of its key alone, and releases it when it disappears")
  func release() async {
    let host = makeHost()
    await answer(1, with: .success("one"))
    await host.waitForTasks()
    #expect(family.entries.map(\.isHeld) == [true])
    selection.key = 2
    host.redraw()
    #expect(family.entries.map(\.key) == [2])
    await gate.arrived(for: 2)
    host.close()
    await gate.ended(2)
    await host.waitForTasks()
    #expect(family.entries.map(\.key) == [])
  }

  @Test("10.1 two views of one key make one request, and one of them may disappear")
  func twoViews() async {
    let first = makeHost()
    let second = makeHost()
    await gate.arrived(for: 1)
    first.close()
    await answer(1, with: .success("one"))
    second.draw()
    #expect(second.texts == ["one"])
    #expect(requests == [1])
  }

  @Test("9.4 without a key nothing is requested, and the former entry is released")
  func noKey() async {
    let host = makeHost(previous: .untilAnswered)
    await answer(1, with: .success("one"))
    await host.waitForTasks()
    host.draw()
    selection.key = nil
    host.redraw()
    #expect(host.texts == ["Select an article."])
    #expect(!family.entries.contains { $0.key == 1 })
    selection.key = 2
    host.redraw()
    #expect(host.texts == ["(progress)"])
    host.close()
  }

  @Test("9.6 the former value is displayed, if the view says so, until the new entry has a value")
  func keepsFormer() async {
    let host = makeHost(previous: .untilAnswered)
    await answer(1, with: .success("one"))
    host.draw()
    // Before the view's task has begun, while the entry loads, and through a key that was passed over.
    selection.key = 2
    host.redraw()
    #expect(host.texts == ["one"])
    await gate.arrived(for: 2)
    selection.key = 3
    host.redraw()
    await gate.arrived(for: 3)
    host.redraw()
    #expect(host.texts == ["one"])
    #expect(family[3].value == nil)
    await answer(3, with: .success("three"))
    host.draw()
    #expect(host.texts == ["three"])
    // From then on the entry's own status alone.
    family[3].reload()
    host.draw()
    #expect(host.texts == ["(progress)"])
    host.close()
  }

  @Test("9.6 the former value is displayed until the new entry has an error or no data", arguments: [true, false])
  func keepsFormerUntilError(fails: Bool) async {
    let host = makeHost(previous: .untilAnswered)
    await answer(1, with: .success("one"))
    selection.key = 2
    host.redraw()
    #expect(host.texts == ["one"])
    await answer(2, with: fails ? .failure(Offline()) : .success(nil))
    host.draw()
    #expect(host.texts == [fails ? "You are offline." : "There is nothing here yet.", "Try Again"])
    // The former value is removed for good.
    #expect(host.press("Try Again"))
    #expect(host.texts == ["(progress)"])
    host.close()
  }

  @Test("9.6 a former value is displayed by the policy: an empty one is no content")
  func keepsEmptyFormer() async {
    let policy = DisplayPolicy<String>(idle: .idle, isEmpty: \.isEmpty)
    let host = ViewHost { [family, selection] in
      AsyncView(status: family[selection.key ?? 0], previous: .untilAnswered, policy: policy) { status, _ in
        Text("\(status)")
      }
    }
    #expect(host.texts == ["idle"])
    await answer(1, with: .success(""))
    host.draw()
    #expect(host.texts == ["no data"])
    selection.key = 2
    host.redraw()
    await gate.arrived(for: 2)
    host.draw()
    #expect(host.texts == ["idle"])
    host.close()
  }

  @Test("6.6 with a pacer the former value stays until the new entry has one, and its indicator is never displayed")
  func keepsFormerAtAPace() async {
    let clock = ManualClock()
    let pacer = DisplayPacer(delay: .seconds(1), minimum: .seconds(1), clock: clock)
    let host = await selectSecond(at: pacer)
    #expect(host.texts == ["one"])
    await gate.arrived(for: 2)
    await clock.advance(by: .seconds(1))
    host.draw()
    #expect(host.texts == ["one"])
    await answer(2, with: .success("two"))
    await clock.advance(by: .seconds(1))
    host.draw()
    #expect(host.texts == ["two"])
  }

  @Test(
    "6.6, 9.6 a former value is displayed until the answer, and not for the minimum of an indicator that was not displayed"
  )
  func answerAfterTheDelay() async {
    let clock = ManualClock()
    let pacer = DisplayPacer(delay: .milliseconds(200), minimum: .milliseconds(500), clock: clock)
    let host = await selectSecond(at: pacer)
    await gate.arrived(for: 2)
    await clock.advance(by: .milliseconds(250))
    host.draw()
    #expect(host.texts == ["one"])
    await answer(2, with: .success("two"))
    host.draw()
    #expect(host.texts == ["two"])
  }

  @Test("6.6, 9.6 after a former value a reload is paced over the answer, and a first loading without a flicker")
  func pacedAfterFormer() async {
    let clock = ManualClock()
    let pacer = DisplayPacer(delay: .milliseconds(200), minimum: .milliseconds(500), clock: clock)
    let host = await selectSecond(at: pacer)
    await answer(2, with: .success("two"))
    host.draw()
    let second = family[2]
    second.reload()
    host.draw()
    #expect(host.texts == ["two"])
    await gate.arrived(3)
    gate.answer(call: 3, with: .success("two"))
    await second.settled()
    host.draw()
    selection.key = 3
    host.redraw()
    await gate.arrived(for: 3)
    #expect(host.texts == ["two"])
    // What is selected after a deletion: the former one has no value any more.
    second.forget()
    host.draw()
    #expect(host.texts == [])
    await clock.advance(by: .milliseconds(200))
    host.draw()
    #expect(host.texts == ["(progress)"])
    host.close()
  }

  @Test("15.3 each resource is requested, also where the former one would be released before it is made")
  func exchange() async {
    var requests = 0
    func makeResource() -> AsyncResource<Int> {
      AsyncResource {
        requests += 1
        return requests
      }
    }
    var resource: AsyncResource<Int>?
    let host = ViewHost {
      resource = nil
      resource = makeResource()
      return resource.map { AsyncView($0) { Text("\($0)") } }
    }
    for number in 1...20 {
      await host.waitForTasks()
      host.draw()
      #expect(host.texts == ["\(number)"])
      host.redraw()
    }
    host.close()
  }

  @Test(
    "9.6, 10.4 the value of a former key is displayed no more after a log-out, nor after a cancel", arguments: 0..<3)
  func formerAfterLogOut(way: Int) async throws {
    let gate = ManualServer<String?>()
    let family = AsyncFamily<Int, String> { id in try await gate.wait(for: id) }
    var selection = 1
    let host = ViewHost { AsyncView(family[selection], previous: .untilAnswered) { Text($0) } }
    await gate.arrived(for: 1)
    gate.answer(for: 1, with: .success("a secret"))
    await family[1].settled()
    host.draw()
    selection = 2
    host.redraw()
    await gate.arrived(for: 2)
    host.draw()
    #expect(host.texts == ["a secret"])
    switch way {
    case 0: try await family.forgetAll()
    case 1: try await family.forget(1)
    default: family[2].cancel()
    }
    host.draw()
    #expect(host.texts == (way == 1 ? ["(progress)"] : ["Not loaded.", "Try Again"]))
  }
}
