// SPDX-License-Identifier: MIT
import AppKit
import AsyncState
import AsyncStateUI
import SwiftUI
import Testing

extension StandInTests {
  /// Controllers of AppKit in SwiftUI.
  @MainActor
  @Suite(.serialized)
  struct HostingTests {
    @Observable
    @MainActor
    final class Model {
      var step = 1
    }

    final class Page: NSViewController {
      let step: Int
      init(_ step: Int) {
        self.step = step
        super.init(nibName: nil, bundle: nil)
      }
      required init?(coder: NSCoder) { nil }
      override func loadView() { view = NSView(frame: .zero) }
    }

    struct Steps: View {
      let model: Model
      var body: some View { StateControllerView(model.step) { [Page($0)] } }
    }

    @Test("15.1 the controllers of a state in SwiftUI are exchanged, and animated in withAnimation")
    func representable() throws {
      StandIn.reset()
      let (model, window) = (Model(), NSWindow())
      let screen = NSHostingController(rootView: Steps(model: model))
      window.contentViewController = screen
      let host = try #require(screen.host)
      let states = try #require(screen.children.first as? StateViewController<Int>)
      func steps() -> [Int] { states.children.compactMap { ($0 as? Page)?.step } }
      #expect(steps() == [1] && states.container.appearance == .visible)
      host.redraw()
      model.step = 2
      host.draw()
      #expect(steps() == [2] && StandIn.animations.isEmpty)
      withAnimation { model.step = 3 }
      host.draw()
      #expect(steps() == [2, 3] && !StandIn.animations.isEmpty)
      while !StandIn.animations.isEmpty { StandIn.endAnimation() }
      #expect(steps() == [3])
      #expect(StandIn.audit() == [])
    }

    @Test("13.6 a journal is displayed as its page, which is made once")
    func journal() throws {
      StandIn.reset()
      let page = Page(0)
      try expectOnePage(in: page)
    }
  }
}
