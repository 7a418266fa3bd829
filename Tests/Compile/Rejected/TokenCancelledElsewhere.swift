// A token may be released anywhere, and cancelled by its owner only.

import AsyncState

@MainActor
final class Screen {
  private let input = Input(0)
  private var token: ObservationToken?

  func open() {
    let token = input.observe { _ in }
    self.token = token
    // expected-error: passing closure as a 'sending' parameter risks causing data races
    Task.detached { token.cancel() }
  }
}
