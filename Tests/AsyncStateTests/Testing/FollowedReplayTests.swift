// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

@Suite("14.3 Replay: resources that follow a key", .timeLimit(Soak.limit))
@MainActor
final class FollowedReplayTests: JournalSuite {
  let stage = JournalStage()
  private let delay: Duration
  private let query = Input<String?>(nil)
  private lazy var results = makeResults(of: query)
  /// What was written to the query, by the entry.
  private var texts: [Int: String] = [:]

  convenience init() { self.init(delay: .zero) }

  init(delay: Duration) {
    self.delay = delay
    stage.journal.attach(query, name: "query")
    stage.journal.attach(results, name: "results")
  }

  private func makeResults(of query: Input<String?>) -> AsyncResource<Int> {
    AsyncResource(following: query, delay: delay, keepsFormer: true, options: LoadOptions(clock: stage.clock)) { text in
      guard text != "bad" else { throw Failure() }
      return text.count
    }
  }

  private func write(_ text: String?) {
    let number = stage.journal.entries.last?.number ?? 0
    query.write(text)
    texts[entries.first { $0.number > number && $0.event == .written }?.number ?? 0] = text
  }

  /// Repeats what was recorded, by the entries and by their text.
  ///
  /// - Returns: Whether all of it has happened again.
  @discardableResult
  private func expectSame(
    withHost: Bool = false, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    var isSame = true
    for entries in [entries, try StateJournal.entries(of: stage.journal.timeline)] {
      let replay = Replay(entries)
      let key = Input<String?>(nil)
      let again = makeResults(of: key)
      let host = AsyncHost(again) { _ in [] }
      replay.attach(key, name: "query") { [texts] in texts[$0.number] }
      replay.attach(again, name: "results") { $0.number }
      if withHost { replay.attach(host, name: "screen") }
      let difference = replay.run()
      #expect(difference == nil, comment, sourceLocation: sourceLocation)
      #expect(Self.parts(again) == Self.parts(results), comment, sourceLocation: sourceLocation)
      isSame = isSame && difference == nil && Self.parts(again) == Self.parts(results)
      again.cancel()
    }
    return isSame
  }

  private static func parts(_ results: AsyncResource<Int>) -> String {
    let snapshot = results.snapshot
    return """
      \(results.status().kind), untouched \(snapshot.isUntouched), set \(snapshot.isValueSet), \
      provisional \(snapshot.isProvisional), invalidated \(snapshot.isInvalidated), \
      failed \(snapshot.failedMode as Any), runs \(snapshot.activity?.mode as Any)
      """
  }

  @Test("14.3 a request without a key is made again, so that the key is followed", arguments: [true, false])
  func missingKey(withHost: Bool) async throws {
    let host = AsyncHost(results) { _ in [] }
    if withHost {
      stage.journal.attach(host, name: "screen")
      host.start()
    } else {
      results.start()
    }
    results.reload()
    #expect(entries.count { $0.event == .keyMissing } == 2)
    try expectSame(withHost: withHost)
    write("a")
    await results.settled()
    try expectSame(withHost: withHost)
  }

  @Test("14.3 a load that calls have waited for begins again, though the calls have no entry", arguments: 0..<3)
  func waitingCalls(way: Int) async throws {
    write(way == 1 ? "bad" : "a")
    let load = results.start()
    results.invalidate()
    results.start()
    if way == 2 { load.cancel() }
    await results.settled()
    #expect(entries.count { if case .loadStarted = $0.event { true } else { false } } == 2)
    try expectSame()
  }

  @Test("14.3 a reload over the value of a former key is one again")
  func reloadOverFormer() async throws {
    write("a")
    await results.load()
    write("bb")
    results.cancel()
    results.reload()
    #expect(results.status() == .loading)
    try expectSame()
    await results.settled()
  }

  @Test("14.3 a load begins again after the delay of its key, though the clock stands")
  func delayed() async throws {
    let run = FollowedReplayTests(delay: .seconds(1))
    run.results.start()
    run.write("a")
    await run.stage.clock.advance(by: .seconds(1))
    await run.results.settled()
    run.write("bb")
    #expect(run.entries.last?.event == .keyChanged && !run.results.isRunning)
    try run.expectSame()
    run.results.cancel()
  }

  @Test("14.3 whatever happens to a resource that follows a key happens again", arguments: [0, 1])
  func random(delay: Int) async throws {
    for seed in 0..<UInt64(Soak.times(100)) {
      let run = FollowedReplayTests(delay: .seconds(delay))
      var random = SeededGenerator(seed: seed)
      for _ in 0..<20 {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: run.results.start()
        case 1: run.results.start(.reload)
        case 2: run.results.reload()
        case 3: run.results.refresh(replacing: true)
        case 4: run.results.invalidate()
        case 5: run.results.cancel()
        case 6: run.results.reset()
        case 7: run.results.value = 7
        case 8: run.results.data.error = Bool.random(using: &random) ? Failure() : nil
        case 9...11: run.write([nil, "a", "bb", "bad"].randomElement(using: &random) ?? nil)
        case 12: await run.stage.clock.advance(by: .seconds(1))
        default: await run.results.settled()
        }
      }
      let isSame = try run.expectSame("seed \(seed)")
      run.results.cancel()
      await run.results.settled()
      guard isSame else { return }
    }
  }
}
