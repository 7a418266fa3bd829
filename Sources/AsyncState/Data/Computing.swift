// SPDX-License-Identifier: MIT
// Code of the user's that computes something from data: a patch, an `==`, a display policy, the `==` or the source of a followed key. It
// may read the data, and must not write it: what it computes would be older than what it wrote.

extension AsyncData {
  /// Calls code of the user's that computes something from this data.
  @inlinable
  func computing<Result>(_ body: () -> Result) -> Result {
    let wasComputing = state.core.isComputing
    state.core.isComputing = true
    defer { state.core.isComputing = wasComputing }
    return body()
  }

  /// True while code of the user's computes something from this data: a release build ignores what it writes, and a debug build
  /// stops.
  @inlinable
  var refusesWrites: Bool {
    if state.core.isComputing { state.core.assertNotComputing() }
    return state.core.isComputing
  }
}

extension DataCore {
  /// Stops a debug build if code of the user's computes something from the data, so that nothing may happen to it.
  @usableFromInline
  func assertNotComputing() {
    assert(
      !isComputing,
      """
      AsyncState: a patch, an `==`, a display policy, a key or the source of a key has written, or requested, the AsyncData that it was called for. \
      What it computes would be older than what it wrote. It may only read and compute: move the write out of it, to the code \
      that makes the change. A release build ignores what is written there.
      """)
  }
}
