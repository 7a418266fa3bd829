// SPDX-License-Identifier: MIT
#if canImport(AppKit) && !canImport(UIKit)
  import AppKit
  import AsyncState

  // In AppKit appearance follows the view, and a child is not notified of its parent.
  extension NSViewController {
    func willMove(toParent parent: NSViewController?) {}
    func didMove(toParent parent: NSViewController?) {}
    func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {}
    func endAppearanceTransition() {}
  }

  extension NSView {
    var opacity: CGFloat {
      get { alphaValue }
      set { alphaValue = newValue }
    }
    func fade(to opacity: CGFloat) { animator().alphaValue = opacity }
    func endFade() {}
  }

  extension TransitionAnimator {
    var durationOfFades: Duration { .milliseconds(350) }
  }

  /// What leaves is neither clicked nor read by VoiceOver.
  @MainActor
  struct Cover {
    private let view: NSView
    private let isHidden: Bool
    private weak var container: ContainerView?

    init(over view: NSView, in container: NSView?) {
      (self.view, isHidden, self.container) = (view, view.isAccessibilityHidden(), container as? ContainerView)
      view.setAccessibilityHidden(true)
      self.container?.covered.append(view)
    }

    func remove() {
      view.setAccessibilityHidden(isHidden)
      container?.covered.removeAll { $0 === view }
    }
  }

  /// The view of a container, in which what leaves gets no clicks.
  final class ContainerView: NSView {
    var covered: [NSView] = []

    override func hitTest(_ point: NSPoint) -> NSView? {
      guard let hit = super.hitTest(point) else { return nil }
      return covered.contains(where: hit.isDescendant) ? self : hit
    }
  }
#endif
