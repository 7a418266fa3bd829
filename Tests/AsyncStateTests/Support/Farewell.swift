// SPDX-License-Identifier: MIT
/// Objects that live as long as something captures them, and call back when they go.
final class Farewell {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) {
    self.body = body
  }

  deinit { body() }
}
