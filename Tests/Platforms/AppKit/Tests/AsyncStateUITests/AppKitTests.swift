// SPDX-License-Identifier: MIT
import AppKit
import AsyncState
import AsyncStateLists
import AsyncStateTesting
import AsyncStateUI
import SwiftUI
import Testing

extension ToolkitTests {
  /// What only AppKit has: sizes of windows, clicks, sections without headers, and cells that are made by hand.
  @MainActor
  struct AppKitTests {
    final class Sized: NSView {
      var fitting = NSSize.zero
      override var fittingSize: NSSize { fitting }
    }

    private func makeLeaf(fitting: NSSize = .zero, frame: NSRect = .zero) -> Leaf {
      let (leaf, sized) = (Leaf(), Sized(frame: frame))
      sized.fitting = fitting
      leaf.view = sized
      return leaf
    }

    private let window = makeWindow()

    @Test("15.1 a window is as large as the first child prefers, or as fits it, and has no size of zero")
    func windowSize() {
      let preferring = makeLeaf(fitting: NSSize(width: 1, height: 1))
      preferring.preferredContentSize = NSSize(width: 300, height: 200)
      let fitting = makeLeaf(fitting: NSSize(width: 80, height: 60), frame: NSRect(x: 0, y: 0, width: 1, height: 1))
      let framed = makeLeaf(frame: NSRect(x: 0, y: 0, width: 50, height: 40))
      for (leaf, size) in [
        (preferring, NSSize(width: 300, height: 200)), (fitting, NSSize(width: 80, height: 60)),
        (framed, NSSize(width: 50, height: 40)),
      ] {
        var made = 0
        let screen = StateViewController(initialState: 0) { _ in
          made += 1
          return [leaf]
        }
        let window = NSWindow()
        window.contentViewController = screen
        #expect(window.contentSize == size)
        #expect(made == 1)
        #expect(StandIn.audit() == [])
        window.contentViewController = nil
        leaf.view.removeFromSuperview()
        leaf.removeFromParent()
      }
    }

    @Test("15.1 a window follows the size that the topmost child of the innermost container prefers")
    func preferredSize() {
      let leaf = Leaf()
      let screen = StateViewController(initialState: 0) { _ in [leaf] }
      window.root = StateViewController(initialState: 0) { _ in [screen] }
      for width in [300.0, 500] {
        leaf.preferredContentSize = NSSize(width: width, height: 200)
        #expect(window.contentSize == NSSize(width: width, height: 200))
      }
      #expect(StandIn.audit() == [])
    }

    @Test("15.1 what fades out is not clicked; a child keeps an opacity of its own")
    func beneathAFade() {
      let frame = NSRect(x: 0, y: 0, width: 100, height: 100)
      let leaves = [makeLeaf(frame: frame), makeLeaf(frame: frame)]
      leaves[0].view.alphaValue = 0.5
      // The one that leaves is in front.
      let screen = StateViewController(initialState: 0) { $0 == 0 ? [leaves[0]] : [leaves[1]] }
      window.root = screen
      let point = NSPoint(x: 10, y: 10)
      #expect(screen.view.hitTest(point) === leaves[0].view)
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(screen.view.subviews.last === leaves[0].view)
      #expect(screen.view.hitTest(point) !== leaves[0].view)
      StandIn.settle()
      #expect(leaves[0].view.alphaValue == 0.5)
      #expect(leaves[0].view.translatesAutoresizingMaskIntoConstraints)
      #expect(screen.view.hitTest(point) === leaves[1].view)
      leaves[0].view.alphaValue = 1
      #expect(StandIn.audit() == [])
    }

    @Test("8.1 the rows of several sections keep their views, also where a section moves or has another identity")
    func sections() {
      let screen = TableScreen()
      let table = screen.table
      window.root = screen
      let input = Input([ListSection(id: "x", items: [Row(id: 1)])])
      let rows = table.fill(with: input.observed, in: screen)
      input.write([
        ListSection(id: "x", items: [Row(id: 1)]), ListSection(id: "y", items: [Row(id: 2, text: "b")]),
      ])
      #expect((0..<2).map { table.controller($0)?.displayed?.id } == [1, 2])
      let (first, second) = (table.controller(0), table.controller(1))
      input.write([
        ListSection(id: "y", items: [Row(id: 2, text: "b")]), ListSection(id: "x", items: [Row(id: 1, text: "A")]),
      ])
      #expect(table.controller(0) === second && table.controller(1) === first)
      #expect((0..<2).map { table.controller($0)?.displayed?.text } == ["b", "A"])
      input.write([
        ListSection(id: "v", items: [Row(id: 2, text: "b")]), ListSection(id: "x", items: [Row(id: 1, text: "A")]),
      ])
      #expect(table.controller(0) === second && table.controller(1) === first)
      input.write([
        ListSection(id: "x", items: []), ListSection(id: "y", items: [Row(id: 3, text: "c"), Row(id: 2, text: "b")]),
      ])
      #expect((0..<2).map { table.controller($0)?.displayed?.id } == [3, 2])
      input.write([ListSection(id: "z", items: [Row(id: 4, text: "d")])])
      #expect(table.numberOfRows == 1)
      #expect(table.controller(0)?.displayed?.id == 4)
      withExtendedLifetime(rows) {}
    }

    @Test("8.2 a cell that is configured while it is in a window displays its row")
    func configuredInWindow() {
      let screen = TableScreen()
      window.root = screen
      let cell = ControllerCell<RowController>(frame: .zero)
      screen.view.addSubview(cell)
      #expect(cell.controller == nil)
      cell.show(Row(id: 1), in: screen) { RowController() }
      #expect(cell.controller?.displays == 1)
      cell.prepareForReuse()
      #expect(cell.controller?.displayed == nil)
      #expect(cell.controller?.displays == 0)
    }

    @Test("8.5 the footer of SwiftUI below a table of AppKit, which requests nothing by itself")
    func footer() async {
      let gate = ManualServer<Paged<Int, Int>.Page>()
      let feed = AsyncResource(.pages { page in try await gate.wait(for: page.cursor ?? 0) })
      let screen = TableScreen()
      window.root = screen
      let footer = NSHostingView(rootView: AsyncPageFooter(feed, requestsPages: false))
      screen.view.addSubview(footer)
      gate.answer(for: 0, with: .success(.init(items: [0], next: 1)))
      await feed.load()
      footer.host?.draw()
      #expect(footer.host?.texts == [])
      let page = Task { await feed.loadNext() }
      await gate.arrived(for: 1)
      footer.host?.draw()
      #expect(footer.host?.texts == ["(progress)"])
      gate.answer(for: 1, with: .success(.init(items: [1], next: nil)))
      _ = await page.value
      footer.host?.draw()
      #expect(footer.host?.texts == [])
    }
  }
}
