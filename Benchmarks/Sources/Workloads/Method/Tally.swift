// SPDX-License-Identifier: MIT
/// Takes in what observers and operations give, so that nothing of what is measured can be optimised away.
final class Tally {
  // Unchecked: that the access is exclusive is not what is measured.
  @exclusivity(unchecked) private(set) var sum = 0

  @inline(never)
  func add(_ value: Int) {
    sum &+= value
  }
}
