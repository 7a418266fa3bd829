// SPDX-License-Identifier: MIT
import Accessibility
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Foundation
import SwiftUI
import Testing

/// Content that becomes empty, that slides out, and that has a sheet.
@MainActor
@Suite(.serialized, .bothOrders, .unpaced)
struct ContentTests {
  /// A list with a memory: how often it was made.
  struct Rows: View {
    let rows: [Int]
    @State private var memory = Memory()
    @MainActor
    final class Memory {
      nonisolated init() {}
      var draws = 0
    }
    var body: some View {
      let _ = memory.draws += 1
      List { Text("\(rows.count) rows, drawing \(memory.draws)") }
    }
  }

  @Test("15.3 a list that deletes its last row stays below the message, with its state; what is forgotten does not")
  func lastRow() {
    let resource = AsyncResource<[Int]> { nil }
    resource.data.value = [1]
    let host = ViewHost { AsyncView(resource, policy: .emptyIsNoData()) { Rows(rows: $0) } }
    resource.data.value = []
    host.draw()
    #expect(host.texts == ["0 rows, drawing 2", "There is nothing here yet.", "Try Again"])
    resource.data.value = [2]
    host.draw()
    #expect(host.texts == ["1 rows, drawing 3"])
    resource.data.value = []
    host.draw()
    resource.forget()
    host.draw()
    #expect(host.texts == ["(progress)"])
    host.close()
  }

  @Test("15.3 a first value that is empty is a message alone, and so is that of another resource")
  func firstEmptyValue() {
    let resources = (0..<2).map { _ in AsyncResource<[Int]> { nil } }
    resources[0].data.value = [1]
    resources[1].data.value = []
    var shown = 0
    let host = ViewHost { AsyncView(resources[shown], policy: .emptyIsNoData()) { Rows(rows: $0) } }
    shown = 1
    host.redraw()
    #expect(host.texts == ["There is nothing here yet.", "Try Again"])
    host.close()
  }

  /// A screen that is presented, and displays the article of a key.
  @MainActor
  private final class Selected {
    let key = Input<Int?>(1)
    private(set) lazy var detail = AsyncResource(following: key) { "article \($0)" }
    var isPresented = true

    static func display() async -> (screen: Selected, host: ViewHost) {
      let screen = Selected()
      await screen.detail.load()
      let host = ViewHost { AsyncView(screen.detail) { Text($0) }.presented(screen.isPresented) }
      #expect(host.texts == ["article 1"])
      return (screen, host)
    }
  }

  @Test(
    "15.3 a screen that slides out keeps what it displays without its key; one that is presented does not")
  func slidingOut() async {
    let (screen, host) = await Selected.display()
    (screen.isPresented, _) = (false, screen.key.write(nil))
    host.redraw()
    #expect(host.texts == ["article 1"])
    screen.isPresented = true
    host.redraw()
    #expect(host.texts == ["Not loaded."] && screen.detail.value == nil)
    host.close()
  }

  @Test("15.3, 9.4 a screen that was presented once, and stays, displays nothing of a former key")
  func deselectedInAColumn() async {
    let (screen, host) = await Selected.display()
    // The window is wider: the screen is a column now.
    screen.isPresented = false
    host.redraw()
    screen.key.write(2)
    await screen.detail.settled()
    host.draw()
    #expect(host.texts == ["article 2"])
    screen.key.write(nil)
    host.redraw()
    #expect(host.texts == ["Not loaded."])
    host.close()
  }

  @Test("15.3 a list in a sheet is pulled for the screen below, unless the sheet disables that")
  func sheet() async throws {
    for isDisabled in [false, true] {
      let gate = ManualServer<String?>()
      let resource = AsyncResource { try await gate.wait() }
      resource.data.value = "a"
      let isOpen = Binding(get: { true }, set: { _ in })
      let host = ViewHost {
        AsyncView(resource) { text in
          Text(text).sheet(isPresented: isOpen) {
            if isDisabled { List { Text("filter") }.asyncPullDisabled() } else { List { Text("filter") } }
          }
        }
      }
      #expect((host.pullList() == nil) == isDisabled)
      host.close()
      resource.cancel()
      await host.waitForTasks()
    }
  }

  @Test("15.6 the parts of a banner stand below one another, uncut from the accessibility sizes on; else three lines")
  func largeTexts() {
    for (size, layout) in [(DynamicTypeSize.large, "horizontal"), (.accessibility1, "vertical")] {
      let host = ViewHost {
        StaleBanner(AsyncActions(error: Offline())) { Text("old") }.environment(\.dynamicTypeSize, size)
      }
      #expect(host.layouts == [layout] && host.lineLimits == (size == .large ? [3] : []))
      host.close()
    }
  }

  @Test(
    "15.5, 15.6 ten failing polls are one announcement, until there is another text or a person has retried",
    arguments: [false, true])
  func polls(hasContent: Bool) {
    // Other tests run meanwhile.
    let text = "Poll \(hasContent) \(IdentityChange.order) has failed"
    let resource = AsyncResource<String> { nil }
    if hasContent { resource.data.value = "old" }
    let host = ViewHost {
      AsyncView(resource, policy: DisplayPolicy(errors: .never)) { Text($0) }.asyncErrorText { error in
        error is Offline ? text : text + " late"
      }
    }
    func fail(_ error: any Error) {
      resource.refresh()
      host.draw()
      resource.data.error = error
      host.draw()
    }
    var count: Int { AccessibilityNotification.posts.count { $0.hasPrefix(text) } }
    for _ in 0..<10 { fail(Offline()) }
    #expect(count == 1)
    fail(LoadTimeoutError())
    #expect(count == 2)
    if hasContent {
      #expect(host.press("Dismiss"))
      fail(LoadTimeoutError())
      #expect(host.texts == ["old"] && count == 2)
      fail(Offline())
      #expect(host.texts.contains(text) && count == 3)
    } else {
      #expect(host.press("Try Again"))
      fail(LoadTimeoutError())
      #expect(count == 3)
    }
    host.close()
  }

  @Test("15.8 a list that deletes its last row beside a refresh that has failed stays below the error, with its state")
  func lastRowBesideAnError() async {
    let commit = ManualServer<Void>()
    let resource = AsyncResource<[Int]> { throw Offline() }
    resource.data.value = [1]
    resource.invalidate()
    let host = ViewHost { AsyncView(resource, policy: .emptyIsNoData()) { Rows(rows: $0) } }
    await host.waitForTasks()
    host.draw()
    #expect(host.texts == ["Not updated", "You are offline.", "Try Again", "1 rows, drawing 1"])
    let deletion = deleteAll(of: resource, awaiting: commit)
    await commit.arrived(1)
    host.draw()
    #expect(host.texts == ["0 rows, drawing 2", "You are offline.", "Try Again"])
    // Pulled, it keeps its control.
    resource.refresh()
    host.draw()
    #expect(host.texts == ["0 rows, drawing 2", "(progress)"])
    resource.cancel()
    commit.answer(call: 1, with: .success(()))
    _ = await deletion.value
    host.close()
  }

  @Test("15.5 a screen that was covered and is back does not read a banner or a message again")
  func readOnce() {
    let failing = AsyncResource<String> { nil }
    failing.data.value = "old"
    failing.data.error = Offline()
    let waiting = AsyncResource<String>(options: LoadOptions(gate: LoadGate(isOpen: false))) { nil }
    waiting.start()
    let host = ViewHost {
      VStack {
        AsyncView(failing, policy: DisplayPolicy(errors: .never)) { Text($0) }
        AsyncView(waiting) { Text($0) }
        StaleBanner(AsyncActions(error: Offline())) { Text("own") }
      }
    }
    #expect(host.texts.count { $0 == "You are offline." } == 2 && host.texts.contains("Waiting for a connection."))
    host.redraw()
    let before = AccessibilityNotification.posts.count
    host.cover()
    host.uncover()
    #expect(AccessibilityNotification.posts.count == before)
    host.close()
    waiting.cancel()
  }
}
