// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// A child controller that can be drawn.
@MainActor
protocol Drawable: ChildController {
  /// Its rows in this much room. It is drawn again when an observable object changes that this has read.
  func rows(in size: Size) -> [Row]
}
#endif
