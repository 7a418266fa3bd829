// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Foundation
import SwiftUI
import Testing

/// A view of several resources, and the animation of a status.
@MainActor
@Suite(.bothOrders, .unpaced)
struct AsyncGroupTests {
  let texts = ManualServer<String?>()
  let numbers = ManualServer<Int?>()

  func makeResources() -> (AsyncResource<String>, AsyncResource<Int>) {
    (AsyncResource { [texts] in try await texts.wait() }, AsyncResource { [numbers] in try await numbers.wait() })
  }

  func makeHost(_ text: AsyncResource<String>, _ number: AsyncResource<Int>) -> ViewHost {
    ViewHost { AsyncGroup(text, number) { text, number in Text("\(text) \(number)") } }
  }

  @Test("15.3 several resources: both are requested at once, there is content when both have answered")
  func content() async {
    let (text, number) = makeResources()
    let host = makeHost(text, number)
    #expect(host.texts == ["(progress)"])
    await texts.arrived(1)
    await numbers.arrived(1)
    texts.answer(call: 1, with: .success("a"))
    await text.settled()
    for _ in 0..<10 { host.redraw() }
    #expect(host.texts == ["(progress)"])
    numbers.answer(call: 1, with: .success(1))
    await number.settled()
    host.draw()
    #expect(host.texts == ["a 1"])
  }

  @Test(
    "15.3 several resources: beside no data, and after a cancel, the button requests what has no value",
    arguments: [true, false])
  func nothingThere(isCancelled: Bool) async {
    let (text, number) = makeResources()
    let host = makeHost(text, number)
    await texts.arrived(1)
    await numbers.arrived(1)
    numbers.answer(call: 1, with: .success(1))
    await number.settled()
    if isCancelled { text.cancel() } else { texts.answer(call: 1, with: .success(nil)) }
    await text.settled()
    host.draw()
    #expect(host.texts == [isCancelled ? "Not loaded." : "There is nothing here yet.", "Try Again"])
    #expect(host.press("Try Again"))
    #expect(text.isRunning && !number.isRunning)
    host.draw()
    #expect(host.texts == ["(progress)"])
  }

  @Test("6.4, 15.3 several resources: in the place of content the button displays the indicator")
  func retryInPlace() async {
    let (text, number) = makeResources()
    (text.data.value, number.data.value) = ("old", 1)
    let host = makeHost(text, number)
    text.reload()
    await texts.arrived(1)
    texts.answer(call: 1, with: .failure(Offline()))
    await text.settled()
    host.draw()
    #expect(host.texts == ["You are offline.", "Try Again"])
    #expect(host.press("Try Again"))
    host.draw()
    #expect(host.texts == ["(progress)"])
  }

  @Test("15.6 several resources: a banner that was closed returns when another request fails")
  func closedBanner() async throws {
    let (text, number) = makeResources()
    (text.data.value, number.data.value) = ("old", 1)
    let host = makeHost(text, number)
    for call in 1...2 {
      let pull = try #require(host.refresh())
      await texts.arrived(call)
      await numbers.arrived(call)
      texts.answer(call: call, with: .failure(Offline()))
      numbers.answer(call: call, with: .success(1))
      await pull.value
      host.draw()
      #expect(host.texts.contains("Not updated"))
      #expect(host.press("Dismiss"))
      host.draw()
      #expect(!host.texts.contains("Not updated"))
    }
  }

  @Test("15.11 several resources have one pacer: that of the app where none is given")
  func pacing() async {
    let clock = ManualClock()
    let options = LoadOptions(clock: clock)
    let text = AsyncResource(options: options) { [texts] in try await texts.wait() }
    let number = AsyncResource(options: options) { [numbers] in try await numbers.wait() }
    DisplayPacer.app = DisplayPacer()
    let host = makeHost(text, number)
    DisplayPacer.app = nil
    #expect(host.texts == [])
    await texts.arrived(1)
    await numbers.arrived(1)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(150))
    texts.answer(call: 1, with: .success("a"))
    await text.settled()
    host.redraw()
    #expect(host.texts == [])
    // The second one lasts for 50 ms more: it is one loading of both.
    await clock.advance(by: .milliseconds(50))
    host.draw()
    #expect(host.texts == ["(progress)"])
    numbers.answer(call: 1, with: .success(1))
    await number.settled()
    host.draw()
    #expect(host.texts == ["(progress)"])
    await clock.advance(by: .milliseconds(500))
    host.draw()
    #expect(host.texts == ["a 1"])
  }

  @Test(
    "6.6, 15.11 several resources: other ones have a pacing of their own, and an answer in time displays no indicator")
  func pacingOfOthers() async {
    let clock = ManualClock()
    let pacer = DisplayPacer(delay: .seconds(1), minimum: .seconds(1), clock: clock)
    let (first, second) = (makeResources(), makeResources())
    var displayed = first
    let host = ViewHost { AsyncGroup(displayed.0, displayed.1, pacer: pacer) { Text("\($0) \($1)") } }
    await texts.arrived(1)
    await numbers.arrived(1)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    host.draw()
    #expect(host.texts == ["(progress)"])
    displayed = second
    host.redraw()
    #expect(host.texts == [])
    await texts.arrived(2)
    await numbers.arrived(2)
    texts.answer(call: 2, with: .success("b"))
    numbers.answer(call: 2, with: .success(2))
    await second.0.settled()
    await second.1.settled()
    host.draw()
    #expect(host.texts == ["b 2"])
  }

  @Test("15.3 several resources: asyncAnimation animates their status, too")
  func animatedGroup() async {
    let (text, number) = makeResources()
    let host = ViewHost { AsyncGroup(text, number) { Text("\($0) \($1)") }.asyncAnimation() }
    await texts.arrived(1)
    await numbers.arrived(1)
    texts.answer(call: 1, with: .success("a"))
    numbers.answer(call: 1, with: .success(1))
    await text.settled()
    await number.settled()
    host.draw()
    #expect(host.texts == ["a 1"] && host.animations.count == 1)
  }

  @Test("15.3 several resources: the button requests again what has failed, and nothing else")
  func retry() async {
    let (text, number) = makeResources()
    let host = makeHost(text, number)
    await texts.arrived(1)
    await numbers.arrived(1)
    texts.answer(call: 1, with: .failure(Offline()))
    numbers.answer(call: 1, with: .success(1))
    await text.settled()
    await number.settled()
    host.draw()
    #expect(host.texts == ["You are offline.", "Try Again"])
    #expect(host.press("Try Again"))
    #expect(text.isRunning && !number.isRunning)
    await texts.arrived(2)
    texts.answer(call: 2, with: .success("a"))
    await text.settled()
    host.draw()
    #expect(host.texts == ["a 1"])
  }

  @Test("15.3 several resources: a pull refreshes all, and ends when all have ended; the content stays")
  func pull() async throws {
    let (text, number) = makeResources()
    (text.data.value, number.data.value) = ("a", 1)
    let host = makeHost(text, number)
    let pull = try #require(host.refresh())
    await texts.arrived(1)
    await numbers.arrived(1)
    host.redraw()
    #expect(host.texts == ["a 1"])
    texts.answer(call: 1, with: .success("b"))
    numbers.answer(call: 1, with: .success(2))
    await pull.value
    host.draw()
    #expect(host.texts == ["b 2"])
  }

  @Test("3.4 several resources: their requests end with the view, and one that another caller wants does not")
  func disappearing() async {
    let (text, number) = makeResources()
    let load = number.start()
    let host = makeHost(text, number)
    await texts.arrived(1)
    await numbers.arrived(1)
    host.close()
    await texts.ended(1)
    await text.settled()
    #expect(!text.isRunning && text.error == nil && number.isRunning)
    numbers.answer(call: 1, with: .success(1))
    _ = await load.outcome()
    #expect(number.value == 1)
  }

  @Test("15.3 a status that follows another is animated if that is wanted, and neither the first nor another value")
  func animation() async {
    let (text, _) = makeResources()
    for isAnimated in [false, true] {
      text.reset()
      let host = ViewHost { AsyncView(text) { Text($0) }.asyncAnimation(isAnimated ? .default : nil) }
      host.redraw()
      #expect(host.animations == [])
      text.data.value = "a"
      host.draw()
      #expect(host.animations == (isAnimated ? [.default] : []))
      text.data.value = "b"
      host.draw()
      #expect(host.texts == ["b"])
      #expect(host.animations.count == (isAnimated ? 1 : 0))
      host.close()
    }
  }

  @Test("15.3 several resources: another one in the place of a part leaves the requests of the others alone")
  func otherPart() async {
    let (text, number) = makeResources()
    let other = makeResources().1
    var displayed = number
    let host = ViewHost { AsyncGroup(text, displayed) { Text("\($0) \($1)") } }
    await texts.arrived(1)
    await numbers.arrived(1)
    displayed = other
    host.redraw()
    await numbers.arrived(2)
    await numbers.ended(1)
    #expect(texts.callCount == 1 && text.isRunning && !number.isRunning)
    texts.answer(call: texts.callCount, with: .success("a"))
    numbers.answer(call: 2, with: .success(2))
    await text.settled()
    await other.settled()
    host.draw()
    #expect(host.texts == ["a 2"])
  }

  @Test("15.3 several resources: a screen that is back is loading, also after a cancel and a log-out")
  func back() async {
    let (text, number) = makeResources()
    let host = makeHost(text, number)
    await texts.arrived(1)
    await numbers.arrived(1)
    host.cover()
    await text.settled()
    await number.settled()
    host.uncover()
    #expect(host.texts == ["(progress)"])
    await texts.arrived(2)
    await numbers.arrived(2)
    texts.answer(call: 2, with: .success("a"))
    numbers.answer(call: 2, with: .success(1))
    await host.waitForTasks()
    host.draw()
    #expect(host.texts == ["a 1"])
    host.cover()
    text.forget()
    number.forget()
    host.uncover()
    #expect(host.texts == ["(progress)"])
    await texts.arrived(3)
    await numbers.arrived(3)
    for resource in [text.data.cancel, number.data.cancel] { resource() }
    host.draw()
    #expect(host.texts == ["Not loaded.", "Try Again"])
    host.cover()
    host.uncover()
    #expect(host.texts == ["(progress)"])
    host.close()
    await host.waitForTasks()
  }

  @Test("15.3 several resources: where all have answered, and that is nothing, the button requests all")
  func emptyTogether() {
    let (text, number) = makeResources()
    (text.data.value, number.data.value) = ("", 0)
    let policy = DisplayPolicy<(String, Int)>(isEmpty: { $0.isEmpty && $1 == 0 })
    let host = ViewHost { AsyncGroup(text, number, policy: policy) { Text("\($0) \($1)") } }
    #expect(host.texts == ["There is nothing here yet.", "Try Again"])
    #expect(host.press("Try Again"))
    #expect(text.isRunning && number.isRunning)
    text.cancel()
    number.cancel()
  }

  @Test("15.3 several resources: where the only one that is missing has no key, there is no button")
  func withoutKey() async {
    let text = AsyncResource(following: Input<Int?>(nil)) { key in "\(key)" }
    let number = makeResources().1
    let host = makeHost(text, number)
    await numbers.arrived(1)
    numbers.answer(call: 1, with: .success(1))
    await host.waitForTasks()
    host.draw()
    #expect(host.texts == ["Not loaded."])
    number.forget()
    host.draw()
    #expect(host.texts == ["Not loaded.", "Try Again"])
    #expect(host.press("Try Again"))
    #expect(number.isRunning && !text.isRunning)
    number.cancel()
  }
}
