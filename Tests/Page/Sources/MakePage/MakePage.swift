// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateJournal
import AsyncStateTesting

/// Prints the page of a journal: of an ordinary one with a number of entries, of the search in *Finding out why*, or of one whose
/// names are hostile.
@main
@MainActor
struct MakePage {
  static func main() async {
    if let count = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) {
      print(await large(entries: count))
    } else if CommandLine.arguments.contains("search") {
      print(await search())
    } else {
      print(hostile())
    }
  }

  /// Texts of a search field, which lead to requests, answers and failures.
  private static func large(entries count: Int) async -> String {
    let journal = StateJournal(capacity: count)
    let query = Input<Int>(0)
    journal.attach(query, name: "query")
    let pages = (0..<20).map { _ in AsyncData<Int>() }
    let hosts = pages.map { AsyncHost(data: $0, request: { _, _ in }) { _ in [] } }
    for number in pages.indices {
      journal.attach(pages[number], name: "results[\(number)]")
      journal.attach(hosts[number], name: "screen[\(number)]")
      hosts[number].start()
      hosts[number].appear(animated: false)
    }
    var load: LoadTask<Int>?
    let tokens = pages.enumerated().map { number, data in
      query.observe { value in
        guard value > 0, value % 20 == number else { return }
        load = data.start(value % 3 == 0 ? .reload : .refresh) {
          if value % 7 == 0 { throw Unreachable() }
          return value
        }
      }
    }
    var value = 0
    while journal.dropped == 0 {
      value += 1
      query.write(value)
      if value % 13 == 0 { pages[value % 20].cancel() }
      _ = await load?.outcome()
      if value % 11 == 0 { pages[value % 20].invalidate() }
    }
    withExtendedLifetime((tokens, hosts)) {}
    return journal.page(title: "Search")
  }

  /// A search whose results are written into the query, on a clock that is moved by hand: the same in each run.
  private static func search() async -> String {
    let clock = ManualClock()
    let journal = StateJournal(clock: clock)
    let query = Input<String?>("swift")
    let server = ManualServer<[String]>()
    let results = AsyncResource(
      following: query, previous: .untilAnswered, options: LoadOptions(clock: clock)
    ) { _ in try await server.wait() }
    let articles = AsyncFamily<Int, String>(options: LoadOptions(clock: clock)) { key in "Article \(key)" }
    let screen = AsyncHost(results, pacer: DisplayPacer(delay: .milliseconds(200), clock: clock)) { _ in [Page()] }
    journal.attach(query, name: "query")
    journal.attach(results, name: "results")
    journal.attach(screen, name: "screen")
    journal.attach(articles, name: "articles")
    for key in 1...12 { _ = articles[key] }
    var answers = 0
    let token = results.observed.observe { snapshot in
      guard let hits = snapshot.value, !snapshot.isRunning, !snapshot.isProvisional, answers < 13 else { return }
      answers += 1
      query.change { $0 = "\($0 ?? "") (\(hits.count))" }
    }
    screen.start()
    screen.appear(animated: false)
    for call in 1...14 {
      await server.arrived(call)
      await clock.advance(by: .milliseconds(call == 1 ? 320 : 120))
      server.answer(call: call, with: .success(["one", "two"]))
    }
    await results.settled()
    withExtendedLifetime(token) {}
    return journal.page(title: "A search that never stops")
  }

  private final class Page: ChildController {}

  struct Unreachable: Error, CustomStringConvertible {
    var description: String { "The server cannot be reached." }
  }

  struct Named: Error, CustomStringConvertible {
    var description: String
  }

  static let names = [
    "</script><script>document.title = 'broken'</script>", "<img src=x onerror=\"document.title = 'broken'\">",
    "\"]}; document.title = 'broken'; //", "<!-- <script>", "\\\" \\u0022", "a\u{2028}b\u{2029}c\u{0}d", "&lt;b&gt;",
    "__proto__",
    "constructor", "${alert(1)}", "`", "🧵\u{202E}desrever", "javascript:alert(1)",
  ]

  private static func hostile() -> String {
    let journal = StateJournal()
    for name in names {
      let data = AsyncData<Int>()
      journal.attach(data, name: name)
      data.error = Named(description: name)
    }
    return journal.page(title: names.joined())
  }
}
