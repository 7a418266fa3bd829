// SPDX-License-Identifier: MIT
/// A value that one task of a model waits for, and that the model gives, before or after.
@ModelActor
final class Promise<Value: Sendable> {
  private var value: Value?
  private var continuation: CheckedContinuation<Value, Never>?

  nonisolated init() {}

  func wait() async -> Value {
    await withCheckedContinuation { continuation in
      // The task may have been on its way here.
      if let value { continuation.resume(returning: value) } else { self.continuation = continuation }
    }
  }

  func keep(_ value: Value) {
    self.value = value
    continuation.take()?.resume(returning: value)
  }
}
