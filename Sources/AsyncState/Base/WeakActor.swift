// SPDX-License-Identifier: MIT
/// A weak reference that several objects share.
final class WeakActor {
  private(set) weak var actor: (any Actor)?

  init(_ actor: any Actor) {
    self.actor = actor
  }
}
