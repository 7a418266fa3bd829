/// Hears of every change of an ``AsyncData``, and knows how to ask again.
///
/// A class on the main actor conforms with an isolated conformance: `extension Screen: @MainActor AsyncDataDelegate`.
public protocol AsyncDataDelegate<Value>: AnyObject {
  /// What the data are about.
  associatedtype Value

  /// The facts have changed, and are to be read from `data`.
  ///
  /// Called synchronously, once for each cause, on the actor that the data live on, before the call that caused it
  /// returns. A change that this callback makes is seen by readers at once, and told when the callback has returned.
  ///
  /// - Parameters:
  ///   - data: Whose facts have changed.
  ///   - forced: The same value was set again or the facts were invalidated: what is shown must be shown anew, though
  ///     it may look unchanged.
  func asyncData(_ data: AsyncData<Value>, didInvalidateStateForced forced: Bool)

  /// Forget what is known and ask again: what a reload button calls.
  func reloadAsyncData()
}
