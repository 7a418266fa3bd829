// SPDX-License-Identifier: MIT
import Synchronization

/// Cancels tasks, and releases objects, one after another.
///
/// The handler of a cancelled task cancels what the task waits for, if nothing else wants that, and a resource that is released
/// releases those that its value is made of. In a chain each would end inside the end of the one before, and the stack would be as
/// deep as the chain is long.
final class EndRound: Sendable {
  /// The round that ends things on this thread; nil: there is none.
  @TaskLocal private static var current: EndRound?

  // Justified: tasks that handlers begin inherit the round, and may add to it from other threads. Nothing is called under the
  // lock. Noticed: `interest` of `Tests/Stress` under the thread sanitizer.
  private let waiting = Mutex<[End]?>([])

  // Justified: an object is only released, and only those are added that may be released on any thread. Noticed: `resource` of
  // `Tests/Stress` under the thread sanitizer.
  private enum End: @unchecked Sendable {
    case cancel(Task<Void, Never>)
    case release(AnyObject?)
  }

  /// Cancels a task: before this returns, or, inside another end, before that returns.
  static func cancel(_ task: Task<Void, Never>) {
    let (round, isFirst) = adding(.cancel(task))
    if isFirst { round.run() }
  }

  /// Releases an object, of which this may be the last reference, in the same way.
  static func release<Object: AnyObject>(_ object: inout Object?) {
    let (round, isFirst) = adding(.release(object))
    // The round alone has it from now on.
    object = nil
    if isFirst { round.run() }
  }

  /// Adds to the present round, or to a new one.
  private static func adding(_ end: End) -> (EndRound, isFirst: Bool) {
    if let current, current.add(end) { return (current, false) }
    let round = EndRound()
    _ = round.add(end)
    return (round, true)
  }

  private func run() {
    Self.$current.withValue(self) {
      while let next = takeAll() {
        for case .cancel(let task) in next { task.cancel() }
      }
    }
  }

  /// - Returns: False if the round is over.
  private func add(_ end: End) -> Bool {
    waiting.withLock { $0?.append(end) != nil }
  }

  /// - Returns: What was added; nil if there is nothing: the round is over.
  private func takeAll() -> [End]? {
    waiting.withLock {
      let all = $0
      $0 = all?.isEmpty == false ? [] : nil
      return $0 == nil ? nil : all
    }
  }
}
