// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

// What most tests do in two steps: wait until something is there, then act on it.

extension ManualServer {
  /// Answers a call with an argument when it has arrived.
  func answer(arrivingFor argument: some Equatable & Sendable, with answer: Result<Value, any Error>) async {
    await arrived(for: argument)
    self.answer(for: argument, with: answer)
  }
}

extension ManualClock {
  /// Moves on when there are so many sleepers.
  func advance(by duration: Duration, sleepersAtLeast count: Int) async {
    await sleepers(atLeast: count)
    await advance(by: duration)
  }
}

/// A resource that has loaded a value.
@MainActor
func loaded<Value: Sendable>(_ value: Value) async -> AsyncResource<Value> {
  let resource = AsyncResource { value }
  await resource.load()
  return resource
}
