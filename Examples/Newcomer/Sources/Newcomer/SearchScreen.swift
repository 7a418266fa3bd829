// SPDX-License-Identifier: MIT
// A search field: the newest text wins, a request is made 300 ms after the last letter, and nothing flickers.

import AsyncState

protocol Catalogue: Sendable {
  func entries(matching text: String) async throws -> [String]
}

@MainActor
final class SearchScreen: @MainActor AsyncContent {
  private let text = Input<String?>(nil)
  private(set) var rows: [String] = []
  let results: AsyncResource<[String]>
  let host: AsyncHost<[String]>
  private(set) lazy var board = StatusBoard(content: self, results)

  init(catalogue: any Catalogue, clock: any Clock<Duration> = ContinuousClock()) {
    let pause = Mistake.everyLetterIsRequested.isMade ? .zero : Duration.milliseconds(300)
    results = AsyncResource(
      following: text, delay: pause, previous: Mistake.resultsFlicker.isMade ? .hidden : .untilAnswered,
      options: LoadOptions(clock: clock)
    ) { text in try await catalogue.entries(matching: text) }
    host = AsyncHost(results, policy: .emptyIsNoData(idle: .idle), pacer: DisplayPacer())
    host.presenter = board
  }

  func viewDidLoad() { host.start() }
  func textDidChange(to newText: String) {
    if Mistake.textIsIgnoredWhileLoading.isMade, results.isRunning { return }
    text.write(newText.isEmpty ? nil : newText)
  }

  func apply(_ entries: [String], animated: Bool) { rows = entries }
  var statusMessages: StatusMessages {
    StatusMessages(noData: "Nothing found", idle: Mistake.idleLooksEmpty.isMade ? "Nothing found" : "Type to search")
  }
}
