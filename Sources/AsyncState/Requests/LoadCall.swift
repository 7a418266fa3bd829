// SPDX-License-Identifier: MIT
/// The request of a call of `start` or `load`.
@usableFromInline
struct LoadCall {
  let mode: LoadMode
  @usableFromInline let id: Int?
  /// Nil: one attempt without limit.
  @usableFromInline let policy: RequestPolicy?
  /// True if the library makes it for holders of the data: it is no caller that lets the load run to its end.
  var isForHolders = false

  @usableFromInline
  init(_ mode: LoadMode, _ id: Int?, _ policy: RequestPolicy?) {
    self.mode = mode
    self.id = id
    self.policy = policy
  }
}
