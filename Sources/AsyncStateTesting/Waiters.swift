// SPDX-License-Identifier: MIT
/// Suspended calls, each with the condition that it waits for.
struct Waiters<Condition> {
  private var entries: [(number: Int, condition: Condition, continuation: CheckedContinuation<Void, Never>)] = []
  private var lastNumber = 0
  /// The calls that were cancelled before they were suspended.
  private var cancelledEarly: Set<Int> = []

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// - Returns: False if this call was cancelled already, and is not suspended.
  mutating func add(_ number: Int, _ condition: Condition, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard cancelledEarly.remove(number) == nil else { return false }
    entries.append((number, condition, continuation))
    return true
  }

  mutating func cancel(_ number: Int) -> CheckedContinuation<Void, Never>? {
    guard let index = entries.firstIndex(where: { $0.number == number }) else {
      cancelledEarly.insert(number)
      return nil
    }
    return entries.remove(at: index).continuation
  }

  /// Takes out the calls whose condition is true now.
  mutating func take(where isTrue: (Condition) -> Bool) -> [CheckedContinuation<Void, Never>] {
    let taken = entries.filter { isTrue($0.condition) }.map(\.continuation)
    entries.removeAll { isTrue($0.condition) }
    return taken
  }
}

extension Locked {
  /// Suspends until the condition is true and the waiter is taken out, or the calling task is cancelled.
  ///
  /// - Parameter text: What is waited for, and what there is, for a test that waits for long. It may be released a
  ///   moment after this returns, so it keeps nothing.
  func suspend<Condition: Sendable>(
    until condition: Condition, in waiters: any WritableKeyPath<Value, Waiters<Condition>> & Sendable,
    saying text: @escaping @Sendable () -> String?,
    isolation: isolated (any Actor)? = #isolation, unless isTrue: (Value) -> Bool
  ) async {
    if withLock({ isTrue($0) }) { return }
    let reminder = Reminder(on: isolation) { say in text().map(say) }
    defer { reminder.cancel() }
    let number = withLock { $0[keyPath: waiters].nextNumber() }
    await withTaskCancellationHandler {
      // Captured, so that the continuation is made on this actor.
      _ = isolation
      await withCheckedContinuation { continuation in
        let waits = withLock { value in
          !isTrue(value) && value[keyPath: waiters].add(number, condition, continuation)
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      withLock { $0[keyPath: waiters].cancel(number) }?.resume()
    }
  }
}
