// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import AsyncStateTesting
import Foundation

/// What a client without any compiler flag does in numbers that are no one's limit.
@MainActor let client: [Program] = [
  Program("chain-on-a-small-stack") { while $0.next() { await onSmallStack { deepChain(100_000) } } },
  Program("chain-on-an-actor") { while $0.next() { await Home().run { deepChain(100_000) } } },
  Program("wide-and-empty") { while $0.next() { wideAndEmpty() } },
  Program("million-loads") { while $0.next() { await loads(inARow: $0.million) } },
  Program("million-writes") { budget in
    while budget.next() { await onSmallStack { [million = budget.million] in writes(inARow: million) } }
  },
  Program("million-transitions") { budget in
    while budget.next() { await onSmallStack { [million = budget.million] in transitions(inARow: million) } }
  },
  Program("cancelled-chain-main") { while $0.next() { await cancelChain(of: 5_000) } },
  Program("cancelled-chain-actor") { budget in
    while budget.next() { await cancelChain(of: 5_000, isolation: Home()) }
  },
  Program("made-of-others-on-a-small-stack") { budget in
    while budget.next() {
      await SmallHome().run { home in
        await madeOfOthers(20_000, on: home)
        await releaseMadeOfOthers(20_000, on: home)
      }
    }
  },
  Program("pages-and-patches") { while $0.next() { await pagesAndPatches() } },
]

/// A thread with the stack that an actor has.
private func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    let thread = Thread {
      body()
      continuation.resume()
    }
    thread.stackSize = 512 * 1024
    thread.start()
  }
}

/// Its jobs run on a thread with the stack that an actor can rely on.
private actor SmallHome {
  nonisolated var unownedExecutor: UnownedSerialExecutor { ThreadExecutor.small.asUnownedSerialExecutor() }

  func run(_ body: @Sendable (isolated SmallHome) async -> Void) async { await body(self) }
}

extension Home {
  fileprivate func run(_ body: @Sendable () -> Void) { body() }
}

/// Creating, reading, observing, writing and releasing a chain, forwards and with steps dropped.
private func deepChain(_ depth: Int) {
  let input = Input(0)
  var last: Observed<Int> = input
  for step in 0..<depth {
    switch step % 1_000 {
    case 500: last = last.zip(input).map { $0.0 }
    case 700:
      let inner = last
      last = input.flatMap { _ in inner }
    default: last = last.map { $0 }
    }
  }
  expect(last.current == 0, "read \(last.current)")
  input.write(1)
  expect(last.current == 1, "read \(last.current)")
  var seen: [Int] = []
  var token: ObservedToken? = last.observe { seen.append($0) }
  input.write(2)
  batch { $0.write(3, to: input) }
  token = nil
  input.write(4)
  expect(seen == [1, 2, 3], "\(seen)")
  expect(last.current == 4, "read \(last.current)")
  token = last.observe { seen.append($0) }
  // The token alone keeps the steps, and lets them go.
  last = .constant(0)
  input.write(5)
  expect(seen == [1, 2, 3, 4, 5], "\(seen)")
  token = nil
  _ = token
}

@MainActor
private func wideAndEmpty() {
  let input = Input<[Int]>([])
  var total = 0
  let tokens = (0..<20_000).map { index in input.map { $0.count + index }.observe { total += $0 & 1 } }
  input.write(Array(0..<100_000))
  input.write([])
  batch { _ in }
  for token in tokens.reversed() { token.cancel() }
  input.write([1])
  let empty = AsyncData<[Int]>()
  empty.cancel()
  empty.error = nil
  empty.reset()
  empty.value = []
  empty.value = nil
  let list = ListDataSource<Int, NSObject>(items: input, dequeue: { _ in NSObject() }, configure: { _, _ in })
  var changes = 0
  let token = list.observeChanges { change in
    changes += change.removals.count + change.insertions.count
    change.apply()
  }
  input.write(Array(0..<50_000))
  input.write([])
  input.write(Array(0..<50_000))
  input.write([7, 8, 9, 49_999, 3])
  token.cancel()
  let container = StateContainer(initialState: [Int]()) { _ in [] }
  container.willAppear(animated: true)
  container.didAppear(animated: true)
  container.setNeedsTransition(to: Array(0..<100_000), animated: true)
  expect(changes > 0, "\(changes)")
}

/// Each load begun in the notification that the one before has ended.
@MainActor
private func loads(inARow count: Int) async {
  @MainActor final class Chain: @MainActor AsyncDataDelegate {
    let data = AsyncData<Int>()
    var left: Int

    init(_ count: Int) { left = count }

    func asyncDataDidChange(_ data: AsyncData<Int>, forced: Bool) {
      guard left > 0 else { return }
      left -= 1
      if left % 2 == 0 { data.start(.refresh) { 1 } } else { data.cancel() }
    }
  }
  let chain = Chain(count)
  chain.data.delegate = chain
  chain.data.value = 0
  expect(chain.left < count, "no load has begun")
  // What is left of them continues by itself: an answer is a notification, too.
  while chain.left > 0 { await chain.data.load { chain.left } }
}

/// Resources that await one another, all of which end with the task of the last caller.
private func cancelChain(of count: Int, isolation: isolated any Actor = MainActor.shared) async {
  let gate = ManualServer<Int>()
  var chain = [
    AsyncResource<Int>(isolation: isolation) {
      .value {
        _ = isolation
        return try await gate.wait()
      }
    }
  ]
  for number in 1..<count {
    let former = chain[number - 1]
    chain.append(
      AsyncResource(isolation: isolation) {
        .value {
          _ = isolation
          return try await former.get()
        }
      })
  }
  // Held by nothing else: with it the whole chain would be released at once, one inside the other.
  let call = Task { [last = chain[count - 1]] in
    _ = isolation
    return await last.load()
  }
  await gate.arrived(1)
  call.cancel()
  let outcome = await call.value
  for resource in chain { await resource.settled() }
  if case .cancelled = outcome {} else { expect(false, "\(outcome)") }
  expect(chain.allSatisfy { !$0.isRunning && $0.error == nil }, "left running, or failed")
  // From the end: each is held by the next one.
  while chain.popLast() != nil {}
}

/// Resources, each of which is made of the one before: a change of the first, a reset, a log-out, a cancel, and their release.
private func madeOfOthers(_ count: Int, on home: isolated any Actor) async {
  let first = AsyncResource<Int>(isolation: home) { .value { 0 } }
  var chain = [first]
  for _ in 1..<count { chain.append(made(of: chain[chain.count - 1], on: home)) }
  let last = chain[count - 1]
  await last.load()
  expect(last.value == count - 1, "\(String(describing: last.value))")
  first.data.value = 5
  expect(last.isStale, "the mark has not arrived")
  for resource in chain { await resource.settled() }
  expect(last.value == count + 4 && !last.isStale, "\(String(describing: last.value))")
  first.reset()
  expect(last.value == nil, "the reset has not arrived")
  await last.load()
  expect(last.value == count - 1, "\(String(describing: last.value))")
  first.forget()
  expect(last.value == nil, "the log-out has not arrived")
  let load = last.start()
  await first.load()
  load.cancel()
  for resource in chain { await resource.settled() }
  await last.load()
  expect(last.value == count - 1, "\(String(describing: last.value))")
}

/// A chain of which only the last one is held, and released.
private func releaseMadeOfOthers(_ count: Int, on home: isolated any Actor) async {
  var last: AsyncResource<Int>? = AsyncResource<Int>(isolation: home) { .value { 0 } }
  weak let first = last
  for _ in 1..<count { last = last.map { made(of: $0, on: home) } }
  _ = await last?.load()
  expect(first != nil && last?.value == count - 1, "released too early")
  last = nil
  expect(first == nil, "left behind")
}

private func made(of former: AsyncResource<Int>, on home: isolated any Actor) -> AsyncResource<Int> {
  AsyncResource(isolation: home) {
    .of(former) { value in
      _ = home
      return value + 1
    }
  }
}

/// Each write made in the notification of the one before.
private func writes(inARow count: Int) {
  let data = AsyncData<Int>()
  var token: ObservedToken? = data.observed.observe { snapshot in
    if let value = snapshot.value, value < count { data.value = value + 1 }
  }
  data.value = 0
  expect(data.value == count, "\(String(describing: data.value))")
  token = nil
  let input = Input(0)
  token = input.map { $0 }.observe { if $0 < count { input.write($0 + 1) } }
  expect(input.current == count, "\(input.current)")
  // Two inputs that write each other.
  let (left, right) = (Input(0), Input(0))
  let first = left.observe { if $0 < count / 2 { right.write($0 + 1) } }
  let second = right.observe { left.write($0) }
  expect(left.current == count / 2 && right.current == count / 2, "\(left.current) and \(right.current)")
  _ = (token, first, second)
}

/// Each transition requested at the end of the one before.
private func transitions(inARow count: Int) {
  final class Chain: StateContainerDelegate {
    let count: Int

    init(_ count: Int) { self.count = count }

    func container(_ container: StateContainer<Int>, didTransitionFrom previousState: Int?, animated: Bool) {
      let state = container.currentState
      if state < count { container.setNeedsTransition(to: state + 1, animated: state % 2 == 0) }
    }
  }
  let chain = Chain(count)
  let container = StateContainer(initialState: 0) { _ in [] }
  container.delegate = chain
  container.willAppear(animated: false)
  container.didAppear(animated: false)
  expect(container.currentState == count, "\(container.currentState)")
}

@MainActor
private func pagesAndPatches() async {
  let feed = AsyncResource<Paged<Int, Int>>(
    .pages { page in .init(items: [page.cursor ?? 0], next: (page.cursor ?? 0) + 1) })
  await feed.load()
  for _ in 0..<200 { await feed.loadNext() }
  expect(feed.value?.items.last == 200, "\(String(describing: feed.value?.items))")
  let list = AsyncData<[Int]>()
  list.value = []
  let gate = ManualServer<[Int]?>()
  let tasks = (0..<300).map { number in
    Task { @MainActor in
      await list.mutate({ $0.append(number) }) { _ = try await gate.wait() }
    }
  }
  await gate.arrived(300)
  for call in (1...300).shuffled() {
    gate.answer(call: call, with: call % 2 == 0 ? .success(nil) : .failure(CancellationError()))
  }
  for task in tasks { _ = await task.value }
  expect(list.value?.count == 150 && list.value == list.value?.sorted(), "\(String(describing: list.value))")
}
