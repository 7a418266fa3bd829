// SPDX-License-Identifier: MIT
import Observation

/// A method in which UIKit tracks what is read of Observation: from iOS 26, in iOS 18 with the key
/// `UIObservationTrackingEnabled`. A change makes it invalid, and it is called again in the next turn of the run loop.
@MainActor
final class AutomaticTracking {
  private var isValid = false
  private var calls = 0

  func invalidate() { isValid = false }

  func update(_ body: () -> Void) {
    guard !isValid else { return }
    isValid = true
    calls += 1
    withObservationTracking(body) { [weak self, calls] in
      // What a screen reads belongs to the main actor, and Observation calls this where it is changed. What only a former
      // call has read does not matter any more.
      MainActor.assumeIsolated { if self?.calls == calls { self?.isValid = false } }
    }
  }
}

extension StandIn {
  /// Calls the tracked methods that are invalid, of what is in a window: those of controllers, then those of cells.
  static func updateTracked() {
    let controllers = livingControllers.filter { $0.viewIfLoaded?.window != nil }
    for controller in controllers { controller.propertyTracking.update(controller.updateProperties) }
    for controller in controllers { controller.layoutTracking.update(controller.viewWillLayoutSubviews) }
    for controller in controllers where controller.parent == nil { controller.viewIfLoaded?.updateTrackedBelow() }
  }
}

extension UIView {
  fileprivate func updateTrackedBelow() {
    updateTracked()
    for view in subviews { view.updateTrackedBelow() }
  }
}
