import AsyncState
import AsyncStateTesting
import Testing

@Suite("9.3 to 9.7 AsyncResource(following:)", .timeLimit(.minutes(5)))
@MainActor
struct FollowingTests {
  let clock = ManualClock()
  let query = Input<String?>("a")
  let catalogue = Catalogue()

  /// Answers by hand, and records the keys that it was asked for.
  @MainActor
  final class Catalogue {
    private(set) var keys: [String] = []
    let gate = Gate<String?>()

    func find(_ key: String) async throws -> String? {
      keys.append(key)
      return try await gate.wait()
    }

    func answer(_ call: Int, _ value: String?) async {
      await gate.arrived(call)
      gate.answer(call: call, with: .success(value))
      await gate.ended(call)
    }
  }

  private func resource(delay: Duration = .zero, keepsFormer: Bool = false) -> AsyncResource<String> {
    AsyncResource(following: query, delay: delay, keepsFormer: keepsFormer, clock: clock) { [catalogue] key in
      try await catalogue.find(key)
    }
  }

  @Test("9.3 nothing is requested before the first load, whatever the key does")
  func idle() async {
    let resource = resource()
    query.write("b")
    #expect(resource.snapshot.isIdle)
    let load = resource.start()
    await catalogue.answer(1, "B")
    #expect(await load.outcome().text == "B")
    #expect(catalogue.keys == ["b"])
  }

  @Test("9.3 a change removes the data, supersedes, and requests before the write returns")
  func change() async {
    let resource = resource()
    let first = resource.start()
    await catalogue.answer(1, "A")
    _ = await first.outcome()
    let again = resource.refresh()
    var seen: [String?] = []
    let token = resource.observed.observe { seen.append($0.value) }
    query.write("b")
    #expect(resource.value == nil)
    #expect(resource.isRunning)
    #expect(seen == ["A", nil, nil])
    guard case .superseded = await again.outcome() else { return #expect(Bool(false)) }
    await catalogue.gate.arrived(2)
    #expect(catalogue.keys.last == "b")
    token.cancel()
  }

  @Test("9.3 a late answer for a former key is not stored, and a key that is returned to is requested anew")
  func late() async {
    let resource = resource()
    resource.start()
    await catalogue.gate.arrived(1)
    query.write("b")
    query.write("a")
    await catalogue.gate.arrived(2)
    #expect(catalogue.keys == ["a", "a"])
    await catalogue.answer(2, "A2")
    #expect(resource.value == "A2")
    #expect(resource.isRunning == false)
  }

  @Test("9.3 a cancel does not restore what belonged to another key")
  func cancel() async {
    let resource = resource()
    let load = resource.start()
    await catalogue.answer(1, "A")
    _ = await load.outcome()
    query.write("b")
    resource.cancel()
    #expect(resource.value == nil)
    #expect(resource.snapshot.isIdle)
  }

  @Test("9.3 an observer of the key that was there before reads no data of the former key")
  func oneRound() async {
    var seen: [String?] = []
    var resource: AsyncResource<String>?
    let token = query.observe { _ in seen.append(resource?.value) }
    resource = self.resource()
    let load = resource!.start()
    await catalogue.answer(1, "A")
    _ = await load.outcome()
    query.write("b")
    #expect(seen == [nil, nil])
    token.cancel()
  }

  /// How the key is written and derived.
  enum Way: CaseIterable {
    case write, batch, derived, observedBefore, observedInside
  }

  @Test("9.3 what is derived from the key and the data never mixes two keys", arguments: Way.allCases)
  func noMixture(way: Way) async {
    let key = way == .derived ? query.map { $0 } : query
    let resource = AsyncResource(following: key, clock: clock) { [catalogue] key in try await catalogue.find(key) }
    let other = Input(0)
    let pair = key.zip(resource.observed.map { $0.value })
    let both = pair.zip(other).map { pair, _ in "\(pair.0 ?? "-"):\(pair.1 ?? "-")" }
    var seen: [String] = []
    var tokens: [ObservationToken] = []
    if way == .observedBefore { tokens.append(both.observe { seen.append($0) }) }
    let load = resource.start()
    if way == .observedInside { tokens.append(resource.observed.observe { _ in seen.append(both.value) }) }
    tokens.append(both.observe { seen.append($0) })
    tokens.append(query.observe { _ in seen.append(both.value) })
    await catalogue.answer(1, "A")
    _ = await load.outcome()
    func write(_ key: String?) {
      guard way == .batch else { return query.write(key) }
      batch { batch in
        batch.write(other.value + 1, to: other)
        batch.write(key, to: query)
      }
    }
    write("b")
    await catalogue.answer(2, "B")
    await resource.settled()
    write("c")
    write(nil)
    #expect(Set(seen).subtracting(["a:-"]) == ["a:A", "b:-", "b:B", "c:-", "-:-"])
    #expect(seen.last == "-:-")
  }

  enum Source: CaseIterable { case input, derived, data, batch, batches }

  @Test(
    "9.3 what is derived from the key and the data is not mixed when the key is written while a former one is reported",
    arguments: Source.allCases, [true, false])
  func noMixtureLater(source: Source, keepsFormer: Bool) async {
    let article = AsyncData<String>()
    article.value = "a"
    let others = [Input(0), Input(0)]
    let key: Observed<String?> =
      switch source {
      case .derived: query.map { $0 }
      case .data: article.observed.map { $0.value }
      case .input, .batch, .batches: query
      }
    func write(_ key: String?) {
      switch source {
      case .input, .derived: query.write(key)
      case .data: article.value = key
      case .batch: batch { $0.write(key, to: query) }
      case .batches:
        batch {
          for other in others { $0.write(other.value + 1, to: other) }
          $0.write(key, to: query)
        }
      }
    }
    let resource = AsyncResource(following: key, keepsFormer: keepsFormer, clock: clock) { [catalogue] key in
      try await catalogue.find(key)
    }
    var seen: [String] = []
    var next: [String?] = ["c", nil, "d"]
    let tokens = [
      resource.observed.observe { snapshot in
        guard snapshot.isRunning, key.value != "a", let following = next.first else { return }
        next.removeFirst()
        if !keepsFormer { resource.data.value = key.value?.uppercased() }
        write(following)
      },
      key.zip(resource.observed).zip(others[0]).observe {
        let (key, snapshot) = $0.0
        seen.append("\(key ?? "-"):\(snapshot.isProvisional ? "" : snapshot.value ?? "-")")
        if key == nil { #expect(snapshot.value == nil) }
      },
    ]
    let load = resource.start()
    await catalogue.answer(1, "A")
    _ = await load.outcome()
    write("b")
    write("e")
    #expect(next == [])
    for pair in seen {
      let parts = pair.split(separator: ":", omittingEmptySubsequences: false)
      #expect(parts[1] == "" || parts[1] == "-" || parts[1] == parts[0].uppercased(), "\(seen)")
    }
    withExtendedLifetime(tokens) {}
  }

  @Test("9.3 a change of the key is one change of what is derived from the key and the data")
  func oneChange() async {
    let resource = resource()
    var seen: [String] = []
    let token = query.zip(resource.observed).observe { seen.append("\($0 ?? "-"):\($1.value ?? "-"):\($1.isRunning)") }
    let load = resource.start()
    await catalogue.answer(1, "A")
    _ = await load.outcome()
    seen = []
    query.write("b")
    #expect(seen == ["b:-:true"])
    token.cancel()
    query.write("c")
    #expect(resource.value == nil && resource.isRunning)
  }

  @Test("9.3 what is derived from the key and the data is not mixed when an observer changes the key again")
  func noMixtureInside() async {
    let resource = resource()
    var seen: [String] = []
    let tokens = [
      resource.observed.observe { [query] in if query.value == "b", $0.isRunning { query.write("c") } },
      query.zip(resource.observed.map { $0.value }).observe { [query] key, value in
        seen.append("\(key ?? "-"):\(value ?? "-")")
        if key == "c" { query.write("d") }
      },
    ]
    let load = resource.start()
    await catalogue.answer(1, "A")
    _ = await load.outcome()
    seen = []
    query.write("b")
    #expect(Set(seen).isSubset(of: ["b:-", "c:-", "d:-"]))
    #expect(seen.last == "d:-")
    withExtendedLifetime(tokens) {}
  }

  @Test("9.4 a nil key removes the data and runs nothing, and a load of it is cancelled")
  func nilKey() async {
    let resource = resource()
    let load = resource.start()
    await catalogue.answer(1, "A")
    _ = await load.outcome()
    query.write(nil)
    #expect(resource.snapshot.isIdle && resource.value == nil)
    guard case .cancelled = await resource.load() else { return #expect(Bool(false)) }
    guard case .cancelled = await resource.start().outcome() else { return #expect(Bool(false)) }
    #expect(catalogue.keys == ["a"])
    query.write("b")
    #expect(resource.isRunning)
  }

  @Test("9.4 an equal key changes nothing")
  func equalKey() async {
    let resource = resource()
    let load = resource.start()
    query.write("a")
    await catalogue.answer(1, "A")
    _ = await load.outcome()
    query.write("a")
    #expect(resource.value == "A")
    #expect(catalogue.keys == ["a"])
  }

  @Test("9.5 only a key that stood for the delay is requested, and nothing runs meanwhile")
  func delay() async {
    let resource = resource(delay: .milliseconds(300))
    let first = resource.start()
    await catalogue.answer(1, "A")
    _ = await first.outcome()
    for key in ["b", "bc", "bcd"] {
      query.write(key)
      #expect(!resource.isRunning)
      await clock.advance(by: .milliseconds(299))
    }
    #expect(catalogue.keys == ["a"])
    #expect(clock.sleeperCount == 1)
    await clock.advance(by: .milliseconds(1))
    #expect(resource.isRunning)
    #expect(clock.sleeperCount == 0)
    await catalogue.gate.arrived(2)
    #expect(catalogue.keys == ["a", "bcd"])
  }

  @Test("9.3 an explicit call requests at once and ends the delay")
  func explicit() async {
    let resource = resource(delay: .seconds(1))
    resource.start()
    query.write("b")
    resource.start()
    await catalogue.gate.arrived(1)
    #expect(catalogue.keys == ["b"])
    #expect(clock.sleeperCount == 0)
  }

  @Test("1.7, 9.6 a reader of isLoading is notified when a nil key removes the former value and nothing is known")
  func formerRemoved() async {
    let resource = resource(keepsFormer: true)
    let load = resource.start()
    await catalogue.answer(1, "A")
    _ = await load.outcome()
    query.write("b")
    resource.cancel()
    let reader = ObservationTests.Tracker()
    reader.track { _ = resource.data.isLoading }
    #expect(!resource.data.isLoading)
    query.write(nil)
    #expect(reader.changes == 1)
    #expect(resource.data.isLoading)
  }

  @Test("9.6 the former value is displayed, provisional, until there is a value or an error")
  func former() async {
    let resource = resource(keepsFormer: true)
    let load = resource.start()
    await catalogue.answer(1, "A")
    _ = await load.outcome()
    query.write("b")
    #expect(resource.status() == .data("A"))
    #expect(resource.snapshot.isProvisional && !resource.snapshot.isSettled)
    query.write("c")
    #expect(resource.status() == .data("A"))
    resource.start()
    #expect(resource.status() == .data("A"))
    await catalogue.gate.arrived(2)
    let third = resource.start()
    await catalogue.answer(2, "C")
    #expect(await third.outcome().text == "C")
    #expect(resource.value == "C")
    #expect(!resource.snapshot.isProvisional)
    query.write("d")
    query.write(nil)
    #expect(resource.value == nil)
    #expect(resource.status(policy: DisplayPolicy(idle: .noData)) == .noData(isIdle: true))
  }

  @Test("9.5 a resource that is released during the delay leaves no sleeper")
  func released() async {
    var resource: AsyncResource<String>? = resource(delay: .seconds(1))
    resource?.start()
    query.write("b")
    await clock.sleepers(atLeast: 1)
    resource = nil
    #expect(clock.sleeperCount == 0)
    query.write("c")
  }

  @Test("9.3 the last of the changes made in callbacks wins")
  func changedInCallback() async {
    let resource = resource()
    resource.start()
    var next = 0
    let token = resource.observed.map { $0.isRunning }.observe { [query] isRunning in
      guard isRunning, next < 1_000 else { return }
      next += 1
      query.write("\(next)")
    }
    // By 7.1 the observer may be called fewer times: what is equal again at the end of a round is not reported.
    #expect(query.value == "\(next)")
    await catalogue.gate.arrived(1)
    #expect(catalogue.keys == ["\(next)"])
    token.cancel()
  }

  @Test(
    "9.3 with a pacer the content or the error of a former key is not held for the delay", arguments: [false, true])
  func pacedHost(isError: Bool) async {
    let resource = resource()
    var displayed: [String] = []
    let host = AsyncHost(resource, pacer: DisplayPacer(delay: .seconds(1), minimum: .seconds(2), clock: clock)) {
      displayed.append($0.value ?? "\($0.kind)")
      return []
    }
    host.load()
    await catalogue.gate.arrived(1)
    catalogue.gate.answer(call: 1, with: isError ? .failure(Failure()) : .success("A"))
    await resource.settled()
    // The same key: what is displayed stays, and a loading that ends by then is not displayed.
    let again = resource.start()
    #expect(displayed == [isError ? "error" : "A"])
    await catalogue.answer(2, "A2")
    _ = await again.outcome()
    query.write("b")
    #expect(displayed == [isError ? "error" : "A", "A2", "loading"])
    await catalogue.answer(3, "B")
    await resource.settled()
    #expect(displayed.last == "loading")
    await clock.advance(by: .seconds(2))
    #expect(displayed.suffix(2) == ["loading", "B"])
    #expect(clock.sleeperCount == 0)
  }

  @Test("9.3 without a host a paced status does not hold the content of a former key, either")
  func pacedStatus() async {
    let resource = resource()
    let display = PacedStatus(resource, pacer: DisplayPacer(delay: .seconds(1), minimum: .zero, clock: clock))
    resource.start()
    await catalogue.answer(1, "A")
    await resource.settled()
    #expect(display.status == .data("A"))
    resource.start()
    #expect(display.status == .data("A"))
    query.write("b")
    #expect(display.status == .loading)
    resource.reset()
  }

  @Test("9.6 with a pacer a former value that is to be kept stays, and no loading is displayed")
  func pacedFormer() async {
    let resource = resource(keepsFormer: true)
    let host = AsyncHost(resource, pacer: DisplayPacer(delay: .seconds(1), clock: clock), children: { _ in [] })
    host.load()
    await catalogue.answer(1, "A")
    await resource.settled()
    query.write("b")
    #expect(host.container.currentState == .data("A"))
    await clock.advance(by: .seconds(5))
    #expect(host.container.currentState == .data("A"))
    await catalogue.answer(2, "B")
    await resource.settled()
    #expect(host.container.currentState == .data("B"))
  }

  @Test("9.7 leaving a key ends its load", arguments: [nil, "b"])
  func leavingEnds(next: String?) async {
    let resource = resource()
    let load = resource.start()
    await catalogue.gate.arrived(1)
    query.write(next)
    guard case .superseded = await load.outcome() else { return #expect(Bool(false)) }
    // The gate regards cancellation.
    await catalogue.gate.ended(1)
    #expect(resource.isRunning == (next != nil))
  }

  @Test("9.7 leaving a key ends what its load awaits, unless somebody else wants that", arguments: [false, true])
  func leavingSharedLoad(isWantedElsewhere: Bool) async {
    let gate = Gate<String?>()
    let shared = AsyncResource { try await gate.wait() }
    let resource = AsyncResource(following: query) { key in
      guard key == "a" else { return key }
      return try await shared.load().get()
    }
    let load = resource.start()
    await gate.arrived(1)
    let other = isWantedElsewhere ? shared.start() : nil
    query.write("b")
    guard case .superseded = await load.outcome() else { return #expect(Bool(false)) }
    await resource.settled()
    #expect(resource.value == "b")
    #expect(shared.isRunning == isWantedElsewhere)
    gate.answer(call: 1, with: .success("A"))
    if let other { #expect(await other.outcome().text == "A") }
    await shared.settled()
    #expect(shared.value == (isWantedElsewhere ? "A" : nil))
    #expect(gate.arguments(as: String.self).isEmpty)
  }

  @Test("1.4, 9.3 a chain of 20,000 key changes, each made in a callback of the one before", arguments: [false, true])
  func chain(inCallbackOfTheKey: Bool) async {
    let key = Input<Int?>(0)
    let resource = AsyncResource<Int>(following: key) { $0 }
    var next = 0
    func changeKey() {
      guard next < 20_000 else { return }
      next += 1
      key.write(next)
    }
    resource.start()
    let token =
      inCallbackOfTheKey
      ? key.observe { _ in changeKey() } : resource.data.observed.observe { _ in changeKey() }
    #expect(next == 20_000 && key.value == next)
    await resource.settled()
    #expect(resource.value == next)
    token.cancel()
  }
}

extension LoadOutcome where Value == String {
  fileprivate var text: String? { try? get() }
}
