// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// The test of the article Search. Its model stands with the other screens.
  struct SearchSampleTests {
    typealias Catalogue = ScreensSamples.Catalogue
    typealias SearchModel = ScreensSamples.SearchModel

    struct GatedCatalogue: Catalogue {
      let server = ManualServer<[String]>()
      func entries(matching text: String) async throws -> [String] { try await server.wait(for: text) }
    }

    @Test("a request is made 300 ms after the last letter, and what was found stays until there is another answer")
    @MainActor
    func search() async {
      let (catalogue, clock) = (GatedCatalogue(), ManualClock())
      let model = SearchModel(catalogue: catalogue, clock: clock)
      model.textDidChange(to: "s")
      await clock.advance(by: .milliseconds(299))
      model.textDidChange(to: "swan")
      await clock.advance(by: .milliseconds(300))
      await catalogue.server.arrived(for: "swan")
      #expect(model.results.status.kind == .loading)

      catalogue.server.answer(for: "swan", with: .success(["mute swan"]))
      await model.results.settled()
      #expect(model.results.status == .data(["mute swan"]))

      model.textDidChange(to: "swans")
      #expect(model.results.snapshot.isProvisional)
      await clock.advance(by: .milliseconds(300))
      catalogue.server.answer(for: "swans", with: .success([]))
      await model.results.settled()
      #expect(model.results.status(policy: .emptyIsNoData(idle: .idle)) == .noData)

      model.textDidChange(to: "")
      #expect(model.results.status(policy: .emptyIsNoData(idle: .idle)) == .idle)
      #expect(catalogue.server.arguments() == ["swan", "swans"])
    }
  }
}
