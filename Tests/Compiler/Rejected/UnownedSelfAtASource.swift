// SPDX-License-Identifier: MIT
// A fault of the compiler: `[weak self]` is right there, and `[unowned self]` at the operation.

import AsyncState

actor Session {
  private var numbers: AsyncResource<Int>?

  func keep() {
    // expected-error: pattern that the region-based isolation checker does not understand how to check
    numbers = AsyncResource(isolation: self) { [unowned self] in .value { self.number() } }
  }

  private func number() -> Int { 1 }
}
