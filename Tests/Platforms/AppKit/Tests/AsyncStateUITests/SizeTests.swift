// SPDX-License-Identifier: MIT
import AppKit
import AsyncState
import AsyncStateUI
import Testing

extension StandInTests {
  /// The sizes of windows and sheets, and what happens beneath a fade.
  @MainActor
  @Suite(.serialized)
  struct SizeTests {
    final class Sized: NSView {
      var fitting = NSSize.zero
      override var fittingSize: NSSize { fitting }
    }

    final class Leaf: NSViewController {
      init(fitting: NSSize = .zero, frame: NSRect = .zero) {
        super.init(nibName: nil, bundle: nil)
        let sized = Sized(frame: frame)
        sized.fitting = fitting
        view = sized
      }
      required init?(coder: NSCoder) { nil }
    }

    init() { StandIn.reset() }

    @Test("15.1 a window is as large as the first child prefers, or as fits it, and has no size of zero")
    func windowSize() {
      let preferring = Leaf(fitting: NSSize(width: 1, height: 1))
      preferring.preferredContentSize = NSSize(width: 300, height: 200)
      let fitting = Leaf(fitting: NSSize(width: 80, height: 60), frame: NSRect(x: 0, y: 0, width: 1, height: 1))
      let framed = Leaf(frame: NSRect(x: 0, y: 0, width: 50, height: 40))
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

    @Test("15.1 the window follows the size that the topmost child prefers; one without an opinion changes nothing")
    func preferredSize() {
      let leaves = [Leaf(), Leaf(), Leaf()]
      leaves[0].preferredContentSize = NSSize(width: 300, height: 200)
      let screen = StateViewController(initialState: 0) { [leaves[$0]] }
      let outer = StateViewController(initialState: 0) { _ in [screen] }
      let window = NSWindow()
      window.contentViewController = outer
      #expect(window.contentSize == NSSize(width: 300, height: 200))
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(window.contentSize == NSSize(width: 300, height: 200))
      leaves[1].preferredContentSize = NSSize(width: 500, height: 100)
      #expect(window.contentSize == NSSize(width: 500, height: 100))
      leaves[0].preferredContentSize = NSSize(width: 1, height: 1)
      #expect(window.contentSize == NSSize(width: 500, height: 100))
      #expect(StandIn.audit() == [])
    }

    @Test("15.1 what fades out is neither clicked nor found by VoiceOver; a child keeps an opacity of its own")
    func beneathAFade() {
      let frame = NSRect(x: 0, y: 0, width: 100, height: 100)
      let leaves = [Leaf(frame: frame), Leaf(frame: frame)]
      leaves[0].view.alphaValue = 0.5
      // The one that leaves is in front.
      let screen = StateViewController(initialState: 0) { $0 == 0 ? [leaves[0]] : [leaves[1]] }
      let window = NSWindow()
      window.contentViewController = screen
      let point = NSPoint(x: 10, y: 10)
      #expect(screen.view.hitTest(point) === leaves[0].view)
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(screen.view.subviews.last === leaves[0].view)
      #expect(screen.view.hitTest(point) !== leaves[0].view)
      #expect(leaves[0].view.isAccessibilityHidden() && !leaves[1].view.isAccessibilityHidden())
      while !StandIn.animations.isEmpty { StandIn.endAnimation() }
      #expect(leaves[0].view.alphaValue == 0.5)
      #expect(!leaves[0].view.isAccessibilityHidden())
      #expect(leaves[0].view.translatesAutoresizingMaskIntoConstraints)
      #expect(screen.view.hitTest(point) === leaves[1].view)
      leaves[0].view.alphaValue = 1
      #expect(StandIn.audit() == [])
      withExtendedLifetime(window) {}
    }
  }
}
