// SPDX-License-Identifier: MIT
/// Is notified of every change of an ``AsyncData``.
///
/// A class on the main actor conforms with an isolated conformance: `extension Screen: @MainActor AsyncDataDelegate`.
public protocol AsyncDataDelegate<Value>: AnyObject {
  /// The type of the value.
  associatedtype Value

  /// The data has changed.
  ///
  /// Called synchronously on the actor of the data, once for each cause, before the call that caused it returns. A
  /// change made in this callback takes effect at once for readers, and is delivered when the callback has returned.
  ///
  /// - Parameters:
  ///   - data: The data, already changed.
  ///   - forced: True if the same value was set again or the data was invalidated: display the content again, even if it looks
  ///     unchanged.
  func asyncDataDidChange(_ data: AsyncData<Value>, forced: Bool)
}
