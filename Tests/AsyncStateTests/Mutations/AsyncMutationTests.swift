// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

@Suite("16 AsyncMutation", .timeLimit(.minutes(5)))
@MainActor
struct AsyncMutationTests {
  let gate = Gate<Int>()
  let clock = ManualClock()

  private func mutation(
    _ overlap: MutationOverlap = .join, _ options: LoadOptions = LoadOptions()
  ) -> AsyncMutation<String, Int> {
    AsyncMutation(overlap: overlap, options: options) { [gate] input in try await gate.wait(for: input) }
  }

  private func answer(_ input: String, _ result: Result<Int, any Error>) async {
    await gate.arrived(for: input)
    gate.answer(for: input, with: result)
  }

  private func word(_ mutation: AsyncMutation<String, Int>) -> String { "\(mutation.status)" }

  @Test("16.1, 16.3 idle, running with the input, succeeded with the output")
  func success() async throws {
    let send = mutation()
    #expect(word(send) == "idle")
    let task = send.perform("a")
    #expect(word(send) == "running: a" && send.isRunning)
    await answer("a", .success(1))
    #expect(try await task.get() == 1)
    #expect(word(send) == "succeeded: 1" && !send.isRunning && send.output == 1)
  }

  @Test("16.2 a double tap is one request, and both calls get its answer")
  func doubleTap() async throws {
    let send = mutation()
    let (first, second) = (send.perform("a"), send.perform("a"))
    #expect(word(send) == "running: a")
    await answer("a", .success(1))
    #expect(try await first.get() == 1)
    #expect(try await second.get() == 1)
    #expect(gate.arguments(as: String.self) == ["a"])
  }

  @Test("16.2 another input is not lost: it waits, and a second tap on it joins the one that waits")
  func anotherInput() async throws {
    let send = mutation()
    let tasks = ["a", "b", "b", "a"].map { send.perform($0) }
    await answer("a", .failure(Failure()))
    await answer("b", .success(2))
    #expect(try await tasks[1].get() == 2)
    #expect(try await tasks[2].get() == 2)
    for task in [tasks[0], tasks[3]] { await #expect(throws: Failure.self) { try await task.get() } }
    #expect(gate.arguments(as: String.self) == ["a", "b"])
  }

  @Test("16.2, 16.4, 16.5 a joined input is cancelled for both; what waits is sent; a retry keeps its place")
  func joinedAndCancelled() async {
    let send = mutation()
    let tasks = ["a", "a", "b"].map { send.perform($0) }
    await gate.arrived(for: "a")
    tasks[1].cancel()
    for task in tasks[0...1] {
      guard case .cancelled = await task.outcome() else { return #expect(Bool(false), "both have the same input") }
    }
    await answer("b", .failure(Failure()))
    await send.settled()
    #expect(word(send) == "failed: failure, with b")
    let again = send.retry()
    let other = send.perform("c")
    #expect(word(send) == "running: b")
    await gate.arrived(3)
    gate.answer(call: 3, with: .success(2))
    await answer("c", .success(3))
    guard case .success(2)? = await again?.outcome() else { return #expect(Bool(false), "it is sent first") }
    guard case .success(3) = await other.outcome() else { return #expect(Bool(false), "it has waited") }
  }

  @Test("16.2 of a type without == all inputs join")
  func withoutEquality() async throws {
    struct Form { var name: String }
    let send = AsyncMutation { [gate] (form: Form) in try await gate.wait(for: form.name) }
    let (first, second) = (send.perform(Form(name: "a")), send.perform(Form(name: "b")))
    await answer("a", .success(1))
    #expect(try await first.get() == 1)
    #expect(try await second.get() == 1)
    #expect(gate.callCount == 1)
  }

  @Test("3.16, 16.5 an interceptor that tries again does not send what was cancelled meanwhile")
  func cancelledWhileIntercepted() async {
    struct Twice: LoadInterceptor {
      let pause: Gate<Void>
      func intercept<Value>(
        _ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?
      ) async throws -> Value {
        do {
          return try await attempt()
        } catch is Failure {
          _ = try await pause.wait()
          return try await attempt()
        }
      }
    }
    let pause = Gate<Void>(ignoresCancellation: true)
    let send = mutation(.join, LoadOptions(interceptors: [Twice(pause: pause)]))
    let task = send.perform("a")
    await answer("a", .failure(Failure()))
    await pause.arrived(1)
    task.cancel()
    pause.answer(call: 1, with: .success(()))
    await send.settled()
    #expect(gate.callCount == 1)

    let load = AsyncResource(options: LoadOptions(interceptors: [Twice(pause: pause)])) { [gate] in
      try await gate.wait(for: "b")
    }
    load.start()
    await answer("b", .failure(Failure()))
    await pause.arrived(2)
    load.reset()
    pause.answer(call: 2, with: .success(()))
    await load.settled()
    #expect(gate.callCount == 2)
  }

  @Test("16.2 queued inputs are sent one after another, in order, whatever became of those before")
  func queue() async {
    let send = mutation(.queue)
    let tasks = ["a", "b", "c", "d"].map { send.perform($0) }
    await gate.arrived(1)
    #expect(gate.arguments(as: String.self) == ["a"])
    tasks[2].cancel()
    await answer("a", .failure(Failure()))
    await gate.arrived(2)
    #expect(word(send) == "running: b")
    tasks[1].cancel()
    #expect(word(send) == "running: d")
    await answer("d", .success(4))
    await send.settled()
    #expect(gate.arguments(as: String.self) == ["a", "b", "d"])
    #expect(word(send) == "succeeded: 4")
    guard case .failure = await tasks[0].outcome(), case .cancelled = await tasks[1].outcome(),
      case .cancelled = await tasks[2].outcome(), case .success(4) = await tasks[3].outcome()
    else { return #expect(Bool(false)) }
  }

  @Test("16.2 with replace the newest input wins, and the former one is superseded")
  func replace() async {
    let send = mutation(.replace)
    let first = send.perform("a")
    await gate.arrived(1)
    let second = send.perform("b")
    #expect(word(send) == "running: b")
    guard case .superseded = await first.outcome() else { return #expect(Bool(false)) }
    await answer("b", .success(2))
    guard case .success(2) = await second.outcome() else { return #expect(Bool(false)) }
    #expect(word(send) == "succeeded: 2")
  }

  @Test("16.3, 16.4 a failure keeps its input, retry sends it again, and a cancelled retry leaves the failure")
  func retry() async {
    let send = mutation()
    #expect(send.retry() == nil)
    send.perform("a")
    await answer("a", .failure(Failure()))
    await send.settled()
    #expect(word(send) == "failed: failure, with a")
    let again = send.retry()
    #expect(word(send) == "running: a")
    again?.cancel()
    #expect(word(send) == "failed: failure, with a")
    await send.settled()
    let last = send.retry()
    gate.answer(for: "a", with: .success(3))
    guard case .success(3)? = await last?.outcome() else { return #expect(Bool(false)) }
    #expect(word(send) == "succeeded: 3" && send.error == nil)
    #expect(send.retry() == nil)
  }

  @Test("16.4 reset ends what is sent and what waits, and removes output and error")
  func reset() async {
    let send = mutation(.queue)
    let tasks = [send.perform("a"), send.perform("b")]
    await gate.arrived(1)
    send.reset()
    #expect(word(send) == "idle" && !send.isRunning)
    for task in tasks { guard case .cancelled = await task.outcome() else { return #expect(Bool(false)) } }
    await send.settled()
    #expect(gate.arguments(as: String.self) == ["a"])
  }

  @Test("16.1 the options' retries and timeout, by their clock")
  func options() async {
    let retries = RetryPolicy.exponential(first: .seconds(1), retries: 1)
    let send = mutation(.join, LoadOptions(retry: retries, timeout: .seconds(10), clock: clock))
    send.perform("a")
    await answer("a", .failure(Failure()))
    await clock.sleepers(atLeast: 2)
    #expect(word(send) == "running: a")
    await clock.advance(by: .seconds(1))
    await gate.arrived(2)
    await clock.advance(by: .seconds(9))
    #expect(send.error is LoadTimeout)
    await send.settled()
    #expect(clock.sleeperCount == 0)
  }

  // MARK: Effects

  final class Marks { var all: [String] = [] }

  /// A resource with a tag, displayed and so requested again when the tag is invalidated.
  private func tagged(_ board: AsyncTagBoard) -> AsyncFamily<Int, Int> {
    AsyncFamily(board: board, tags: { key, _ in [AsyncTag("item", key)] }) { $0 * 10 }
  }

  @Test(
    "16.5, 16.6 a success, a cancel while it is sent and a timeout invalidate; a failure and what was never sent do not"
  )
  func tags() async {
    let board = AsyncTagBoard()
    let family = tagged(board)
    let item = family[1]
    await item.load()
    board.isOpen = false
    let send = mutation(.queue, LoadOptions(timeout: .seconds(5), clock: clock))
      .invalidating(board) { _, _ in [AsyncTag("item", 1)] }
    func isMarked() async -> Bool {
      await send.settled()
      defer { item.data.value = 1 }
      return item.snapshot.isInvalidated
    }
    // Never sent.
    send.perform("a").cancel()
    #expect(await !isMarked())
    let failed = send.perform("b")
    await answer("b", .failure(Failure()))
    _ = await failed.outcome()
    #expect(await !isMarked())
    let cancelled = send.perform("c")
    await gate.arrived(for: "c")
    cancelled.cancel()
    #expect(item.snapshot.isInvalidated)
    #expect(await isMarked())
    let late = send.perform("d")
    await gate.arrived(for: "d")
    await clock.advance(by: .seconds(5))
    _ = await late.outcome()
    #expect(await isMarked())
    let success = send.perform("e")
    await answer("e", .success(1))
    _ = await success.outcome()
    #expect(item.snapshot.isInvalidated)
    await send.settled()
  }

  @Test("3.12, 16.7 a change is displayed at once, also of what waits; each end takes out its own alone")
  func changes() async {
    let resource = AsyncResource { 0 }
    await resource.load()
    let send = mutation(.queue).changing({ _ in resource }) { $0 += $1.count }
    let tasks = ["a", "bb", "cccc", "dddddddd"].map { send.perform($0) }
    #expect(resource.value == 15 && resource.data.hasPendingChanges)
    // Never sent: removed, and the resource is no staler for it.
    tasks[3].cancel()
    #expect(resource.value == 7 && !resource.isStale)
    await answer("a", .success(1))
    await gate.arrived(for: "bb")
    #expect(resource.value == 7)
    gate.answer(for: "bb", with: .failure(Failure()))
    await gate.arrived(for: "cccc")
    #expect(resource.value == 5 && resource.isStale)
    tasks[2].cancel()
    #expect(resource.value == 1 && !resource.data.hasPendingChanges)
    await send.settled()
    #expect(word(send) == "failed: failure, with bb")
  }

  @Test("10.2, 16.7 the entry of a family is kept while its change is not decided")
  func keptEntry() async {
    let family = AsyncFamily<Int, Int>(keepIdle: 0) { $0 }
    var held: AsyncResource<Int>? = family[1]
    held?.data.value = 5
    let send = AsyncMutation { [gate] (key: Int) in try await gate.wait(for: key) }
      .changing({ family[$0] }) { value, _ in value += 1 }
    send.perform(1)
    held = nil
    family.trim()
    #expect(family[1].value == 6)
    await gate.arrived(1)
    gate.answer(call: 1, with: .success(0))
    await send.settled()
    #expect(family.entries.isEmpty || family[1].value == 6)
    family.trim()
    #expect(family.entries.isEmpty)
  }

  @Test("16.7 a form: two resources change, and a failure takes both back")
  func severalResources() async {
    let (first, second) = (AsyncResource { 1 }, AsyncResource { "x" })
    await AsyncResource.load(first, second)
    let send = mutation().changing({ _ in first }) { value, _ in value += 1 }
      .changing({ _ in second }) { $0 += $1 }
    send.perform("y")
    #expect(first.value == 2 && second.value == "xy")
    await answer("y", .failure(Failure()))
    await send.settled()
    #expect(first.value == 1 && second.value == "x")
  }

  // MARK: Callbacks, Observation, release

  @Test("1.7, 16.3 a reader of the status is notified of each change, once")
  func observation() async {
    let send = mutation()
    let reader = ObservationTests.Tracker()
    reader.track { _ = send.status }
    send.perform("a")
    #expect(reader.changes == 1)
    reader.track { _ = send.status }
    await answer("a", .success(1))
    await send.settled()
    #expect(reader.changes == 2)
  }

  @Test("16.3 observers see the status that they are notified of")
  func observed() async {
    let send = mutation(.queue)
    var seen: [String] = []
    let token = send.observed.observe { _ in seen.append("\(send.status)") }
    send.perform("a")
    send.perform("b")
    await answer("a", .failure(Failure()))
    await answer("b", .success(2))
    await send.settled()
    #expect(seen == ["idle", "running: a", "failed: failure, with a", "running: b", "succeeded: 2"])
    token.cancel()
  }

  @Test(
    "16.9 an observer of a change performs another input: with replace the newest wins, and the former is never sent")
  func performInEffect() async {
    let resource = AsyncResource { 0 }
    await resource.load()
    let send = mutation(.replace).changing({ _ in resource }) { $0 += $1.count }
    var inner: MutationTask<Int>?
    let token = resource.observed.observe { _ in
      if resource.value == 1, inner == nil { inner = send.perform("bb") }
    }
    let outer = send.perform("a")
    guard case .superseded = await outer.outcome() else { return #expect(Bool(false)) }
    #expect(resource.value == 2)
    await answer("bb", .success(2))
    guard case .success(2)? = await inner?.outcome() else { return #expect(Bool(false)) }
    #expect(gate.arguments(as: String.self) == ["bb"])
    token.cancel()
  }

  @Test("16.4, 16.9 an observer of a change resets: the input is never sent")
  func resetInEffect() async {
    let resource = AsyncResource { 0 }
    await resource.load()
    let send = mutation().changing({ _ in resource }) { $0 += $1.count }
    let token = resource.observed.observe { _ in if resource.value == 1 { send.reset() } }
    let task = send.perform("a")
    guard case .cancelled = await task.outcome() else { return #expect(Bool(false)) }
    #expect(resource.value == 0 && word(send) == "idle")
    await send.settled()
    #expect(gate.arguments(as: String.self) == [])
    token.cancel()
  }

  @Test("1.8, 16.8 released: handles end as cancelled, changes are removed, and what waits is never sent")
  func release() async {
    let resource = AsyncResource { 0 }
    await resource.load()
    var send: AsyncMutation<String, Int>? = mutation(.queue).changing({ _ in resource }) { $0 += $1.count }
    let tasks = ["a", "b"].compactMap { send?.perform($0) }
    await gate.arrived(1)
    send = nil
    for task in tasks { guard case .cancelled = await task.outcome() else { return #expect(Bool(false)) } }
    await gate.ended(1)
    #expect(resource.value == 0 && !resource.data.hasPendingChanges)
    #expect(gate.arguments(as: String.self) == ["a"])
  }

  @Test("13, 16 a journal records what is sent, and its end")
  func journal() async {
    let journal = StateJournal()
    let send = mutation()
    journal.attach(send, name: "send")
    send.perform("a")
    await answer("a", .success(1))
    await send.settled()
    #expect(journal.entries.map { "\($0.event)" } == ["attached: idle", "load started (reload)", "answered"])
  }
}

/// A mutation of an actor.
@Suite("16.1 AsyncMutation in an actor", .timeLimit(.minutes(5)))
struct ActorMutationTests {
  actor Session {
    private var sent: [Int] = []
    private lazy var send = makeSend()

    private func makeSend() -> AsyncMutation<Int, Int> {
      AsyncMutation(isolation: self, overlap: .queue) { [weak self] input in await self?.note(input) ?? 0 }
    }

    private func note(_ input: Int) -> Int {
      sent.append(input)
      return input
    }

    func perform() async throws -> [Int] {
      for input in 1...3 { send.perform(input) }
      await send.settled()
      return sent
    }
  }

  @Test("1.1, 16.1 it runs on the actor that it was created for")
  func session() async throws {
    #expect(try await Session().perform() == [1, 2, 3])
  }
}
