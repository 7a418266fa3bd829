/// Publishes partial answers and progress while an operation runs.
///
/// It may be used on the data's actor as long as the operation runs. When its load is not current any more it changes
/// nothing.
public final class LoadReporter<Value> {
  let load: Load<Value>

  init(_ load: Load<Value>) {
    self.load = load
  }

  // Here, and not where it is used: a closure in a function with an isolated parameter does not run on its caller's
  // actor.
  /// An operation that has this reporter.
  func operation(_ body: @escaping (LoadReporter) async throws -> Value?) -> () async throws -> Value? {
    { try await body(self) }
  }

  /// The value as it is known to this load, without changes that are not confirmed. Returning it from the operation
  /// means "not modified": changes that were confirmed since the load began are applied to it again. Nil also when the
  /// load is not current any more.
  public var current: Value? { load.writableOwner?.confirmedValue(for: load) }

  /// Publishes a value before the answer: a part of it, or a cached one. It is provisional until the load succeeds, and
  /// from now on the load does not hide the content.
  ///
  /// - Parameter value: The value so far; nil: there is no data so far.
  /// - Throws: `CancellationError` if the load is not current any more, so that a loop that yields ends by itself.
  public func yield(_ value: Value?) throws(CancellationError) {
    guard let data = load.writableOwner else { throw CancellationError() }
    data.yield(value, by: load)
  }

  /// Reports how far the load is.
  ///
  /// - Parameter progress: In 0...1; values outside are clamped, and NaN or nil means unknown.
  public func report(progress: Double?) {
    load.writableOwner?.report(progress, by: load)
  }
}
