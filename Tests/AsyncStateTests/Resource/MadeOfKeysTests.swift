// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct WatchingFormerTests {
    @Test(
      "20.2 the account changes while its orders are on their way: they are never displayed, and the next are not late")
    func ordersOfAnother() async {
      let account = AsyncResource<String> { "ann" }
      let server = Gate<String>()
      let orders = AsyncResource(
        .value { (reporter: LoadReporter<String>) in
          let user = try await reporter.get(account)
          return try await server.wait(for: user)
        })
      var displayed: [String] = []
      let token = orders.observed.observe { displayed.append($0.value ?? "none") }
      orders.start()
      await server.arrived(for: "ann")
      account.data.value = "bob"
      // Her request has not ended.
      await server.arrived(for: "bob")
      server.answer(for: "bob", with: .failure(Failure(name: "bob")))
      await orders.settled()
      #expect(orders.value == nil && orders.error != nil && Set(displayed) == ["none"])
      withExtendedLifetime(token) {}
    }

    @Test("20.1 an optimistic change of what waits for its gate is displayed by what is made of it")
    func changeBehindGate() async {
      let gate = LoadGate()
      let likes = AsyncResource<Int>(options: LoadOptions(gate: gate)) { 1 }
      let title = AsyncResource(.value { (reporter: LoadReporter<String>) in "\(try await reporter.get(likes)) likes" })
      await title.load()
      gate.close()
      likes.refresh()
      let commit = Gate<Void>()
      let change = Task {
        await likes.mutate {
          $0 += 1
        } commit: {
          try await commit.wait()
        }
      }
      await reaches(likes) { $0.value == 2 }
      await title.settled()
      #expect(likes.isWaiting && title.value == "2 likes" && !title.isStale)
      gate.open()
      await commit.arrived(1)
      commit.answer(call: 1, with: .failure(Failure(name: "no")))
      _ = await change.value
      await likes.settled()
      await title.settled()
      #expect(likes.value == 1 && title.value == "1 likes")
    }

    @Test("20.2 an optimistic change of what is being requested, between two reads: no mixture is displayed")
    func changeBetweenReads() async {
      let server = Gate<Int>()
      let one = AsyncResource { try await server.wait() }
      let two = AsyncResource<Int> { 0 }
      let pause = Gate<Void>()
      let both = AsyncResource(
        .value { (reporter: LoadReporter<[Int]>) in
          let first = try await reporter.get(one)
          try await pause.wait()
          return [first, try await reporter.get(two)]
        })
      var displayed: [[Int]] = []
      let token = both.observed.observe { if let value = $0.value { displayed.append(value) } }
      server.answer(call: 1, with: .success(1))
      await one.load()
      both.start()
      await pause.arrived(1)
      one.refresh()
      await server.arrived(2)
      let commit = Gate<Void>()
      let change = Task {
        await one.mutate {
          $0 = 2
        } commit: {
          try await commit.wait()
        }
      }
      await commit.arrived(1)
      await two.load()
      two.data.value = 2
      await pause.arrived(2)
      pause.answer(call: 2, with: .success(()))
      await both.settled()
      #expect(displayed.allSatisfy { $0 == [2, 2] } && both.value == [2, 2])
      commit.answer(call: 1, with: .success(()))
      _ = await change.value
      server.answer(call: 2, with: .success(2))
      // The answer was requested before the change was sent: perhaps it does not contain it.
      server.answer(call: 3, with: .success(2))
      // For the confirmation, and for what is requested after it.
      for call in 3...4 { pause.answer(call: call, with: .success(())) }
      await one.settled()
      await both.settled()
      #expect(both.value == [2, 2] && !both.isStale)
      withExtendedLifetime(token) {}
    }

    @Test(
      "20.7 what is made of something forgotten is forgotten with it, before an observer is notified, at any distance")
    func forgotten() async {
      let name = Input("Ann")
      let profile = AsyncResource<String> { name.current }
      let summary = AsyncResource(
        .value { (reporter: LoadReporter<String>) in "Hello, \(try await reporter.get(profile))" })
      let banner = AsyncResource(.value { (reporter: LoadReporter<String>) in "\(try await reporter.get(summary))!" })
      await banner.load()
      #expect(banner.value == "Hello, Ann!")
      var seen: [String?] = []
      let token = profile.observe { _ in seen.append(banner.value) }
      seen = []
      profile.forget()
      #expect(seen.allSatisfy { $0 == nil } && summary.value == nil && banner.value == nil)
      #expect(!summary.isRunning && !banner.isRunning && !profile.isRunning)
      await banner.settled()
      // Another user logs in.
      name.write("Bob")
      await profile.load()
      await summary.settled()
      await banner.settled()
      #expect(banner.value == "Hello, Bob!")
      withExtendedLifetime(token) {}
    }

    @Test("20.7 a log-out ends the request of what was made of the former user")
    func forgottenWhileRequested() async {
      let profile = AsyncResource<String> { "Ann" }
      let server = Gate<String>()
      let summary = AsyncResource(
        .value { (reporter: LoadReporter<String>) in
          let user = try await reporter.get(profile)
          return try await server.wait(for: user)
        })
      summary.start()
      await server.arrived(for: "Ann")
      profile.forget()
      #expect(!summary.isRunning)
      await summary.settled()
      #expect(summary.value == nil && summary.error == nil && !profile.isRunning)
    }

    @Test(
      "9, 20.7 what is made of a former key's value is removed with it, fails with the next, and is idle without a key")
    func keyOfInput() async {
      let account = Input<String?>("ann")
      let server = Gate<String>()
      let profile = AsyncResource<String>(following: account.observed) { try await server.wait(for: $0) }
      let summary = AsyncResource(
        .value { (reporter: LoadReporter<String>) in "Hello, \(try await reporter.get(profile))" })
      server.answer(for: "ann", with: .success("Ann"))
      await summary.load()
      #expect(summary.value == "Hello, Ann")
      account.write("bob")
      #expect(summary.value == nil && summary.isRunning && summary.data.isLoading)
      await server.arrived(for: "bob")
      server.answer(for: "bob", with: .failure(Failure(name: "bob")))
      await profile.settled()
      await summary.settled()
      #expect(summary.value == nil && summary.error != nil)
      account.write("ann")
      await server.arrived(for: "ann")
      server.answer(for: "ann", with: .success("Ann"))
      await profile.settled()
      await summary.settled()
      #expect(summary.value == "Hello, Ann")
      account.write(nil)
      #expect(summary.value == nil && !summary.isRunning && !summary.data.isLoading)
      await summary.settled()
    }

    @Test("9.6, 20.1 what is made of a value that lasts without a key stays, stale, and is made anew of the next key's")
    func lastingInput() async {
      let account = Input<String?>("ann")
      let profile = AsyncResource<String>(following: account.observed, former: .untilReplaced) { $0 }
      let summary = AsyncResource(
        .value { (reporter: LoadReporter<String>) in "Hello, \(try await reporter.get(profile))" })
      await summary.load()
      account.write(nil)
      await summary.settled()
      #expect(profile.value == "ann" && summary.value == "Hello, ann" && summary.isStale)
      await #expect(throws: NoKeyError.self) { try await summary.get() }
      #expect(summary.value == "Hello, ann" && summary.error == nil)
      account.write("bob")
      await profile.settled()
      await summary.settled()
      #expect(summary.value == "Hello, bob" && !summary.isStale)
    }

    @Test(
      "20.7 what an entry was made of is forgotten: the store of its family has it no more, and it is requested again later"
    )
    func forgottenEntry() async throws {
      let name = Input("Ann")
      let profile = AsyncResource<String> { name.current }
      let store = MemoryStore<Int, String>()
      let summaries = AsyncFamily<Int, String>(store: store) { (_: Int) in
        .value { (reporter: LoadReporter<String>) in "Hello, \(try await reporter.get(profile))" }
      }
      let summary = summaries[0]
      await summary.load()
      await summary.settled()
      #expect(try await store.read(0, isolation: #isolation)?.value == "Hello, Ann")
      profile.forget()
      #expect(summary.value == nil && !summary.isRunning)
      await summary.settled()
      #expect(try await store.read(0, isolation: #isolation) == nil)
      name.write("Bob")
      await profile.load()
      await summary.settled()
      #expect(summary.value == "Hello, Bob")
      #expect(try await store.read(0, isolation: #isolation)?.value == "Hello, Bob")
    }

    @Test("9.6, 20.2 the value of a former key is not got as that of the next one")
    func formerIsNotGot() async {
      let key = Input<String?>("a")
      let server = Gate<String>()
      let orders = AsyncResource<String>(following: key, former: .untilReplaced) { try await server.wait(for: $0) }
      let title = AsyncResource(.value { (reporter: LoadReporter<String>) in "\(try await reporter.get(orders))!" })
      let token = orders.observe { if $0.value == "A", !$0.isProvisional { key.write("b") } }
      title.start()
      await server.arrived(for: "a")
      server.answer(for: "a", with: .success("A"))
      await server.arrived(for: "b")
      server.answer(for: "b", with: .failure(Failure(name: "b")))
      await title.settled()
      #expect(title.value == nil && title.error is Failure)
      withExtendedLifetime(token) {}
    }
  }
}
