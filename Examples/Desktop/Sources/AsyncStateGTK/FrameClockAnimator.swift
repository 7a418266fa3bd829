// SPDX-License-Identifier: MIT
import AsyncState
import CGtk

/// Animates transitions by the frame clock of the window: each ``WidgetChild`` displays its progress once a frame.
///
/// The clock stands still while the window displays nothing, and then an animation waits, and with it the transition. A
/// container that disappears ends both.
@Gtk public final class FrameClockAnimator {
  /// An animator for any number of containers.
  public nonisolated init() {}
}

extension FrameClockAnimator: @Gtk TransitionAnimator {
  /// Displays the animation of a ``WidgetChild``, and finishes that of any other child at once.
  public func animate(_ animation: TransitionAnimation) {
    guard let child = animation.child as? WidgetChild else { return animation.finish() }
    let ticking = FrameClockAnimation(animation, of: child)
    child.ticking = ticking
    gtk_widget_add_tick_callback(
      child.widget,
      { _, clock, data in
        guard let data else { return 0 }
        let ticking = Unmanaged<FrameClockAnimation>.fromOpaque(data).takeUnretainedValue()
        let time = Duration.microseconds(gdk_frame_clock_get_frame_time(clock))
        nonisolated(unsafe) var isRunning = false
        Gtk.assumeIsolated { isRunning = ticking.advance(to: time) }
        return isRunning ? 1 : 0
      }, Unmanaged.passRetained(ticking).toOpaque(),
      { data in if let data { Unmanaged<FrameClockAnimation>.fromOpaque(data).release() } })
  }
}

/// The animation of a child, from frame to frame. It is over when the child has another one, or none.
@Gtk final class FrameClockAnimation {
  private let animation: TransitionAnimation
  private weak var child: WidgetChild?
  private var start: Duration?

  init(_ animation: TransitionAnimation, of child: WidgetChild) {
    (self.animation, self.child) = (animation, child)
  }

  /// Displays a frame.
  ///
  /// - Returns: Whether another one follows.
  func advance(to time: Duration) -> Bool {
    guard let child, child.ticking === self else { return false }
    let start = start ?? time
    self.start = start
    let elapsed = time - start - animation.delay
    guard elapsed >= .zero else { return true }
    animation.run()
    let progress = elapsed < animation.duration ? elapsed / animation.duration : 1
    // Quick at first, slow at the end.
    let eased = 1 - (1 - progress) * (1 - progress)
    child.display(progress: animation.isAppearing ? eased : 1 - eased)
    if progress == 1 { animation.finish() }
    return progress < 1
  }
}
