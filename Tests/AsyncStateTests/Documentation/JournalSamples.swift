// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Foundation
import Testing

// The samples of the article "Finding out why", and of the journal's comments.

extension AllTests {
  @MainActor
  struct JournalSamples {
    @Test("13.1 the first sample of StateJournal")
    func attaching() {
      let query = AsyncData<String>()
      let results = AsyncData<[String]>()
      let journal = StateJournal()
      journal.attach(query, name: "query")
      journal.attach(results, name: "results")
      // Later, for instance in a debugger:
      print(journal.timeline)
      #expect(journal.entries.count == 2)
    }

    @Test("13.6 Finding out why: the page as a file")
    func page() throws {
      let journal = StateJournal()
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).html")
      try journal.page(title: "A search that never stops").write(to: file, atomically: true, encoding: .utf8)
      #expect(try String(contentsOf: file, encoding: .utf8).contains("<title>A search that never stops</title>"))
      try FileManager.default.removeItem(at: file)
    }

    @Test("13.1 Finding out why: a search that loads for ever, the line that explains it, and the warning")
    func search() async {
      let query = Input<String?>("swift")
      let results = AsyncResource(following: query, previous: .untilAnswered) { text in
        ["\(text) one", "\(text) two"]
      }
      let token = results.observed.observe { snapshot in
        guard let hits = snapshot.value, !snapshot.isRunning, !snapshot.isProvisional else { return }
        query.change { $0 = "\($0 ?? "") (\(hits.count))" }
      }
      let journal = StateJournal()
      journal.attach(query, name: "query")
      journal.attach(results, name: "results")

      let (reports, continuation) = AsyncStream<String>.makeStream()
      func report(_ text: String) {
        continuation.yield(text)
        results.cancel()
        continuation.finish()
      }
      let warnings = journal.observe { entry in
        if let text = entry.warning { report(text) }
      }

      results.start()
      var texts: [String] = []
      for await text in reports { texts.append(text) }
      #expect(texts.count == 1)
      #expect(texts.first?.contains("query: written ← #") == true)
      let lines = journal.entries.prefix(7).map(\.description)
      #expect(
        lines == [
          "#1 query: attached", "#2 results: attached: idle", "#3 results: load started (refresh)",
          "#4 results: answered ← #3", "#5 query: written ← #4", "#6 results: key changed ← #5",
          "#7 results: load started (refresh) ← #6",
        ])
      withExtendedLifetime((token, warnings)) {}
    }
  }
}

/// The screen of the article, with its fault and without.
@MainActor
private final class SearchScreen {
  let query = Input<String?>("swift")
  let results: AsyncResource<[String]>
  private var token: ObservedToken?

  init() {
    results = AsyncResource(following: query, previous: .untilAnswered) { text in
      ["\(text) one", "\(text) two"]
    }
    guard Self.isFaulty else { return }
    token = results.observed.observe { [query] snapshot in
      guard let hits = snapshot.value, !snapshot.isRunning, !snapshot.isProvisional else { return }
      query.change { $0 = "\($0 ?? "") (\(hits.count))" }
    }
  }

  @TaskLocal static var isFaulty = false
}

extension AllTests {
  struct ReportSamples {
    @Test("what the results are does not change the query")
    @MainActor
    func searchesOnce() async {
      let screen = SearchScreen()
      let journal = StateJournal()
      journal.attach(screen.query, name: "query")
      journal.attach(screen.results, name: "results")
      await screen.results.load()
      #expect(
        journal.entries.map(\.description) == [
          "#1 query: attached", "#2 results: attached: idle", "#3 results: load started (refresh)",
          "#4 results: answered ← #3",
        ])
    }

    @Test("13.1 with the fault, the test of the report fails")
    @MainActor
    func withTheFault() async {
      await SearchScreen.$isFaulty.withValue(true) {
        let screen = SearchScreen()
        let journal = StateJournal()
        journal.attach(screen.query, name: "query")
        let load = screen.results.start()
        _ = await load.outcome()
        screen.results.cancel()
        #expect(screen.query.current != "swift" && journal.entries.count > 1)
      }
    }
  }
}
