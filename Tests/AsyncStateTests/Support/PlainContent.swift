// SPDX-License-Identifier: MIT
import AsyncState

/// Content of a board that takes the defaults.
final class PlainContent<Value>: AsyncContent {
  func apply(_ value: Value, animated: Bool) {}
}
