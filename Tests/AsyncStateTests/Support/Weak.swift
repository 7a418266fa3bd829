// SPDX-License-Identifier: MIT
/// An object that is watched, and not kept.
struct Weak<Object: AnyObject> {
  private(set) weak var object: Object?

  init(_ object: Object?) {
    self.object = object
  }
}
