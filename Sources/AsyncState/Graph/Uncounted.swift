// SPDX-License-Identifier: MIT
/// A reference that copies and visits do not count.
///
/// Counting the objects that the graph of observed values visits takes longer than all else that a pull, a mark, a round or a
/// batch does. Each place that has such a reference says why its object is kept.
// Justified: safe as long as the object is kept in another way: by the code that made the reference with `keeping`, or by
// another holder. Breaks: a use after the release. Noticed: `Tests/Stress` under the address sanitizer.
@safe
struct Uncounted<Object: AnyObject> {
  private let reference: Unmanaged<Object>

  /// A reference to an object that is kept by another holder.
  @inline(__always)
  init(_ object: Object) {
    unsafe reference = unsafe .passUnretained(object)
  }

  /// A reference that keeps its object until `release()` or `take()`.
  @inline(__always)
  init(keeping object: Object) {
    unsafe reference = unsafe .passRetained(object)
  }

  /// Calls `body` with the object.
  @inline(__always)
  func visit<Result>(_ body: (Object) -> Result) -> Result {
    unsafe reference._withUnsafeGuaranteedRef(body)
  }

  /// The object, counted from now on.
  var object: Object { unsafe reference.takeUnretainedValue() }

  /// The object, which the reference keeps no longer.
  func take() -> Object { unsafe reference.takeRetainedValue() }

  /// Releases the object, which the reference keeps no longer.
  func release() { unsafe reference.release() }
}
