// SPDX-License-Identifier: MIT
import AsyncState

/// A child that does the least with each call that cannot be left out.
final class CountingChild: ChildController {
  // Unchecked: that the access is exclusive is not what is measured.
  @exclusivity(unchecked) private(set) var calls = 0

  func willAttach() { calls &+= 1 }
  func didAttach() { calls &+= 1 }
  func willDetach() { calls &+= 1 }
  func didDetach() { calls &+= 1 }
  func willAppear(animated: Bool) { calls &+= 1 }
  func didAppear(animated: Bool) { calls &+= 1 }
  func willDisappear(animated: Bool) { calls &+= 1 }
  func didDisappear(animated: Bool) { calls &+= 1 }
}
