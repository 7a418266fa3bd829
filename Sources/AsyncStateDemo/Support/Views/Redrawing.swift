// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Observation

/// Draws, and draws again whenever something has changed that was read while drawing.
///
/// Many changes at a time are one drawing. Data, containers and boards are observable, so changes need no other report.
@MainActor
final class Redrawing {
  private let draw: () -> Void
  private var drawingCount = 0

  /// Draws now, and from now on.
  init(_ draw: @escaping () -> Void) {
    self.draw = draw
    drawNow()
  }

  /// Draws without waiting for a change.
  func drawNow() {
    drawingCount += 1
    withObservationTracking(draw) { [weak self, drawingCount] in
      Task { @MainActor in
        // What an older drawing has read does not matter any more.
        if let self, self.drawingCount == drawingCount { self.drawNow() }
      }
    }
  }
}
#endif
