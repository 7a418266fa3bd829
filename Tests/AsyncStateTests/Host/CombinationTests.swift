// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct CombinationTests {
    typealias Pair = (Int, String)

    let numbers = ManualServer<Int?>()
    let words = ManualServer<String?>()
    let trace = Recorder()
    let number: AsyncResource<Int>
    let word: AsyncResource<String>
    let presenter: TracedPresenter<Pair>
    let host: AsyncHost<Pair>

    init() {
      let (numbers, words) = (numbers, words)
      number = AsyncResource { try await numbers.wait() }
      word = AsyncResource { try await words.wait() }
      presenter = TracedPresenter(trace) { "\($0.0)\($0.1)" }
      host = AsyncHost(zip(number, word))
      host.presenter = presenter
    }

    /// Whether each part runs.
    private var running: [Bool] { [number.isRunning, word.isRunning] }

    private func answer(_ call: Int, _ number: Int?, _ word: String?) async {
      await numbers.arrived(call)
      await words.arrived(call)
      numbers.answer(call: call, with: .success(number))
      words.answer(call: call, with: .success(word))
    }

    private func described(_ outcome: AsyncOutcome<Pair?>) -> String {
      switch outcome {
      case .success(let pair): pair.map { "\($0.0)\($0.1)" } ?? "nothing"
      case .failure(let error): "failure \(error)"
      case .cancelled: "cancelled"
      case .superseded: "superseded"
      case .notRequested: "fresh"
      }
    }

    /// The host, displaying `1a`.
    private func loaded() async {
      host.appear(animated: false)
      host.start()
      await answer(1, 1, "a")
      await host.settled()
      _ = trace.take()
    }

    @Test("6.1, 6.8 making a host requests nothing; load displays the first status and requests all parts once")
    func load() async {
      expectEqual(running, [false, false])
      let load = host.start()
      expectEqual(trace.takeTrace(), "loading,f")
      for activity in [number.snapshot.activity, word.snapshot.activity] {
        expectEqual(activity?.mode, .refresh, "a part that another screen displays stays there")
      }
      let again = host.start()
      await numbers.answer(arriving: 1, with: .success(1))
      await number.settled()
      expectEqual(trace.takeTrace(), "")
      expectEqual(host.status.kind, .loading)
      await words.answer(arriving: 1, with: .success("a"))
      for load in [load, again] { await expectEqual(described(load.outcome()), "1a") }
      expectEqual(trace.takeTrace(), "1a,t")
      await expectEqual(described(host.start().outcome()), "1a")
    }

    @Test("3.14, 6.8 a part that waits for its gate hides nothing while another part refreshes")
    func waitingPart() async {
      let gate = LoadGate()
      let answers = ManualServer<Int?>()
      let (x, y) = (
        AsyncResource(options: LoadOptions(gate: gate)) { try await answers.wait() },
        AsyncResource(options: LoadOptions(gate: gate)) { 2 }
      )
      x.data.value = 1
      y.data.value = 2
      let host = AsyncHost(zip(x, y)) { _ in [] }
      host.start(when: .stale)
      x.refresh()
      await answers.arrived(1)
      gate.close()
      y.reload()
      expect(y.snapshot.isWaiting)
      expectEqual(x.status, .data(1))
      expectEqual(y.status, .data(2))
      expectEqual(host.status.kind, .data)
      host.data.cancel()
    }

    @Test(
      "6.2, 6.8 what any part writes is presented, and the error of the first that has one; errors of others are no news"
    )
    func written() async {
      await loaded()
      word.data.value = "a"
      number.data.value = 2
      number.data.value = 1
      word.invalidate()
      expectEqual(trace.takeTrace(), "1a,f 2a,t 1a,t 1a,f")
      let errors: [(write: () -> Void, displayed: String)] = [
        ({ word.data.error = Failure(name: "b") }, "error:b,t"),
        ({ word.data.error = Failure(name: "b2") }, "error:b2,t"),
        ({ number.data.error = Failure(name: "a") }, "error:a,t"), ({ word.data.error = Failure(name: "b3") }, ""),
        ({ number.data.error = nil }, "error:b3,t"), ({ word.data.error = nil }, "1a,t"),
      ]
      for (write, displayed) in errors {
        write()
        expectEqual(trace.takeTrace(), displayed)
      }
      // Of a part behind one whose error is not displayed.
      number.refresh()
      await numbers.answer(arriving: 2, with: .failure(Failure(name: "beside")))
      await number.settled()
      expectEqual(trace.takeTrace(), "", "the error of a refresh replaces nothing")
      word.reload()
      await words.answer(arriving: 2, with: .failure(Failure(name: "first")))
      await host.settled()
      _ = trace.take()
      word.data.error = Failure(name: "second")
      expectEqual(trace.takeTrace(), "error:second,t")
    }

    @Test(
      "6.4, 6.8 a refresh keeps what is displayed; a reload hides it once, and keeps the values; a handle waits for all"
    )
    func refreshAndReload() async {
      await loaded()
      let refresh = host.refresh()
      expectEqual(trace.takeTrace(), "")
      expectEqual(running, [true, true])
      expect(host.data.isRunning)
      await answer(2, 2, "b")
      await expectEqual(described(refresh.outcome()), "2b")
      expect(!host.data.isRunning)
      _ = trace.take()
      host.reload()
      expectEqual(trace.takeTrace(), "loading,t")
      expectEqual(number.value, 2)
      expectEqual(word.value, "b")
      host.reload()
      expectEqual(trace.takeTrace(), "")
      // The requests of the first reload were superseded before they began.
      await answer(3, 3, "c")
      await host.settled()
      expectEqual(trace.takeTrace(), "3c,t")
    }

    @Test(
      "3.3, 6.8 the handle and the host's data cancel every part before they return; the data invalidates and resets all"
    )
    func dataOfTheHost() async throws {
      await loaded()
      for cancelsHandle in [true, false] {
        let refresh = host.refresh()
        if cancelsHandle { refresh.cancel() } else { host.data.cancel() }
        try #require(!number.isRunning && !word.isRunning && !host.data.isRunning)
        await expectEqual(described(refresh.outcome()), "cancelled")
        expectEqual(trace.takeTrace(), "")
      }
      expectEqual(host.status.value?.0, 1)
      host.data.invalidate()
      expect(number.isStale)
      expect(word.isStale)
      _ = trace.take()
      host.reload()
      host.data.reset()
      expectNil(number.value)
      expectNil(word.value)
      expectEqual(running, [false, false])
      expectEqual(trace.takeTrace(), "loading,t")
      // As after a log-out: a screen that is displayed anew requests again.
      host.start(when: .stale)
      await answer(2, 2, "b")
      await host.settled()
      expectEqual(trace.takeTrace(), "2b,t")
    }

    @Test("1.11, 6.8 each part keeps its delegate and other hosts, and a reload control of a part reloads the screen")
    func delegates() async {
      let recorder = DataRecorder(number.data)
      let other = AsyncHost(number) { _ in [] }
      other.start()
      await loaded()
      expect(number.data.delegate === recorder)
      expectEqual(other.status, .data(1))
      expectNil(host.data.delegate)
      let board = StatusBoard(content: PlainContent(), word)
      board.reload()
      expectEqual(trace.takeTrace(), "loading,t")
      expectEqual(running, [true, true])
    }

    @Test("1.6, 6.8 a host that is released leaves no observer, and its parts go on")
    func released() async {
      weak var released: AsyncHost<Pair>?
      do {
        let host = AsyncHost(zip(number, word))
        host.presenter = presenter
        released = host
        host.start()
        _ = trace.take()
      }
      expectNil(released)
      expect(number.isRunning)
      await answer(1, 1, "a")
      await atRest(number, word)
      expectEqual(number.value, 1)
      expectEqual(trace.takeTrace(), "")
    }

    @Test("6.8 the outcome of several loads: the first failure, else superseded if one is, else cancelled if one is")
    func outcomes() async {
      // What is cancelled before it began is not called.
      let superseded = host.start()
      number.data.value = 5
      word.cancel()
      await expectEqual(described(superseded.outcome()), "superseded")
      let cancelled = host.refresh()
      word.cancel()
      await numbers.answer(arriving: 1, with: .success(1))
      await expectEqual(described(cancelled.outcome()), "cancelled")
      let failed = host.refresh()
      await numbers.answer(arriving: 2, with: .failure(Failure(name: "a")))
      await number.settled()
      word.data.value = "c"
      await expectEqual(described(failed.outcome()), "failure a")
    }

    @Test("6.1, 6.8 a second start requests nothing while a part's request follows by itself")
    func startDuringDelay() async {
      let clock = ManualClock(), key = Input<Int?>(1)
      var requested: [Int] = []
      let number = AsyncResource(following: key, delay: .seconds(1), options: LoadOptions(clock: clock)) { key in
        requested.append(key)
        return key
      }
      let host = AsyncHost(zip(number, AsyncResource { "a" }))
      host.start()
      await host.settled()
      expectEqual(requested, [1])
      key.write(2)
      host.start()
      expect(!number.isRunning)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      await host.settled()
      expectEqual(requested, [1, 2])
      expectEqual(number.value, 2)
    }

    // MARK: As a resource

    @Test("6.8 a caller that waits gets what they are together; one that leaves ends only what no other caller wants")
    func awaited() async throws {
      let both = zip(number, word)
      let call = Task { await both.load() }
      await answer(1, 1, "a")
      await expectEqual(described(call.value), "1a")
      await expectEqual(described(both.load(when: .stale)), "fresh")
      #expect(try await both.get() == (1, "a"))
      let other = number.start()
      let leaving = Task { await both.load() }
      await numbers.arrived(2)
      await words.arrived(2)
      leaving.cancel()
      await expectEqual(described(leaving.value), "cancelled")
      await word.settled()
      expectEqual(running, [true, false])
      numbers.answer(call: 2, with: .success(2))
      _ = await other.outcome()
      expectEqual(both.value?.0, 2)
    }

    @Test("6.8 a button requests again what has failed or has no value, and all where none is missing")
    func retry() async {
      let both = zip(number, word)
      let load = both.start()
      await numbers.arrived(1)
      await words.arrived(1)
      numbers.answer(call: 1, with: .success(1))
      words.answer(call: 1, with: .failure(Failure()))
      _ = await load.outcome()
      both.retry(hidingContent: true, isolation: MainActor.shared)
      expectEqual(running, [false, true])
      expectEqual(both.status.kind, .loading)
      await words.answer(arriving: 2, with: .success("a"))
      await both.settled()
      both.retry(hidingContent: false, isolation: MainActor.shared)
      expectEqual(running, [true, true])
      expectEqual(both.status.kind, .data)
      both.cancel()
      expectEqual(running, [false, false])
      // Beside its content, too.
      number.start()
      await numbers.answer(arriving: 2, with: .failure(Failure()))
      await number.settled()
      both.retry(hidingContent: false, isolation: MainActor.shared)
      expectEqual(running, [true, false])
      both.cancel()
    }

    @Test("6.8 several are as old as the oldest of them, and stale when one is")
    func age() async {
      let clock = ManualClock()
      let first = AsyncResource(options: LoadOptions(staleAfter: .seconds(5), clock: clock)) { 1 }
      let second = AsyncResource(options: LoadOptions(clock: clock)) { "a" }
      let both = zip(first, second)
      expect(both.isStale)
      expectNil(both.data.age)
      await first.load()
      await clock.advance(by: .seconds(3))
      await second.load()
      expectEqual(both.data.age, .seconds(3))
      expect(!both.isStale)
      await clock.advance(by: .seconds(2))
      expect(both.isStale)
      expect(!second.isStale)
      await both.load(when: .stale)
      expectEqual(first.data.age, .zero)
      expectEqual(second.data.age, .seconds(2))
      expect(!both.isStale)
    }

    @Test("6.8, 20.1, 20.2 several as one are one of several, and a part of what is made of them, also at a log-out")
    func nested() async {
      let flag = AsyncResource { true }
      let all = zip(zip(number, word), flag)
      let text = AsyncResource(.of(zip(number, word)) { "\($0.0)\($0.1)" })
      let load = Task { await all.load() }
      await answer(1, 1, "a")
      _ = await load.value
      expectEqual(all.value?.0.0, 1)
      expectEqual(all.value?.1, true)
      await text.load()
      expectEqual(text.value, "1a")
      number.data.value = 2
      await text.settled()
      expectEqual(text.value, "2a")
      word.forget()
      expectNil(text.value)
      expectNil(all.value)
    }
  }
}
