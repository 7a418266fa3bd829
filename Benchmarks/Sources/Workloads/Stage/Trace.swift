// SPDX-License-Identifier: MIT
/// What was called, in order.
final class Trace {
  private(set) var calls: [String] = []

  func note(_ call: String) {
    calls.append(call)
  }

  func clear() {
    calls = []
  }
}
