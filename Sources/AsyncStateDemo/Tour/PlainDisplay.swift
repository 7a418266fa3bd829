#if os(macOS) || os(Linux)
import AsyncState

/// A file or a pipe: lines and nothing else.
final class PlainDisplay: Display {
  private let onClose: () -> Void

  /// - Parameter onClose: Called when nobody reads any more.
  init(onClose: @escaping () -> Void) {
    self.onClose = onClose
  }

  func print(_ row: Row) {
    if !StandardStream.output.write(row.plainText + "\n") { onClose() }
  }

  func show(_ children: @escaping () -> [any ChildController]) {}
}
#endif
