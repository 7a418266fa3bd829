// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Foundation
import SwiftUI
import Testing

/// What is displayed for each status, and what the buttons there do.
extension AsyncViewTests {
  @Test("6.4 an error is displayed with a button that requests again")
  func retry() async {
    let resource = makeResource()
    let host = makeHost(resource)
    await gate.arrived(1)
    gate.answer(call: 1, with: .failure(Offline()))
    await ended(resource)
    host.draw()
    #expect(host.texts == ["You are offline.", "Try Again"])
    #expect(host.press("Try Again"))
    #expect(host.texts == ["(progress)"])
    await gate.arrived(2)
    gate.answer(call: 2, with: .success(nil))
    await ended(resource)
    host.draw()
    #expect(host.texts == ["There is nothing here yet.", "Try Again"])
    #expect(counter.requests == 2)
  }

  @Test("4 a retry keeps the content where the policy keeps it beside an error, and a banner shows the error")
  func retryThatKeepsContent() async {
    let resource = makeResource()
    resource.data.value = "old"
    resource.data.error = Offline()
    let host = ViewHost {
      AsyncView(resource, policy: DisplayPolicy(errors: .never)) { Text($0) }
    }
    // What is beside an error is stale: the view requests it.
    await gate.arrived(1)
    gate.answer(call: 1, with: .failure(Offline()))
    await ended(resource)
    host.draw()
    #expect(host.texts == ["Not updated", "You are offline.", "Try Again", "old"])
    #expect(host.press("Try Again"))
    #expect(resource.isRunning)
    #expect(host.texts.last == "old")
    await gate.arrived(2)
    gate.answer(call: 2, with: .success("new"))
    await ended(resource)
    host.draw()
    #expect(host.texts == ["new"])
  }

  @Test("6.4 a reload hides the content; a retry keeps it")
  func actions() async {
    let resource = makeResource()
    resource.data.value = "old"
    let host = ViewHost {
      AsyncView(status: resource) { status, actions in
        AsyncStatusView(status, actions: actions) { Text($0) }
        Button("reload", action: actions.reload)
        Button("retry", action: actions.retry)
      }
    }
    #expect(host.press("retry"))
    #expect(resource.isRunning)
    #expect(host.texts == ["old", "reload", "retry"])
    #expect(host.press("reload"))
    #expect(host.texts == ["(progress)", "reload", "retry"])
    resource.cancel()
    host.draw()
    #expect(host.texts == ["old", "reload", "retry"])
  }

  @Test("6.5 actions of one's own are for previews and tests")
  func ownActions() {
    var calls: [String] = []
    let actions = AsyncActions(error: Offline(), retry: { calls.append("retry") }, reload: { calls.append("reload") })
    let host = ViewHost { AsyncStatusView(AsyncStatus.data("a"), actions: actions) { Text($0) } }
    #expect(host.texts == ["Not updated", "You are offline.", "Try Again", "a"])
    #expect(host.press("Try Again"))
    actions.reload()
    #expect(calls == ["retry", "reload"])
    AsyncActions().retry()
    AsyncActions().reload()
    #expect(AsyncActions().error == nil)
  }

  @Test("15.3 one's own views for each status")
  func ownViews() {
    let resource = makeResource()
    let host = ViewHost {
      AsyncView(resource) {
        Text($0)
      } loading: {
        Text("wait")
      } failure: { error, _ in
        Text("oh: \(error.localizedDescription)")
      } empty: { _ in
        Text("none")
      }
    }
    #expect(host.texts == ["wait"])
    resource.data.error = Offline()
    host.draw()
    #expect(host.texts == ["oh: You are offline."])
    resource.data.value = nil
    host.draw()
    #expect(host.texts == ["none"])
  }

  @Test("15.3 a gallery shows every status of a screen")
  func gallery() {
    let host = ViewHost {
      AsyncGallery(data: "Hello") { status, actions in
        AsyncStatusView(status, actions: actions) { Text($0) }
      }
    }
    #expect(
      host.texts == [
        "Loading", "(progress)", "Error", "The request has failed.", "Try Again", "No data",
        "There is nothing here yet.", "Try Again", "Idle", "Not loaded.", "Try Again", "Waiting",
        "Waiting for a connection.",
        "Data", "Hello",
      ])
    #expect(host.press("Try Again"))
  }

  @Test("4, 15.4 after a cancel or a log-out nothing is said of what was not loaded; without a key there is no button")
  func idle() async throws {
    let gate = ManualServer<String?>()
    let selection = Input<Int?>(1)
    let detail = AsyncResource(following: selection) { _ in try await gate.wait() }
    let host = ViewHost { AsyncView(detail) { Text($0) } }
    await gate.arrived(1)
    detail.cancel()
    host.draw()
    #expect(host.texts == ["Not loaded.", "Try Again"])
    #expect(host.press("Try Again"))
    await gate.arrived(2)
    gate.answer(call: 2, with: .success("a"))
    await detail.settled()
    detail.forget()
    host.draw()
    #expect(host.texts == ["Not loaded.", "Try Again"])
    selection.write(nil)
    host.draw()
    #expect(host.texts == ["Not loaded."])
    let own = ViewHost { AsyncView(detail) { Text($0) }.asyncIdle { _ in Text("Select an article.") } }
    own.draw()
    #expect(own.texts == ["Select an article."])
  }

  @Test("3.3, 15.3 a screen that was left while it loaded, and is back, is loading", arguments: [true, false])
  func back(isPaced: Bool) async {
    let gate = ManualServer<String?>()
    let clock = ManualClock()
    let resource = AsyncResource { try await gate.wait() }
    let pacer = DisplayPacer(delay: .seconds(1), minimum: .seconds(2), clock: clock)
    let host = ViewHost { AsyncView(resource, pacer: isPaced ? pacer : nil) { Text($0) } }
    await gate.arrived(1)
    if isPaced { await clock.advance(by: .seconds(1)) }
    host.draw()
    #expect(host.texts == ["(progress)"])
    host.cover()
    await resource.settled()
    await clock.advance(by: .seconds(10))
    host.draw()
    host.uncover()
    let meanwhile = isPaced ? [] : ["(progress)"]
    #expect(host.texts == meanwhile)
    await gate.arrived(2)
    host.draw()
    #expect(host.texts == meanwhile)
    // A cancel by the user is another thing.
    resource.cancel()
    await host.waitForTasks()
    host.draw()
    #expect(host.texts == ["Not loaded.", "Try Again"])
    #expect(host.press("Try Again"))
    host.draw()
    #expect(host.texts == (isPaced ? ["Not loaded.", "Try Again"] : ["(progress)"]))
    resource.cancel()
  }

  @Test("15.3 a screen that is back is loading, whatever has ended without an answer: a log-out, or a cancel")
  func backWithoutAnswer() async {
    let gate = ManualServer<String?>()
    let resource = AsyncResource { try await gate.wait() }
    let host = ViewHost { AsyncView(resource) { Text($0) } }
    await gate.arrived(1)
    gate.answer(call: 1, with: .success("a"))
    await host.waitForTasks()
    host.cover()
    resource.forget()
    host.uncover()
    #expect(host.texts == ["(progress)"])
    await gate.arrived(2)
    resource.cancel()
    await host.waitForTasks()
    host.draw()
    #expect(host.texts == ["Not loaded.", "Try Again"])
    host.cover()
    host.uncover()
    #expect(host.texts == ["(progress)"])
    host.close()
    await host.waitForTasks()
  }
}
