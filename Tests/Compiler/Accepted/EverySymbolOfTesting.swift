// SPDX-License-Identifier: MIT
// A client of every public symbol for tests: clocks, gates, stores in memory, and recordings.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncStateJournal
import AsyncStateTesting
import AsyncState

/// A test of a load that is superseded.
@MainActor
func titlesAreLoaded() async {
  let gate = ManualServer<[String]>()
  let clock = ManualClock()
  let titles = AsyncResource(options: LoadOptions(timeout: .seconds(1), clock: clock)) { try await gate.wait() }
  titles.start()
  await gate.arrived(1)
  await titles.awaited(by: 0)
  await titles.data.awaited(by: 0)
  gate.answer(call: 1, with: .success(["one"]))
  await gate.ended(1)
  await titles.settled()
  await titles.data.settled()
  await titles.data.loadEnded()
  await AsyncHost(titles).settled()
  await AsyncMutation { (text: String) in text }.settled()
  await AsyncOutbox<String, String>(store: MemoryOutboxStore(), isPermanent: { _, _ in false }) { text, _ in text }
    .settled()
  print(gate.callCount, gate.description)
}

/// A test of several loads at once.
@MainActor
func articlesAreLoaded() async throws {
  let gate = ManualServer<String>(ignoresCancellation: true)
  let articles = AsyncFamily<Int, String> { id in try await gate.wait(for: id) }
  articles[1].start()
  await gate.arrived(for: 1)
  gate.answer(for: 1, with: .failure(NoDataError()))
  await articles.settled()
  await AsyncTagBoard().settled()
  print(gate.arguments(as: Int.self))
}

/// A test with time.
@MainActor
func timePasses() async throws {
  let clock = ManualClock()
  let deadline = ManualClock.Instant(offset: .seconds(10)).advanced(by: clock.minimumResolution)
  let start = clock.now
  let sleeping = Task { try await clock.sleep(until: deadline, tolerance: nil) }
  let waiting = Task { try await clock.sleepOnCaller(until: deadline) }
  await clock.sleepers(atLeast: clock.sleeperCount, dueWithin: .seconds(20))
  await clock.advance(by: start.duration(to: deadline))
  try await sleeping.value
  try await waiting.value
  print(start < deadline, deadline.offset, deadline.description, clock.description)
}

/// A test of what is stored.
@MainActor
func valuesAreStored() async throws {
  let store = MemoryStore<Int, String>(clock: ManualClock())
  store.put("one", for: 1, age: .seconds(60), isInvalidated: true)
  print(store.peek(1) as Any)
  let stored = try await store.read(1, isolation: #isolation)
  if let stored { try await store.save([2: stored], removing: [1], isolation: #isolation) }
  try await store.markStale([2], isolation: #isolation)
  try await store.removeAll(isolation: #isolation)
  print(store[1] as Any, store.description)
}

/// A test of what is kept until it is sent.
@MainActor
func postsAreKept() async throws {
  let store = MemoryOutboxStore<String>()
  store.put("text", key: "1", attempts: 2, failure: "refused")
  store.appendError = NoDataError()
  try await store.save([StoredEntry(key: "2", position: 2, input: "")], removing: ["1"], isolation: #isolation)
  let entries = try await store.entries(isolation: #isolation)
  try await store.removeAll(isolation: #isolation)
  print(entries, store.count, store.entries, store.description)
}

/// A test of a screen's callbacks.
@MainActor
func screensAreRecorded(_ host: AsyncHost<String>) -> String? {
  let recorder = Recorder()
  let steps = StateContainer(
    appearanceState: { 0 },
    children: recorder.children(state: { "\($0)" }) { [recorder] state in
      [recorder.child("\(state)", wrapping: recorder.child("inner"))]
    })
  recorder.record(steps, state: { "step \($0)" })
  recorder.record(host.container) { "\($0.kind)" }
  steps.setNeedsTransition(to: 1, animated: false)
  recorder.note("start")
  print(recorder.marks)
  print(recorder.description)
  return recorder.difference(from: "start") ?? recorder.take()
}

/// A test of the client's own animator.
@MainActor
func animatorEnds(_ animator: any TransitionAnimator, _ child: any ChildController) {
  let animation = TransitionAnimation(
    child: child, isAppearing: true, duration: .seconds(1), delay: .zero, onFinish: { print("finished") })
  animator.animate(animation)
}

/// Tests without `await`, on the main actor and on none.
final class Row: ChildController {
  var marks: [String] = []

  func willAttach() { marks.append("attach") }
  func didAppear(animated: Bool) { marks.append("appear") }
}

@MainActor
func testHostShowsItsValue() -> [String] {
  let row = Row()
  let host = AsyncHost<Int>(request: { data, _ in data.value = 7 }) { status in status.kind == .data ? [row] : [] }
  host.appear(animated: false)
  host.start()
  return row.marks
}

func testValueIsTold() -> [Int?] {
  let data = AsyncData<Int>()
  var received: [Int?] = []
  let token = data.observed.map(\.value).observe { received.append($0) }
  data.value = 1
  data.error = CancellationError()
  data.reset()
  token.cancel()
  return received
}
