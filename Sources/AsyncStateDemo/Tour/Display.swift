#if os(macOS) || os(Linux)
import AsyncState

/// Where the tour can be seen.
@MainActor
protocol Display: AnyObject {
  /// Adds a line for good.
  func print(_ row: Row)
  /// Shows these children from now on, where that is possible.
  func show(_ children: @escaping () -> [any ChildController])
}
#endif
