// SPDX-License-Identifier: MIT
import Accessibility
import AsyncState
import AsyncStateTesting
@testable import AsyncStateUI
import Foundation
import SwiftUI
import Testing

/// What an app sets once for all its screens, and what the standard views say.
@MainActor
@Suite(.serialized, .bothOrders, .unpaced)
struct AsyncLooksTests {
  struct Broken: Error {
    var token = "secret"
  }

  let gate = ManualServer<String?>()

  func makeResource() -> AsyncResource<String> {
    AsyncResource { [gate] in try await gate.wait() }
  }

  func ended(_ resource: AsyncResource<String>) async {
    for await isRunning in resource.observed.isRunning.values where !isRunning { return }
  }

  struct App: View {
    let resource: AsyncResource<String>
    var body: some View {
      AsyncView(resource) { Text($0) }
        .asyncLoading { Text("One moment") }
        .asyncFailure { error, actions in
          Text(verbatim: "\(type(of: error))")
          Button("Again", action: actions.retry)
        }
        .asyncEmpty { _ in Text("Nothing") }
    }
  }

  @Test("15.4 the loading, failure and empty views of an app are set once, above all screens")
  func appViews() {
    let resource = makeResource()
    let host = ViewHost { App(resource: resource) }
    #expect(host.texts == ["One moment"])
    resource.data.error = Broken()
    host.draw()
    #expect(host.texts == ["Broken", "Again"])
    #expect(host.press("Again"))
    #expect(host.texts == ["One moment"])
    resource.data.value = nil
    host.draw()
    #expect(host.texts == ["Nothing"])
  }

  @Test("15.4 an error is displayed by its text for people, or by what the app says, never by its description")
  func errorText() {
    let resource = makeResource()
    resource.data.error = Broken()
    let host = ViewHost { AsyncView(resource) { Text($0) } }
    #expect(host.texts == ["Something went wrong. Please try again.", "Try Again"])
    let own = ViewHost {
      AsyncView(resource) { Text($0) }.asyncErrorText { _ in "Oh." }
    }
    #expect(own.texts == ["Oh.", "Try Again"])
    AsyncTexts.app.failure = { _ in "For all screens" }
    AsyncTexts.app.retry = "Once more"
    defer { AsyncTexts.app = AsyncTexts() }
    host.redraw()
    #expect(host.texts == ["For all screens", "Once more"])
  }

  @Test("15.5 VoiceOver reads a failure and an empty screen when they appear, and knows the indicator by a name")
  func announcements() {
    AccessibilityNotification.posts = []
    let resource = makeResource()
    let host = ViewHost { AsyncView(resource, policy: DisplayPolicy(errors: .never)) { Text($0) } }
    #expect(host.labels == ["Loading"])
    resource.data.error = Broken()
    host.draw()
    host.redraw()
    #expect(AccessibilityNotification.posts == ["Something went wrong. Please try again."])
    resource.data.value = nil
    host.draw()
    #expect(AccessibilityNotification.posts.last == "There is nothing here yet.")
    resource.data.value = "a"
    resource.data.error = Broken()
    host.draw()
    host.redraw()
    #expect(AccessibilityNotification.posts.count == 3)
    #expect(host.texts.last == "a")
  }

  @Test(
    "15.5 VoiceOver reads a retry that fails again: in a banner, and within the delay of a pacer",
    arguments: [true, false])
  func announcedAgain(isBanner: Bool) async {
    // Other tests run meanwhile.
    let text = isBanner ? "Banner has failed." : "Screen has failed."
    var reads: Int { AccessibilityNotification.posts.count { $0 == text } }
    let resource = makeResource()
    if isBanner { resource.data.value = "old" }
    let pacer = DisplayPacer(delay: .seconds(1), minimum: .seconds(1), clock: ManualClock())
    let host = ViewHost {
      AsyncView(resource, pacer: isBanner ? nil : pacer) { Text($0) }.asyncErrorText { _ in text }
    }
    let before = reads
    let first = resource.refresh()
    for number in 1...2 {
      await gate.arrived(number)
      gate.answer(call: number, with: .failure(Broken()))
      await resource.settled()
      host.draw()
      #expect(reads == before + number)
      if number == 1 { #expect(host.press("Try Again")) }
    }
    _ = await first.outcome()
  }

  @Test("15.6 a banner that was closed stays so while the next request runs, also when the screen is back")
  func closedBanner() async {
    let resource = makeResource()
    resource.data.value = "old"
    let host = ViewHost { AsyncView(resource) { Text($0) } }
    let pull = host.refresh()
    await gate.arrived(1)
    gate.answer(call: 1, with: .failure(Broken()))
    await pull?.value
    host.draw()
    #expect(host.press("Dismiss"))
    host.cover()
    host.uncover()
    await gate.arrived(2)
    host.redraw()
    #expect(resource.isRunning && host.texts == ["old"])
    resource.cancel()
    host.redraw()
    #expect(host.texts == ["old"], "a cancel is no failure")
  }

  @Test("15.6 a banner that was closed stays so where its content is hidden meanwhile, in each view, until a success")
  func closedForGood() {
    let text = "Closed for good \(IdentityChange.order)"
    var reads: Int { AccessibilityNotification.posts.count { $0 == text } }
    let resource = makeResource()
    resource.data.value = "old"
    let policy = DisplayPolicy<String>(errors: .never)
    let hosts = (0...1).map { _ in
      ViewHost { AsyncView(resource, policy: policy) { Text($0) }.asyncErrorText { _ in text } }
    }
    func draw() -> [[String]] {
      for host in hosts { host.draw() }
      return hosts.map(\.texts)
    }
    let banner = ["Not updated", text, "Try Again", "old"]
    resource.data.error = Broken()
    #expect(draw() == [banner, banner])
    let before = reads
    resource.reload()
    #expect(draw() == [["(progress)"], ["(progress)"]])
    resource.cancel()
    #expect(draw() == [banner, banner] && reads == before)
    #expect(hosts[0].press("Dismiss"))
    resource.reload()
    #expect(draw() == [["(progress)"], ["(progress)"]])
    resource.cancel()
    #expect(draw() == [["old"], ["old"]] && reads == before)
    resource.data.value = "new"
    #expect(draw() == [["new"], ["new"]])
    resource.data.error = Broken()
    #expect(draw().allSatisfy { $0.contains(text) } && reads > before)
    for host in hosts { host.close() }
  }

  @Test("15.6 a banner that was closed for one resource does not hide that of another in the same view")
  func bannerOfAnother() {
    let resources = [makeResource(), makeResource()]
    for resource in resources { resource.data.value = "old" }
    var shown = 0
    let host = ViewHost { AsyncView(resources[shown], policy: DisplayPolicy(errors: .never)) { Text($0) } }
    for number in 0...1 {
      shown = number
      resources[number].data.error = Broken()
      host.redraw()
      #expect(host.texts.contains("Not updated"))
      #expect(host.press("Dismiss"))
    }
  }

  @Test("15.5 a placeholder requests nothing for its sample")
  func sample() async {
    let resource = makeResource()
    let authors = AsyncFamily<String, String> { _ in "Ann" }
    let host = ViewHost {
      AsyncView(resource, placeholder: "sample") { title in
        Text(title)
        AsyncView(authors[title]) { Text($0) }
      }
    }
    await gate.arrived(1)
    await authors.settled()
    #expect(authors["sample"].snapshot.isUntouched)
    gate.answer(call: 1, with: .success("a"))
    await resource.settled()
    host.draw()
    await authors["a"].load()
    host.draw()
    #expect(host.texts == ["a", "Ann"])
  }

  @Test("15.6 a banner about a refresh that failed can be closed, and returns when another one fails")
  func banner() async {
    let resource = makeResource()
    resource.data.value = "old"
    let host = ViewHost { AsyncView(resource, policy: DisplayPolicy(errors: .never)) { Text($0) } }
    let texts = ["Not updated", "Something went wrong. Please try again.", "Try Again", "old"]
    for number in [1, 2] {
      let pull = host.refresh()
      host.draw()
      await gate.arrived(number)
      gate.answer(call: number, with: .failure(Broken()))
      await pull?.value
      host.draw()
      #expect(host.texts == texts)
      #expect(host.press("Dismiss"))
      host.redraw()
      #expect(host.texts == ["old"])
    }
    // Closed, it does not come back by a request that begins.
    let pull = host.refresh()
    host.draw()
    #expect(host.texts == ["old"])
    await gate.arrived(3)
    gate.answer(call: 3, with: .success("new"))
    await pull?.value
    host.draw()
    #expect(host.texts == ["new"])
  }

  @MainActor
  final class Router {
    var isPresented = true
  }

  @Test("15.3 a pull in a sheet does not refresh the screen below, if that screen says so; its own list may")
  func pullsInSheets() async throws {
    for isRefreshable in [true, false] {
      let resource = makeResource()
      resource.data.value = "a"
      let router = Router()
      let host = ViewHost {
        AsyncView(resource, isRefreshable: isRefreshable) { value in
          List { Text(value) }
            .sheet(isPresented: Binding(get: { router.isPresented }, set: { router.isPresented = $0 })) {
              List { Text("settings") }
            }
        }
      }
      #expect(host.texts == ["a", "settings"])
      #expect((host.pullList(1) != nil) == isRefreshable)
      #expect((host.pullList(0) != nil) == isRefreshable)
      host.close()
    }
  }

  @Test("15.3 a refresh that an app places itself waits for the end, and is not cancelled with the task that waits")
  func ownRefresh() async throws {
    let resource = makeResource()
    resource.data.value = "old"
    let host = ViewHost {
      AsyncView(status: resource, isRefreshable: false) { status, actions in
        List { AsyncStatusView(status, actions: actions) { Text($0) } }
          .refreshable { await actions.refresh() }
        List { Text("other") }
      }
    }
    #expect(host.pullList(1) == nil)
    let pull = try #require(host.pullList(0))
    await gate.arrived(1)
    host.redraw()
    #expect(resource.isRunning)
    gate.answer(call: 1, with: .success("new"))
    await pull.value
    await ended(resource)
    host.draw()
    #expect(host.texts == ["new", "other"])
  }

  @Test("6.4 the retry of an error in the place of content reloads, and beside content it refreshes")
  func retry() {
    let resource = makeResource()
    resource.data.value = "old"
    resource.data.error = Broken()
    let host = ViewHost { AsyncView(resource) { Text($0) } }
    #expect(host.press("Try Again"))
    #expect(resource.snapshot.activity?.mode == .reload)
    #expect(host.texts == ["(progress)"])
    resource.cancel()
    let beside = ViewHost { AsyncView(resource, policy: DisplayPolicy(errors: .never)) { Text($0) } }
    #expect(beside.press("Try Again"))
    #expect(resource.snapshot.activity?.mode == .refresh)
    #expect(beside.texts.last == "old")
  }

  @Test("15.3 a resource that is created at each redraw is noticed; one that others hold, or that answered, is none")
  func madeInBody() {
    func isNoticed(_ make: (Int) -> AsyncResource<String>) -> Bool {
      let memory = ViewMemory<String>()
      var messages: [String] = []
      memory.warn = { messages.append($0) }
      for number in 0..<9 { _ = memory.status(of: make(number), .hidden, DisplayPolicy(), nil, isPresented: false) }
      #expect(messages.count <= 1)
      return messages.first?.contains("`body`") == true
    }
    #expect(isNoticed { _ in AsyncResource { nil } })
    let family = (0..<9).map { _ in AsyncResource<String> { nil } }
    #expect(!isNoticed { family[$0] })
    #expect(
      !isNoticed { _ in
        let resource = AsyncResource<String> { nil }
        resource.data.value = "a"
        return resource
      })
  }

  struct Title: View {
    let text: String
    @Environment(\.redactionReasons) private var reasons
    var body: some View { Text(reasons.contains(.placeholder) ? "[\(text)]" : text) }
  }

  @Test("15.5 a sample is redacted while a value is on its way, and never displayed as the value")
  func placeholder() {
    let resource = makeResource()
    let host = ViewHost { AsyncView(resource, placeholder: "sample") { Title(text: $0) } }
    #expect(host.texts == ["[sample]"])
    #expect(host.labels == ["Loading"])
    resource.data.error = Broken()
    host.draw()
    #expect(host.texts == ["Something went wrong. Please try again.", "Try Again"])
    #expect(host.press("Try Again"))
    #expect(host.texts == ["[sample]"])
    resource.data.value = "a"
    host.draw()
    #expect(host.texts == ["a"] && host.labels == [])
  }

  @Test("15.5 a placeholder is there at once, its indicator after the pacer's delay, and stays for the minimum")
  func indicatorLater() async {
    let (resource, clock) = (makeResource(), ManualClock())
    let pacer = DisplayPacer(delay: .seconds(1), minimum: .seconds(1), clock: clock)
    let host = ViewHost { AsyncView(resource, placeholder: "sample", pacer: pacer) { Title(text: $0) } }
    #expect(host.texts == ["[sample]"])
    await gate.arrived(1)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    host.draw()
    #expect(host.texts == ["[sample]", "(progress)"])
    gate.answer(call: 1, with: .success("a"))
    await resource.settled()
    host.draw()
    #expect(host.texts == ["[sample]", "(progress)"])
    await clock.advance(by: .seconds(1))
    host.draw()
    #expect(host.texts == ["a"])
  }

  @Test("15.5 with a pacer an answer in time takes the place of the placeholder, and no indicator was there")
  func noIndicator() async {
    let (resource, clock) = (makeResource(), ManualClock())
    let pacer = DisplayPacer(delay: .seconds(1), minimum: .seconds(1), clock: clock)
    let host = ViewHost { AsyncView(resource, placeholder: "sample", pacer: pacer) { Title(text: $0) } }
    await gate.arrived(1)
    gate.answer(call: 1, with: .success("a"))
    await resource.settled()
    host.draw()
    #expect(host.texts == ["a"])
  }
}
