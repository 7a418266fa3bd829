// SPDX-License-Identifier: MIT
// Sources that are not what a resource or a family needs.

import AsyncState

struct Service {
  func number() async throws -> Int { 1 }
  func text() async throws -> String { "" }
  func numbers(of key: Int) async throws -> AsyncStream<Int> { AsyncStream { $0.finish() } }
  func page(after cursor: Int?) async throws -> Paged<String, Int>.Page { .init(items: []) }
}

@MainActor
func wrong(_ service: Service) {
  // expected-error: cannot convert value of type 'String' to closure result type 'Int?'
  let _: AsyncResource<Int> = AsyncResource(.value { try await service.text() })
  // expected-error: cannot convert value of type 'AsyncStream<Int>' to closure result type 'Int?'
  let _: AsyncFamily<Int, Int> = AsyncFamily { key in try await service.numbers(of: key) }
  // expected-error: expects 0 arguments, but 1 was used in closure body
  let _: AsyncResource<Paged<String, Int>> = AsyncResource { page in try await service.page(after: page.cursor) }
  // expected-error: value of type 'PageRequest<String, Int>' has no member 'curser'
  _ = AsyncResource(.pages { page in try await service.page(after: page.curser) })
  // expected-error: generic parameter 'Value' could not be inferred
  _ = AsyncFamily { (key: Int) in .pages { page in try await service.page(after: page.curser) } }
  // expected-error: value of type 'PageRequest<String, Int>' has no member 'curser'
  _ = AsyncFamily(source: { (key: Int) in .pages { page in try await service.page(after: page.curser) } })
  // expected-error: static method 'live' requires that 'Int' conform to 'AsyncSequence'
  let _: AsyncResource<Int> = AsyncResource(.live { try await service.number() })
}

actor Session {
  func wrong(_ service: Service) {
    // expected-error: generic parameter 'Value' could not be inferred
    _ = AsyncResource(isolation: self) { try await service.number() }
    // expected-error: value of type 'PageRequest<String, Int>' has no member 'curser'
    _ = AsyncFamily(isolation: self) { (key: Int) in .pages { page in try await service.page(after: page.curser) } }
  }
}
