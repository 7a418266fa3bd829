// SPDX-License-Identifier: MIT
/// A screen that has data and gets other data: the state is notified, and no child is exchanged.
final class SameStateWork: SynchronousWork {
  private let screen: any FlippingWork
  private var turn = 0

  init(_ screen: any FlippingWork) {
    self.screen = screen
  }

  func begin(on home: isolated any Actor) {
    screen.begin(on: home)
  }

  func run(_ count: Int) {
    for _ in 0..<count {
      turn &+= 1
      screen.show(turn)
    }
  }
}
