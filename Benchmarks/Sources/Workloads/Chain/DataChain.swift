// SPDX-License-Identifier: MIT
import AsyncState

/// Values of data, each set when the delegate is notified of the one before.
final class DataChain: ChainWork, AsyncDataDelegate {
  private let data = AsyncData<Int>()
  private var remaining = 0
  private(set) var stack = StackExtent()

  init() {
    data.delegate = self
  }

  func run(_ count: Int) {
    remaining = count
    stack = StackExtent()
    next()
  }

  func asyncDataDidChange(_ data: AsyncData<Int>, forced: Bool) {
    stack.note()
    next()
  }

  private func next() {
    guard remaining > 0 else { return }
    remaining -= 1
    data.value = remaining
  }
}
