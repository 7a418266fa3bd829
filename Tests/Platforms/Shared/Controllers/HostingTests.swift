// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateJournal
import AsyncStateTesting
@testable import AsyncStateUI
import SwiftUI
import Testing
import WebKit
import Toolkit

extension ToolkitTests {
  /// Controllers in SwiftUI, and views of SwiftUI in controllers.
  @MainActor
  struct HostingTests {
    @Observable
    @MainActor
    final class Model {
      var step = 1
    }

    struct Steps: View {
      let model: Model
      let make: (Int) -> ViewController
      var body: some View { StateControllerView(model.step) { [make($0)] } }
    }

    let window = makeWindow()

    @Test(
      "15.1 the controllers of a state in SwiftUI are exchanged, animated in withAnimation, and leave with the view")
    func representable() throws {
      let model = Model()
      var made: [Int] = []
      let screen = HostingController(
        rootView: Steps(model: model) { step in
          made.append(step)
          return Leaf("\(step)")
        })
      window.root = screen
      StandIn.settle()
      let host = try #require(screen.host)
      let states = try #require(screen.children.first as? StateViewController<Int>)
      func steps() -> [String] { states.children.map(\.description) }
      #expect(steps() == ["1"] && made == [1] && states.container.appearance == .visible)
      host.redraw()
      #expect(made == [1])
      model.step = 2
      host.draw()
      #expect(!StandIn.isAnimating && steps() == ["2"])
      withAnimation { model.step = 3 }
      host.draw()
      #expect(StandIn.isAnimating && steps() == ["2", "3"])
      // Back before the animation has ended: what is drawn last is what is displayed in the end.
      model.step = 4
      host.draw()
      model.step = 3
      host.draw()
      StandIn.settle()
      #expect(steps() == ["3"])
      #expect(StandIn.audit() == [])
      window.root = Leaf()
      StandIn.settle()
      #expect(states.parent == nil && states.container.appearance == .gone)
      #expect(StandIn.audit() == [])
    }

    @Test("15.1 a view of a resource is a child, in a hosting controller")
    func hostedStatus() throws {
      let gate = ManualServer<String?>()
      let resource = AsyncResource { try await gate.wait() }
      let screen = StateViewController(initialState: 0) { _ in
        [HostingController(rootView: AsyncView(resource) { Text($0) })]
      }
      window.root = screen
      StandIn.settle()
      let hosting = try #require(screen.children.first as? any Hosting)
      #expect(hosting.host?.texts == ["(progress)"])
      resource.data.value = "Hello"
      hosting.host?.draw()
      #expect(hosting.host?.texts == ["Hello"])
      window.root = nil
      StandIn.settle()
      #expect(hosting.host == nil)
      #expect(StandIn.audit() == [])
    }

    @Test("13.6 a journal is displayed as its page, which is made once, with the entries that there are")
    func journal() throws {
      let page = Leaf()
      let journal = StateJournal()
      let data = AsyncData<Int>()
      journal.attach(data, name: "<answer>")
      data.value = 1
      let host = ViewHost(in: page) { JournalView(journal, title: "Two & more") }
      let view = try #require(page.view.subviews.first as? WKWebView)
      data.value = 2
      host.redraw()
      #expect(view.loads == 1 && view.html?.contains("<title>Two &amp; more</title>") == true)
      #expect(view.html?.contains("\\u003canswer\\u003e") == true && view.html?.contains("<answer>") == false)
      host.close()
      #expect(page.view.subviews.isEmpty)
    }
  }
}
