// SPDX-License-Identifier: MIT
/// A screen that goes from loading to data and back. Each way is one operation, so their number has to be even.
protocol FlippingWork: SynchronousWork {
  /// The facts change to a value: the spinner goes and the list comes.
  func show(_ value: Int)
  /// The facts change to nothing known: the list goes and the spinner comes.
  func hide()
}

extension FlippingWork {
  func run(_ count: Int) {
    for turn in 0..<(count / 2) {
      show(turn)
      hide()
    }
  }
}
