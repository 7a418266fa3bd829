// SPDX-License-Identifier: MIT
import AsyncState

// The least of what a server builds: one resource of an actor. `client` measures how large that gets.

actor Rates {
  private lazy var rates = AsyncResource(isolation: self) { .value { [1.0, 2.0] } }

  func current() async throws -> [Double] { try await rates.get() }
}

@main
struct Server {
  static func main() async throws {
    print(try await Rates().current())
  }
}
