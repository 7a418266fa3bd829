// SPDX-License-Identifier: MIT
// In generic code nothing is said of equality, and nothing has to be.

import AsyncState

@MainActor
final class Feature<Model> {
  let data = AsyncData<Model>()
  let input: Input<Model>
  private var token: ObservedToken?

  init(_ model: Model) {
    input = Input(model)
    token = input.map { $0 }.zip(data.observed.map(\.value)).observe { _ in }
  }

  func load(_ fetch: @escaping () async throws -> Model?) {
    data.start(.refresh, operation: fetch)
  }

  func field<Part>(_ part: KeyPath<Model, Part>) -> Observed<Part> {
    input[dynamicMember: part]
  }
}

@MainActor
func make<Model: Equatable & Sendable>(_ model: Model) -> Feature<Model> {
  Feature(model)
}
