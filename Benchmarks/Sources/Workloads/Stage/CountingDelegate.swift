// SPDX-License-Identifier: MIT
import AsyncState

/// A delegate that does the least with each call that cannot be left out.
final class CountingDelegate: StateContainerDelegate {
  typealias State = AsyncStatus<Int>
  typealias Container = StateContainer<State>

  // Unchecked: that the access is exclusive is not what is measured.
  @exclusivity(unchecked) private(set) var calls = 0

  func container(_: Container, willTransitionTo _: State, animated: Bool) { calls &+= 1 }
  func container(_: Container, didTransitionFrom _: State?, animated: Bool) { calls &+= 1 }
  func container(_: Container, childWillAppear _: any ChildController, animated: Bool) { calls &+= 1 }
  func container(_: Container, childDidAppear _: any ChildController, animated: Bool) { calls &+= 1 }
  func container(_: Container, childWillDisappear _: any ChildController, animated: Bool) { calls &+= 1 }
  func container(_: Container, childDidDisappear _: any ChildController, animated: Bool) { calls &+= 1 }
  func container(_: Container, didArrange children: [any ChildController]) { calls &+= children.count }
}
