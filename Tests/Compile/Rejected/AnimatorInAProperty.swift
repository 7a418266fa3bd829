// There is no actor yet where properties get their values: `ClockAnimator(isolation: MainActor.shared)`.

import AsyncState

@MainActor
final class Screen {
  // expected-error: actor-isolated default value in a main actor-isolated context
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  private let animator = ClockAnimator()
}
