// SPDX-License-Identifier: MIT
/// Holds the last reference to an object, and releases it wherever `release()` is called.
final class Dropped<Object>: @unchecked Sendable {
  // Justified: written once, by the one task that it is handed to.
  private var object: Object?

  init(_ object: consuming Object) {
    self.object = object
  }

  func release() { object = nil }

  /// Releases it on another thread, and waits for that.
  func releaseElsewhere() async { await Task.detached { self.release() }.value }
}
