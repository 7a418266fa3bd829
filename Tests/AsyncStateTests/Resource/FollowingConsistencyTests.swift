// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct FollowingConsistencyTests: FollowingSuite {
    let stage = FollowingStage()

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
      expectEqual(seen, [nil, nil])
      token.cancel()
    }

    /// How the key is written and derived.
    enum Way: CaseIterable {
      case write, batch, derived, observedBefore, observedInside
    }

    @Test("9.3 what is derived from the key and the data never mixes two keys", arguments: Way.allCases)
    func noMixture(way: Way) async {
      let key = way == .derived ? query.map { $0 } : query
      let resource = AsyncResource(following: key, options: LoadOptions(clock: clock)) { [catalogue] key in
        try await catalogue.find(key)
      }
      let other = Input(0)
      let pair = key.zip(resource.observed.map { $0.value })
      let both = pair.zip(other).map { pair, _ in "\(pair.0 ?? "-"):\(pair.1 ?? "-")" }
      var seen: [String] = []
      var tokens: [ObservedToken] = []
      if way == .observedBefore { tokens.append(both.observe { seen.append($0) }) }
      let load = resource.start()
      if way == .observedInside { tokens.append(resource.observed.observe { _ in seen.append(both.current) }) }
      tokens.append(both.observe { seen.append($0) })
      tokens.append(query.observe { _ in seen.append(both.current) })
      await catalogue.answer(1, "A")
      _ = await load.outcome()
      func write(_ key: String?) {
        guard way == .batch else { return query.write(key) }
        batch { batch in
          batch.write(other.current + 1, to: other)
          batch.write(key, to: query)
        }
      }
      write("b")
      await catalogue.answer(2, "B")
      await resource.settled()
      write("c")
      write(nil)
      expectEqual(Set(seen).subtracting(["a:-"]), ["a:A", "b:-", "b:B", "c:-", "-:-"])
      expectEqual(seen.last, "-:-")
    }

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
        try await catalogue.find(key)
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
        #expect(parts[1] == "" || parts[1] == "-" || parts[1] == parts[0].uppercased(), "\(seen)")
      }
      withExtendedLifetime(tokens) {}
    }

    @Test("9.3 a change of the key is one change of what is derived from the key and the data")
    func oneChange() async {
      let resource = resource()
      var seen: [String] = []
      let token = query.zip(resource.observed).observe {
        seen.append("\($0 ?? "-"):\($1.value ?? "-"):\($1.isRunning)")
      }
      let load = resource.start()
      await catalogue.answer(1, "A")
      _ = await load.outcome()
      seen = []
      query.write("b")
      expectEqual(seen, ["b:-:true"])
      token.cancel()
      query.write("c")
      #expect(resource.value == nil && resource.isRunning)
    }

    @Test("9.3 what is derived from the key and the data is not mixed when an observer changes the key again")
    func noMixtureInside() async {
      let resource = resource()
      var seen: [String] = []
      let tokens = [
        resource.observed.observe { [query] in if query.current == "b", $0.isRunning { query.write("c") } },
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
      expectEqual(seen.last, "d:-")
      withExtendedLifetime(tokens) {}
    }
  }
}
