// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// What broke version 1 and is no release on another thread.
@MainActor let faults: [Program] = [
  Program("observer-drops-its-source") { while $0.next() { observerDropsItsSource() } },
  Program("observer-drops-its-token") { while $0.next() { observerDropsItsToken() } },
  Program("user-code-inside-a-change") { while $0.next() { await userCodeInsideAChange() } },
  Program("generic-equality") { while $0.next() { genericEquality() } },
  Program("twice-the-same") { while $0.next() { twiceTheSame() } },
  Program("random-graphs") { budget in while budget.next() { randomGraph(UInt64(budget.rounds)) } },
  Program("cycle-read", stopsWith: "AsyncState: ") { _ in cycle { _ = $0.current } },
  Program("cycle-observed", stopsWith: "AsyncState: ") { _ in cycle { _ = $0.observe { _ in } } },
]

/// An observer that drops the last way in which its value could change, while it runs.
private func observerDropsItsSource() {
  final class Heap { var numbers = [1, 2, 3] }
  let x = Input(0)
  var chooser: Input<Bool>? = Input(true)
  let shown = chooser!.flatMap { $0 ? x.map { $0 } : .constant(7) }
  var seen: [Int] = []
  let heap = Heap()
  let token = shown.observe { [heap] value in
    seen.append(value)
    if value == 1 {
      chooser?.write(false)
      chooser = nil
      // What the closure has captured is still there.
      heap.numbers.append(value)
      seen.append(heap.numbers.count)
    }
  }
  x.write(1)
  x.write(2)
  expect(seen == [0, 1, 4, 7], "observed \(seen)")
  token.cancel()
}

/// An observer that drops its own token, its source and all that it has, while it runs.
private func observerDropsItsToken() {
  final class Kept {
    var input: Input<Int>? = Input(0)
    var derived: Observed<Int>?
    var token: ObservedToken?
    var numbers: [Int] = []
  }
  for way in 0..<4 {
    let kept = Kept()
    kept.derived = kept.input!.map { $0 + 1 }.flatMap { .constant($0) }
    kept.token = kept.derived!.observe { [kept] value in
      kept.numbers.append(value)
      guard value == 2 else { return }
      if way != 0 { kept.token = nil }
      if way != 1 { kept.input = nil }
      if way != 2 { kept.derived = nil }
      kept.numbers.append(kept.numbers.count)
    }
    let input = kept.input
    input?.write(1)
    input?.write(2)
    let expected = way == 0 ? [1, 2, 2, 3] : [1, 2, 2]
    expect(kept.numbers == expected, "observed \(kept.numbers), and not \(expected)")
    kept.token = nil
  }
}

/// A clock that does something whenever it is read.
private final class NosyClock: Clock, @unchecked Sendable {
  typealias Instant = ContinuousClock.Instant
  var onRead: () -> Void = {}
  var isRead = false
  let start = ContinuousClock.now

  var now: Instant {
    if !isRead {
      isRead = true
      onRead()
      isRead = false
    }
    return start
  }

  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

/// Patches and clocks that read and write the data that call them.
@MainActor
private func userCodeInsideAChange() async {
  let clock = NosyClock()
  let data = AsyncData<[Int]>(options: LoadOptions(staleAfter: .seconds(1), clock: clock))
  var reads = 0
  clock.onRead = { [unowned data] in
    reads += data.value?.count ?? 0
    reads += data.snapshot.value?.count ?? 0
    _ = data.isStale
  }
  data.value = [1]
  let gate = ManualServer<[Int]?>()
  let mutation = Task {
    await data.mutate({ list in
      list.append(data.value?.count ?? 0)
      reads += data.snapshot.value?.count ?? 0
    }) { _ = try await gate.wait() }
  }
  await gate.arrived(1)
  expect(data.value == [1, 1], "\(String(describing: data.value))")
  // A load puts its answer under the patch: the patch runs again.
  await data.load(.refresh) { [5, 6] }
  expect(data.value?.prefix(2) == [5, 6] && data.value?.count == 3, "\(String(describing: data.value))")
  gate.answer(call: 1, with: .success(nil))
  guard case .success = await mutation.value else { fail("a patch that reads its data was not confirmed") }

  // A patch that writes stops a debug build. This is a release build, which ignores what it writes.
  let writing = AsyncData<[Int]>()
  writing.value = [1]
  var isFirst = true
  let outcome = await writing.mutate({ list in
    if isFirst {
      isFirst = false
      writing.value = [9, 9]
      writing.value = [9]
    }
    list.append(2)
  }) {}
  expect(writing.value == [1, 2], "\(String(describing: writing.value)), \(outcome)")
  clock.onRead = {}
}

/// Generic code, and the same written out.
private func genericEquality() {
  func make<T>(_: T.Type) -> AsyncData<T> { AsyncData() }
  func map<T, U>(_ observed: Observed<T>, _ transform: @escaping (T) -> U) -> Observed<U> { observed.map(transform) }
  func zipped<T>(_ value: T) -> Input<T> { Input(value) }
  final class Counter: AsyncDataDelegate {
    var forced: [Bool] = []
    func asyncDataDidChange(_ data: AsyncData<Int>, forced: Bool) { self.forced.append(forced) }
  }
  let data = make(Int.self)
  let counter = Counter()
  data.delegate = counter
  data.value = 1
  data.value = 1
  data.value = 2
  expect(counter.forced == [false, true, false], "forced: \(counter.forced)")

  let input = zipped(0)
  var calls = 0
  let token = map(input) { $0 / 10 }.observe { _ in calls += 1 }
  for number in [0, 0, 1, 2, 3, 10, 10, 11] { input.write(number) }
  expect(calls == 2, "an observer of a map in generic code was called \(calls) times")
  token.cancel()
}

/// Observers that write while what is derived from their input has an observer, too.
private func twiceTheSame() {
  let input = Input(0)
  let parity = input.map { $0 % 2 }
  var seen: [Int] = []
  let writer = input.observe { if $0 == 1 { input.write(2) } }
  let token = parity.observe { seen.append($0) }
  let nested = input.observe { value in if value % 2 == 1, value < 9 { input.write(value + 1) } }
  for number in [1, 3, 4, 5, 7, 9, 1, 2] { input.write(number) }
  expect(zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 }, "twice in a row: \(seen)")
  expect(seen.last == input.current % 2, "the last value presented is \(seen.last!)")
  writer.cancel()
  token.cancel()
  nested.cancel()

  // The same with all short sequences of nested writes.
  for script in 0..<4_096 {
    let input = Input(0)
    var rest = script
    var seen: [Int] = []
    func writeNext() {
      guard rest > 0 else { return }
      let value = rest % 4
      rest /= 4
      input.write(value)
    }
    let half = input.map { $0 / 2 }
    let first = input.observe { _ in writeNext() }
    let second = half.observe { seen.append($0) }
    let third = half.zip(input).observe { _ in writeNext() }
    writeNext()
    writeNext()
    while rest > 0 { writeNext() }
    expect(zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 }, "script \(script), twice in a row: \(seen)")
    expect(seen.last == input.current / 2, "script \(script), last \(seen)")
    for token in [first, second, third] { token.cancel() }
  }
}

/// Values that depend on each other: a message, and no wrong text.
private func cycle(_ use: (Observed<String>) -> Void) {
  let flag = Input(false)
  let name = Input("x")
  var b: Observed<String>?
  let a = flag.flatMap { $0 ? b! : name }
  b = a.map { $0 + "!" }
  use(b!)
  flag.write(true)
  use(a)
  use(b!)
}
