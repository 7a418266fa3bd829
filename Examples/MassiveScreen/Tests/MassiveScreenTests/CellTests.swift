// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import MassiveScreen

/// Cells that are used again, each with a price that is requested.
extension ScreenTests {
  @Test("a cell displays its name at once, and its price when it arrives", arguments: Version.allCases)
  func cell(_ version: Version) async throws {
    try await check(version) { scene in
      let cell = scene.screen.makeCell()
      cell.configure(with: Product(id: 1, name: "apple"))
      cell.willDisplay()
      await scene.server.prices.arrived(1)
      #expect((cell.name, cell.price) == ("apple", "…"))
      await scene.answer(scene.server.prices, 1, .success("1.20"))
      #expect(cell.price == "1.20")
    }
  }

  @Test("a cell that is reused does not display the price of its former product", arguments: Version.allCases)
  func reusedCell(_ version: Version) async throws {
    try await check(version, byHandFails: true, isDeaf: true) { scene in
      let cell = scene.screen.makeCell()
      cell.configure(with: Product(id: 1, name: "apple"))
      cell.willDisplay()
      await scene.server.prices.arrived(1)
      cell.didEndDisplaying()
      cell.prepareForReuse()
      cell.configure(with: Product(id: 2, name: "banana"))
      cell.willDisplay()
      await scene.answer(scene.server.prices, 2, .success("0.80"))
      await scene.answer(scene.server.prices, 1, .success("1.20"))
      #expect((cell.name, cell.price) == ("banana", "0.80"))
    }
  }

  @Test("a cell that is not displayed requests nothing", arguments: Version.allCases)
  func hiddenCell(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      let cell = scene.screen.makeCell()
      cell.configure(with: Product(id: 1, name: "apple"))
      await scene.turn()
      #expect(scene.priceRequests.isEmpty)
      cell.willDisplay()
      await scene.server.prices.arrived(1)
      cell.didEndDisplaying()
      await scene.turn()
      #expect(scene.server.cancelCount == 1)
      cell.willDisplay()
      await scene.turn()
      // A cell that is displayed again requests again.
      #expect(scene.priceRequests.count == 2)
      scene.server.prices.answer(call: 1, with: .failure(Failure("hidden")))
    }
  }
}
