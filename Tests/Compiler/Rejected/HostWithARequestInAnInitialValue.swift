// SPDX-License-Identifier: MIT
// In the initial value of a property a closure belongs to no actor, so nothing says where its load would run. A host of
// a resource can be created there.

import AsyncState

struct Service: Sendable {
  func articles() async throws -> [String] { ["news"] }
}

@MainActor
final class Screen {
  let resource = AsyncHost(AsyncResource { try await Service().articles() })
  // expected-error: default argument cannot be both actor-isolated and nonisolated
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  let host = AsyncHost<[String]>(request: { data, mode in data.start(mode) { try await Service().articles() } })
}
