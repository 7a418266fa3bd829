// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import MassiveScreen

/// Favourites are displayed before the server has them.
extension ScreenTests {
  @Test("a favourite is displayed at once, and stays when the server has it", arguments: Version.allCases)
  func favourite(_ version: Version) async throws {
    try await check(version) { scene in
      await scene.load("apple", "banana")
      scene.screen.toggleFavourite(97)
      await scene.server.favourites.arrived(1)
      #expect(scene.favourites == ["apple"])
      await scene.answer(scene.server.favourites, 1, .success(()))
      #expect(scene.favourites == ["apple"])
      #expect(scene.changes == ["97 true"])
    }
  }

  @Test("a favourite that fails is taken back, with a banner", arguments: Version.allCases)
  func failedFavourite(_ version: Version) async throws {
    try await check(version) { scene in
      await scene.load("apple", "banana")
      scene.screen.toggleFavourite(97)
      await scene.answer(scene.server.favourites, 1, .failure(Failure("Not allowed")))
      #expect(scene.favourites == [])
      #expect(scene.screen.banner == "Not allowed")
      scene.screen.pullToRefresh()
      await scene.answer(2, "apple", "banana")
      #expect(scene.screen.banner == nil)
    }
  }

  @Test("a favourite that fails does not take back another", arguments: Version.allCases)
  func lostFavourite(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      await scene.load("apple", "banana")
      scene.screen.toggleFavourite(97)
      await scene.server.favourites.arrived(1)
      scene.screen.toggleFavourite(98)
      await scene.answer(scene.server.favourites, 2, .success(()))
      await scene.answer(scene.server.favourites, 1, .failure(Failure("Not allowed")))
      #expect(scene.favourites == ["banana"])
    }
  }

  @Test("a refresh does not undo a favourite that the server does not have yet", arguments: Version.allCases)
  func refreshedFavourite(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      await scene.load("apple", "banana")
      scene.screen.toggleFavourite(97)
      await scene.server.favourites.arrived(1)
      scene.screen.pullToRefresh()
      await scene.answer(2, "apple", "banana")
      #expect(scene.favourites == ["apple"])
      await scene.answer(scene.server.favourites, 1, .success(()))
      #expect(scene.favourites == ["apple"])
    }
  }

  @Test("an answer from before a favourite was confirmed does not undo it", arguments: Version.allCases)
  func olderAnswer(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      await scene.load("apple", "banana")
      scene.screen.toggleFavourite(97)
      await scene.server.favourites.arrived(1)
      scene.screen.pullToRefresh()
      await scene.server.pages.arrived(2)
      await scene.answer(scene.server.favourites, 1, .success(()))
      await scene.answer(2, "apple", "banana")
      #expect(scene.favourites == ["apple"])
    }
  }

  @Test("changes of one product reach the server in order", arguments: Version.allCases)
  func order(_ version: Version) async throws {
    try await check(version, byHandFails: true) { scene in
      await scene.load("apple")
      scene.screen.toggleFavourite(97)
      await scene.server.favourites.arrived(1)
      scene.screen.toggleFavourite(97)
      await scene.turn()
      #expect(scene.changes == ["97 true"])
      await scene.answer(scene.server.favourites, 1, .success(()))
      await scene.answer(scene.server.favourites, 2, .success(()))
      #expect(scene.changes == ["97 true", "97 false"])
      #expect(scene.favourites == [])
    }
  }
}
