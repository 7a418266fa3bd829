// SPDX-License-Identifier: MIT
/// The request of a call of `start` or `load`.
@usableFromInline
struct LoadCall {
  let mode: LoadMode
  @usableFromInline let id: Int?
  /// Nil: one attempt without limit.
  @usableFromInline let policy: RequestPolicy?

  @usableFromInline
  init(_ mode: LoadMode, _ id: Int?, _ policy: RequestPolicy?) {
    self.mode = mode
    self.id = id
    self.policy = policy
  }
}
