// SPDX-License-Identifier: MIT
import AsyncState
import CGtk

/// A child whose view is a widget, which it keeps.
///
/// A subclass overrides what it wants to know. In an animated transition it fades: ``FrameClockAnimator`` calls
/// ``display(progress:)`` in each frame.
@Gtk open class WidgetChild {
  /// The view of the child.
  public let widget: Widget
  /// The animation that moves the child.
  var ticking: FrameClockAnimation?

  /// A child with a widget that is in no window yet.
  public init(_ widget: Widget) {
    self.widget = widget
    g_object_ref_sink(widget)
  }

  isolated deinit { g_object_unref(widget) }

  open func willAttach() {}
  open func didAttach() {}
  open func willDetach() {}
  open func didDetach() {}
  open func willAppear(animated: Bool) {}
  open func didAppear(animated: Bool) {}
  open func willDisappear(animated: Bool) {}
  open func didDisappear(animated: Bool) {}

  open func transitionDuration(isAppearing: Bool) -> Duration { .milliseconds(180) }
  open func transitionDelay(isAppearing: Bool) -> Duration { .zero }

  /// Displays a step of an animation.
  ///
  /// - Parameter progress: How much of the child is there: from 0, not there, to 1.
  open func display(progress: Double) { gtk_widget_set_opacity(widget, progress) }
}

extension WidgetChild: @Gtk TransitioningController {
  /// Displays the first step. A child that disappears is above the others, and takes no more clicks.
  public func transitionWillBegin(isAppearing: Bool) {
    gtk_widget_set_can_target(widget, isAppearing ? 1 : 0)
    display(progress: isAppearing ? 0 : 1)
  }

  /// Displays all of the child again. The container may end an animation early, and no frame follows then.
  public func transitionDidEnd(isAppearing: Bool) {
    ticking = nil
    gtk_widget_set_can_target(widget, 1)
    display(progress: 1)
  }
}
