// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  import AsyncState
  public import UIKit

  /// What leaves is neither touched nor read by VoiceOver.
  @MainActor
  struct Cover {
    private let view: UIView
    private let isTouchable: Bool
    private let isHidden: Bool

    init(over view: UIView, in container: UIView?) {
      (self.view, isTouchable, isHidden) = (view, view.isUserInteractionEnabled, view.accessibilityElementsHidden)
      view.isUserInteractionEnabled = false
      view.accessibilityElementsHidden = true
    }

    func remove() {
      view.isUserInteractionEnabled = isTouchable
      view.accessibilityElementsHidden = isHidden
    }
  }

  extension UIView {
    var opacity: CGFloat {
      get { alpha }
      set { alpha = newValue }
    }
    func fade(to opacity: CGFloat) { alpha = opacity }
    func endFade() { layer.removeAnimation(forKey: "opacity") }
  }

  extension TransitionAnimator {
    @MainActor var durationOfFades: Duration { (self as? ViewAnimator)?.duration ?? .milliseconds(350) }
  }

  extension ContainerStep {
    /// Carries out a hand-over of `child`, at once or when the steps of it and of what it contains are over.
    static func handOver(_ child: UIViewController, _ body: @escaping () -> Void) {
      let isStepping = running.compactMap(\.self).contains { controller in
        sequence(first: controller) { $0.parent }.contains { $0 === child }
      }
      call(if: !isStepping) { run(in: nil, body) }
    }
  }

  extension UIViewController {
    /// The controller of `view`: a new one, which does nothing but contain it, if the view has none.
    ///
    /// So a plain view can be a child: `StateViewController(initialState: 0) { _ in [.containing(label)] }`. While the
    /// child is there, the same view gives the same controller.
    public static func containing(_ view: UIView) -> UIViewController {
      if let controller = view.next as? UIViewController { return controller }
      let controller = UIViewController(nibName: nil, bundle: nil)
      controller.view = view
      return controller
    }
  }
#endif
