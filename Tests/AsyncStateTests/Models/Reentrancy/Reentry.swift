import Foundation
import Testing

/// Calls one method inside the n-th call of one callback, and counts the calls of all of them.
///
/// Sendable, because a retry policy and a clock have to be: everything here is called on one actor.
final class Reentry<Callback: Hashable>: @unchecked Sendable {
  private(set) var counts: [Callback: Int] = [:]
  private var armed: (callback: Callback, number: Int, method: () -> Void)?
  /// Whether the method has been called.
  private(set) var hasFired = false

  init(at callback: Callback? = nil, number: Int = 1, _ method: @escaping () -> Void = {}) {
    armed = callback.map { ($0, number, method) }
  }

  /// A callback of the library is being called.
  func reached(_ callback: Callback) {
    counts[callback, default: 0] += 1
    guard let armed, armed.callback == callback, armed.number == counts[callback] else { return }
    self.armed = nil
    hasFired = true
    armed.method()
  }
}

/// Objects that live as long as something captures them, and call back when they go.
final class Farewell {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) {
    self.body = body
  }

  deinit { body() }
}

/// One cell of a table: this method, inside this call of this callback.
struct ReentryCase<Callback, Method>: CustomStringConvertible {
  let callback: Callback
  let number: Int
  let method: Method

  var description: String { "\(method) inside call \(number) of \(callback)" }
}

/// Every method inside every call of every callback.
///
/// - Parameter counts: How often each callback is called when nothing is called inside.
func reentryCases<Callback: Hashable, Method: CaseIterable>(
  _ callback: Callback, _ method: Method.Type, counts: [Callback: Int]
) -> [ReentryCase<Callback, Method>] {
  // Of one callback the first calls are enough, unless there is time for all.
  let limit = Soak.isOn ? Int.max : 3
  let count = counts[callback] ?? 0
  #expect(count > 0, "the scenario never reaches \(callback)")
  return (0..<min(count, limit)).flatMap { index in
    Method.allCases.map { ReentryCase(callback: callback, number: index + 1, method: $0) }
  }
}

/// Says what comes next, if that is wanted: after a crash, the last line names the case.
///
/// `ASYNCSTATE_REENTRY=1 swift test --filter Reentry`
func announce(_ entry: some CustomStringConvertible) {
  guard isTalkative else { return }
  FileHandle.standardError.write(Data("\(entry)\n".utf8))
}

private let isTalkative = ProcessInfo.processInfo.environment["ASYNCSTATE_REENTRY"] != nil
