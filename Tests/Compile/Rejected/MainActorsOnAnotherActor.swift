// Without `isolation:` an object belongs to the main actor, so it cannot be made on another one.

import AsyncState

actor Server {
  func open(_ key: Observed<Int?>) {
    // expected-error: call to main actor-isolated initializer
    _ = AsyncResource<Int> { 1 }
    // expected-error: call to main actor-isolated initializer
    _ = AsyncResource<Int>(following: key) { $0 }
    // expected-error: call to main actor-isolated initializer
    _ = AsyncFamily<Int, Int> { $0 }
    // expected-error: call to main actor-isolated initializer
    _ = LoadingRow<Int, Int> { $0 }
    // expected-error: call to main actor-isolated initializer
    _ = ClockAnimator()
  }
}
