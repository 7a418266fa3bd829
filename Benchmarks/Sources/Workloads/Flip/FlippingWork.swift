// SPDX-License-Identifier: MIT
/// A screen that changes from loading to data and back. Each way is one operation, so their number has to be even.
protocol FlippingWork: SynchronousWork {
  /// The data changes to a value: the list replaces the spinner.
  func show(_ value: Int)
  /// The data is reset: the spinner replaces the list.
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
