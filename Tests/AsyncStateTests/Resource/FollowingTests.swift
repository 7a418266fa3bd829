// SPDX-License-Identifier: MIT
import AsyncStateJournal
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct FollowingTests: FollowingSuite {
    let stage = FollowingStage()

    @Test(
      "1.4, 9.3 a chain of 5,000 key changes, each made in a callback of the one before", arguments: [false, true])
    func chain(inCallbackOfTheKey: Bool) async {
      let key = Input<Int?>(0)
      let resource = AsyncResource<Int>(following: key) { $0 }
      var next = 0
      func changeKey() {
        guard next < 5_000 else { return }
        next += 1
        key.write(next)
      }
      resource.start()
      let token =
        inCallbackOfTheKey
        ? key.observe { _ in changeKey() } : resource.data.observed.observe { _ in changeKey() }
      expectEqual(next, 5_000)
      expectEqual(key.current, next)
      await resource.settled()
      expectEqual(resource.value, next)
      token.cancel()
    }

    @Test("2, 9.4 each request that finds no key is one notification and one entry, and changes nothing else")
    func missingKey() async {
      let resource = resource()
      let journal = StateJournal()
      journal.attach(resource, name: "results")
      query.write(nil)
      resource.start()
      resource.data.value = "by hand"
      resource.invalidate()
      var seen: [String] = []
      let token = resource.observed.observe { seen.append("\(SnapshotParts($0))") }
      await resource.load()
      resource.reload()
      expectEqual(seen, Array(repeating: "by hand set invalidated", count: 3))
      let events: [StateJournal.Event] = [
        .attached(.init()), .keyMissing, .valueSet, .invalidated, .keyMissing, .keyMissing,
      ]
      expectEqual(journal.entries.map(\.event), events)
      token.cancel()
    }

    @Test(
      "3.14, 4, 9.5 a key whose request is delayed is loading, as is the whole of several, until a call requests at once"
    )
    func delayIsLoading() async {
      query.write(nil)
      let results = resource(delay: .milliseconds(300))
      let screen = { results.status(policy: DisplayPolicy(idle: .idle)) }
      expectEqual(screen(), .idle, "nothing is requested, and nothing will be")
      results.start()
      expectEqual(screen(), .idle, "there is no key to request for")

      query.write("a")
      expectEqual(screen(), .loading)
      expect(!results.isRunning)
      results.cancel()
      expectEqual(screen(), .idle, "the request that was expected will not be made")

      query.write("b")
      await clock.advance(by: .milliseconds(300))
      await catalogue.answer(1, "B")
      await results.settled()
      expectEqual(screen(), .data("B"))
      query.write("c")
      expectEqual(screen(), .loading)
      let both = zip(results.snapshot, AsyncSnapshot<Int>.value(1))
      expectEqual(both.status(policy: DisplayPolicy(idle: .idle)).kind, .loading)
      expect(!results.isRunning)
      results.start()
      expect(results.isRunning, "a call requests immediately")
      expectEqual(clock.sleeperCount, 0)
      await catalogue.arrived(2)
      query.write(nil)
      expectEqual(screen(), .idle)
      expectEqual(catalogue.keys, ["b", "c"])
    }

    @Test("4, 6.2, 9.4 a host whose key changes displays loading, and nothing before; an equal key changes nothing")
    func changedKeyIsLoading() async {
      let results = resource()
      let host = AsyncHost(results, policy: DisplayPolicy(idle: .idle))
      let trace = Recorder()
      let screen = TracedPresenter<String>(trace) { $0 }
      host.presenter = screen
      host.start()
      await catalogue.answer(1, "A")
      await results.settled()
      query.write("a")
      expect(!results.isRunning)
      query.write("b")
      await catalogue.answer(2, "B")
      await results.settled()
      expectEqual(trace.take().marks, ["idle,f", "loading,t", "A,t", "loading,t", "B,t"])
    }

    @Test("9.7 leaving a key ends what its load awaits, unless another caller wants that", arguments: [false, true])
    func leavingSharedLoad(isWantedElsewhere: Bool) async {
      let gate = ManualServer<String?>()
      let shared = AsyncResource { try await gate.wait() }
      let resource = AsyncResource(following: query) { key in
        guard key == "a" else { return key }
        return try await shared.load().get()
      }
      let load = resource.start()
      await gate.arrived(1)
      let other = isWantedElsewhere ? shared.start() : nil
      query.write("b")
      guard case .superseded = await load.outcome() else { return expect(false) }
      await resource.settled()
      expectEqual(resource.value, "b")
      expectEqual(shared.isRunning, isWantedElsewhere)
      gate.answer(call: 1, with: .success("A"))
      if let other { await expectEqual(other.outcome().text, "A") }
      await shared.settled()
      expectEqual(shared.value, (isWantedElsewhere ? "A" : nil))
    }

    // MARK: What is written before the first load

    @Test("3.20, 9.3 what was written or changed before the first load belongs to its key, too", arguments: 0..<4)
    func beforeFirstLoad(way: Int) async {
      let gate = LoadGate(isOpen: false)
      var sent: [String] = []
      let resource = AsyncResource(following: query, options: LoadOptions(clock: clock, gate: gate)) {
        [catalogue] key in
        try await catalogue.wait(for: key)
      }
      var change: Waiting<AsyncOutcome<String?>>?
      switch way {
      case 0: resource.receive("of a")
      case 1:
        resource.receive("of a")
        resource.update { $0 += ", updated" }
      case 2: resource.data.value = "of a"
      default:
        change = Waiting {
          await resource.mutate {
            $0 += "!"
          } commit: {
            sent.append("a")
          }
        }
        await change?.begun()
      }
      expect(way == 3 || resource.value?.hasPrefix("of a") == true)
      query.write("b")
      expectNil(resource.value)
      expect(!resource.isRunning)
      expect(catalogue.keys.isEmpty)
      gate.open()
      if let change { guard case .superseded = await change.end() else { return expect(false) } }
      expect(sent.isEmpty)
      let load = resource.start(when: .stale)
      await catalogue.answer(1, "B")
      expectEqual(await load.outcome().text, "B")
      expectEqual(catalogue.keys, ["b"])
    }

    @Test("9.3 what is written before the first call belongs to its key, also where an observer of it changes the key")
    func writtenBeforeTheFirstCall() async {
      let account = Input<String?>("ann")
      let profile = AsyncResource<String>(following: account) { "of \($0)" }
      let token = profile.observed.observe { if $0.value == "locked" { account.write("guest") } }
      profile.data.value = "locked"
      expectNil(profile.value)
      await profile.load()
      expectEqual(profile.value, "of guest")
      withExtendedLifetime(token) {}
    }

    @Test(
      "1.4, 7.3 what follows a key and writes it back: each observer of the key gets every value",
      arguments: ["a", "b"])
    func writtenBack(other: String) async {
      let query = Input<String?>("a")
      let results = AsyncResource<String>(following: query) { $0 }
      await results.load()
      var history: [String?] = []
      let tokens = [
        query.observe { history.append($0) },
        results.observed.observe { _ in if query.current == "B" { query.write(other) } },
      ]
      query.write("B")
      expectEqual(history, ["a", "B", other])
      await results.settled()
      expectEqual(results.value, other)
      withExtendedLifetime(tokens) {}
    }

    @Test("9.3, 3.2 a reader that changes the key while a request begins: the former key's is not made")
    func keyChangedByReader() async {
      let key = Input<Int?>(1)
      let requested = Input<[Int]>([])
      let resource = AsyncResource<Int>(following: key) { key in
        requested.change { $0.append(key) }
        return 100 * key
      }
      await resource.load()
      whenReported({ _ = resource.isRunning }) { key.write(2) }
      let outcome = await resource.load()
      await resource.settled()
      expectEqual(resource.value, 200)
      expectEqual(requested.current, [1, 2])
      // It was made for the former key.
      guard case .superseded = outcome else { return expect(false, "\(outcome)") }
    }

    // MARK: The key and the data together

    enum Source: CaseIterable { case input, derived, data, batch, batches }

    @Test(
      "9.3 what is derived from the key and the data is not mixed when the key is written while a former one is reported",
      arguments: Source.allCases, PreviousValue.all)
    func noMixtureLater(source: Source, previous: PreviousValue) async {
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
            for other in others { $0.write(other.current + 1, to: other) }
            $0.write(key, to: query)
          }
        }
      }
      let resource = AsyncResource(following: key, previous: previous, options: LoadOptions(clock: clock)) {
        [catalogue] key in
        try await catalogue.wait(for: key)
      }
      var seen: [String] = []
      var next: [String?] = ["c", nil, "d"]
      let tokens = [
        resource.observed.observe { snapshot in
          guard snapshot.isRunning, key.current != "a", let following = next.first else { return }
          next.removeFirst()
          if previous == .hidden { resource.data.value = key.current?.uppercased() }
          write(following)
        },
        key.zip(resource.observed).zip(others[0]).observe {
          let (key, snapshot) = $0.0
          seen.append("\(key ?? "-"):\(snapshot.isProvisional ? "" : snapshot.value ?? "-")")
          if key == nil { expectNil(snapshot.value) }
        },
      ]
      let load = resource.start()
      await catalogue.answer(1, "A")
      _ = await load.outcome()
      write("b")
      write("e")
      expectEqual(next, [])
      for pair in seen {
        let parts = pair.split(separator: ":", omittingEmptySubsequences: false)
        expect(parts[1] == "" || parts[1] == "-" || parts[1] == parts[0].uppercased(), "\(seen)")
      }
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "9.3 a change of the key is one change with the data: also an observer of the key from before reads none of the former"
    )
    func oneChange() async {
      var resource: AsyncResource<String>?
      var early: [String?] = []
      var seen: [String] = []
      let first = query.observe { _ in early.append(resource?.value) }
      let following = self.resource()
      resource = following
      let token = query.zip(following.observed).observe {
        seen.append("\($0 ?? "-"):\($1.value ?? "-"):\($1.isRunning)")
      }
      let load = following.start()
      await catalogue.answer(1, "A")
      _ = await load.outcome()
      seen = []
      query.write("b")
      expectEqual(seen, ["b:-:true"])
      expectEqual(early, [nil, nil])
      token.cancel()
      query.write("c")
      expectNil(following.value)
      expect(following.isRunning)
      first.cancel()
    }
  }
}
