/// What an operation tells while it runs: partial answers and progress.
///
/// It may be used on the actor that the load runs on, as long as the operation lives. From a load that does not count
/// any more, it changes nothing.
public final class LoadReporter<Value> {
  private let load: LoadTask<Value>

  @usableFromInline
  init(_ load: LoadTask<Value>) {
    self.load = load
  }

  /// The value as it is known now, without changes that are not confirmed. Returning it from the operation says "not
  /// modified". Nil also when the load does not count any more.
  public var current: Value? { load.data?.confirmedValue }

  /// Publishes a value before the answer: a part of it, or what a cache had. It is provisional until the load succeeds,
  /// and from here on the load does not hide what is shown.
  ///
  /// - Parameter value: What is known so far. Nil: there is nothing, so far.
  /// - Throws: `CancellationError` if the load does not count any more, so that a loop that yields ends by itself.
  public func yield(_ value: Value?) throws(CancellationError) {
    guard let data = load.data else { throw CancellationError() }
    data.yield(value)
  }

  /// Tells how far the load is.
  ///
  /// - Parameter progress: In 0...1; what is outside is moved to the nearer end, and NaN or nil means unknown.
  public func report(progress: Double?) {
    guard let data = load.data else { return }
    data.change { $0.activity?.progress = progress.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) } }
  }
}
