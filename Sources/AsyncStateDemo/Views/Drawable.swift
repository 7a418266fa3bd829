#if os(macOS) || os(Linux)
import AsyncState

/// A child controller that can be seen.
@MainActor
protocol Drawable: ChildController {
  /// What it looks like in this much room. What it reads of observable objects is what it is drawn again for.
  func rows(in size: Size) -> [Row]
}
#endif
