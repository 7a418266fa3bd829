// SPDX-License-Identifier: MIT
/// A weak reference, to be kept in a list, or shared by several closures.
final class WeakReference<Object: AnyObject> {
  weak var object: Object?

  init(_ object: Object? = nil) {
    self.object = object
  }
}
