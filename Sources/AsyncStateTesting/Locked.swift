// SPDX-License-Identifier: MIT
import Foundation

/// A value behind a lock.
///
/// `NSLock`, because the thread sanitizer does not see that
/// `Synchronization.Mutex` orders accesses on Linux, and reports races that there are not.
// Justified: the value is only reached with the lock. Noticed: the tests of `ManualServer` and `ManualClock` under the thread
// sanitizer.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}
