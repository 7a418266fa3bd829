// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

private struct GatedCatalogue: Catalogue {
  let gate: ManualServer<[String]>

  init(ignoresCancellation: Bool = false) { gate = ManualServer(ignoresCancellation: ignoresCancellation) }

  func entries(matching text: String) async throws -> [String] { try await gate.wait(for: text) }
}

@Suite("The search field", .timeLimit(.minutes(5)))
@MainActor
struct SearchScreenTests {
  private let clock = ManualClock()
  private let catalogue = GatedCatalogue()

  private func makeScreen() -> SearchScreen {
    let screen = SearchScreen(catalogue: catalogue, clock: clock)
    screen.viewDidLoad()
    return screen
  }

  @Test("a request is made 300 ms after the last letter", .repeated(noticing: .everyLetterIsRequested))
  func delay() async {
    let screen = makeScreen()
    catalogue.gate.answer(for: "swan", with: .success(["mute swan"]))
    for text in ["s", "sw", "swa", "swan"] {
      screen.textDidChange(to: text)
      await clock.advance(by: .milliseconds(299))
      #expect(!screen.results.isRunning)
    }
    await clock.advance(by: .milliseconds(1))
    await screen.host.settled()
    #expect(screen.rows == ["mute swan"])
    #expect(catalogue.gate.arguments() == ["swan"])
  }

  @Test("no indicator appears while the user types, nor for a quick answer", .repeated(noticing: .resultsFlicker))
  func noFlicker() async {
    let screen = makeScreen()
    screen.textDidChange(to: "swan")
    #expect(screen.board.visiblePart == .noData(message: "Type to search", showsReload: false))
    await clock.advance(by: .milliseconds(300))
    await catalogue.gate.arrived(for: "swan")
    #expect(screen.board.visiblePart == .noData(message: "Type to search", showsReload: false))
    catalogue.gate.answer(for: "swan", with: .success(["mute swan"]))
    await screen.host.settled()
    #expect(screen.board.visiblePart == .content)

    screen.textDidChange(to: "swans")
    #expect(screen.board.visiblePart == .content)
    #expect(screen.rows == ["mute swan"])
    await clock.advance(by: .milliseconds(300))
    await catalogue.gate.arrived(for: "swans")
    await clock.advance(by: .seconds(1))
    #expect(screen.board.visiblePart == .content)
    catalogue.gate.answer(for: "swans", with: .success(["two swans"]))
    await screen.host.settled()
    #expect(screen.rows == ["two swans"])
  }

  @Test("a first request that takes long has an indicator", .repeated())
  func slow() async {
    let screen = makeScreen()
    screen.textDidChange(to: "swan")
    await clock.advance(by: .milliseconds(499))
    #expect(screen.board.visiblePart == .noData(message: "Type to search", showsReload: false))
    await clock.advance(by: .milliseconds(1))
    #expect(screen.board.visiblePart == .indicator)
    await catalogue.gate.arrived(for: "swan")
    catalogue.gate.answer(for: "swan", with: .success(["mute swan"]))
    await screen.host.settled()
    await clock.advance(by: .milliseconds(500))
    #expect(screen.board.visiblePart == .content)
  }

  @Test("nothing typed differs from nothing found", .repeated(noticing: .idleLooksEmpty))
  func nothing() async {
    let screen = makeScreen()
    #expect(screen.board.visiblePart == .noData(message: "Type to search", showsReload: false))
    catalogue.gate.answer(for: "qqq", with: .success([]))
    screen.textDidChange(to: "qqq")
    await clock.advance(by: .milliseconds(300))
    await screen.host.settled()
    #expect(screen.board.visiblePart == .noData(message: "Nothing found", showsReload: false))
    screen.textDidChange(to: "")
    #expect(screen.board.visiblePart == .noData(message: "Type to search", showsReload: false))
  }

  @Test("the newest text wins while a request runs", .repeated(noticing: .textIsIgnoredWhileLoading))
  func newestTextWins() async {
    let screen = makeScreen()
    screen.textDidChange(to: "s")
    await clock.advance(by: .milliseconds(300))
    await catalogue.gate.arrived(for: "s")

    catalogue.gate.answer(for: "swan", with: .success(["mute swan"]))
    screen.textDidChange(to: "swan")
    await clock.advance(by: .milliseconds(300))
    catalogue.gate.answer(for: "s", with: .success(["stork"]))
    await screen.host.settled()
    #expect(screen.rows == ["mute swan"])
  }

  @Test("an answer for a former text that arrives last changes nothing", .repeated())
  func lateAnswer() async {
    let catalogue = GatedCatalogue(ignoresCancellation: true)
    let screen = SearchScreen(catalogue: catalogue, clock: clock)
    screen.viewDidLoad()
    screen.textDidChange(to: "s")
    await clock.advance(by: .milliseconds(300))
    await catalogue.gate.arrived(for: "s")
    screen.textDidChange(to: "swan")
    await clock.advance(by: .milliseconds(300))
    catalogue.gate.answer(for: "swan", with: .success(["mute swan"]))
    await screen.results.data.loadEnded()
    #expect(screen.rows == ["mute swan"])

    catalogue.gate.answer(for: "s", with: .success(["stork"]))
    await screen.host.settled()
    #expect(screen.rows == ["mute swan"])
  }
}
