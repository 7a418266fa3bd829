// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct FollowingConsistencyTests: FollowingSuite {
    let stage = FollowingStage()

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
