// SPDX-License-Identifier: MIT
/// Publishes partial answers and progress while an operation runs.
///
/// It may be used on the data's actor as long as the operation runs. When its load is not current any more it changes
/// nothing. An operation that has left the actor, as one that is marked `@concurrent` has, must not use it: the compiler
/// does not notice, and the process stops.
public final class LoadReporter<Value> {
  let load: Load<Value>

  /// True if the operation of a further page has read the list so far.
  var isListRead = false

  /// An object that an attempt of the load has left for the next one.
  private var left: AnyObject?

  /// Weak, because the owner of a reporter may be a property of the actor.
  weak let home: (any Actor)?

  init(_ load: Load<Value>, _ home: any Actor) {
    self.load = load
    self.home = home
  }

  /// The load, for the operation: nil when the actor of its data is deallocated.
  var loadHere: Load<Value>? {
    guard let home else { return nil }
    stopElsewhere(than: home) {
      """
      AsyncState: a LoadReporter was used by an operation that has left the actor of its data, \($0). It would change \
      the data on two threads at once. Report where the operation is on its actor, and not in a function or closure that \
      is `@concurrent` or belongs to another actor. With Swift before 6.3.3, a capture list on an actor stands at the \
      closure that makes the source: `{ [service] in .value { … } }`; where there is none, it names `self`.
      """
    }
    load.endIfUnwanted()
    return load
  }

  /// Wraps an operation that uses this reporter.
  func operation(_ body: @escaping (LoadReporter) async throws -> Value?) -> () async throws -> Value? {
    { try await body(self) }
  }

  /// The object that an attempt has left for the next one of the same load, or a new one, which this attempt leaves.
  func takeUp<Left: AnyObject>(_ make: () -> Left) -> Left {
    if let left = left as? Left { return left }
    let left = make()
    self.left = left
    return left
  }

  /// The value that this load can rely on, without changes that are not confirmed. Returning it from the operation means "not
  /// modified": changes that were confirmed since the load began are applied to it again. Nil also when the load is not current
  /// any more.
  public var current: Value? { loadHere?.writableData?.knownValue }

  /// Publishes a value before the answer: a part of it, or a cached one. It is provisional until the load succeeds, and
  /// from now on the load does not hide the content.
  ///
  /// - Parameter value: The value so far; nil: there is no data so far.
  /// - Throws: `CancellationError` if the load is not current any more, so that a loop that yields ends by itself.
  public func yield(_ value: Value?) throws(CancellationError) {
    guard let load = loadHere, let data = load.writableData else { throw CancellationError() }
    RunningOperation.outside { data.yield(value, by: load) }
  }

  /// Reports the progress of the load.
  ///
  /// - Parameter progress: In 0...1; values outside are clamped, and NaN or nil means unknown.
  public func report(progress: Double?) {
    guard let load = loadHere else { return }
    RunningOperation.outside { load.writableData?.report(progress, by: load) }
  }
}
