// SPDX-License-Identifier: MIT
import AsyncState

/// Values of an input, each written by the observer of the one before, behind a map.
final class WriteChain: ChainWork {
  private let input = Input(-1)
  private var token: ObservedToken?
  private var remaining = 0
  private(set) var stack = StackExtent()

  init() {
    token = input.map { $0 &+ 1 }.observe { [unowned self] _ in
      stack.note()
      next()
    }
  }

  func run(_ count: Int) {
    remaining = count
    stack = StackExtent()
    next()
  }

  private func next() {
    guard remaining > 0 else { return }
    remaining -= 1
    // Not the value that stands, which the last run left at zero: that would be no change.
    input.write(remaining == 0 ? -1 : remaining)
  }
}
