// SPDX-License-Identifier: MIT
/// The same with what one would write by hand.
final class HandWrittenCrowd: SynchronousWork {
  func run(_ count: Int) {
    let screens = (0..<count).map { _ in HandWrittenScreen(.counting(), isAnimated: true) }
    for (turn, screen) in screens.enumerated() { screen.show(turn) }
  }
}
