// SPDX-License-Identifier: MIT
@testable import AsyncState
@testable import AsyncStateTesting

/// Screens that share the entries of a family, and that await each other. A value is its key times 1000, and more, so
/// that what is displayed says whose it is.
@ModelActor
final class SharingScreens: Comparison {
  struct Setup {
    let previous: PreviousValue
    let hasDelay: Bool
    let isPaced: Bool
    let hasStore: Bool
  }

  /// A screen, without the type of its value.
  struct Screen {
    let name: String
    let perform: @ModelActor (SharingCommand.Screen) -> Void
    let isLoading: @ModelActor () -> Bool
    let isRunning: @ModelActor () -> Bool
    /// The status that is on the screen, which a pacer may hold back.
    let displaysLoading: @ModelActor () -> Bool
    let displayedValue: @ModelActor () -> Int?
    /// Whether it was never requested, or reset since.
    var isUntouched = true
  }

  struct Row: Identifiable, Equatable {
    let id: Int
    let key: Int
    var likes = 0
  }

  typealias Pages = Paged<Row, Int>

  /// What has likes.
  private struct Post: Hashable {
    let id: Int
    let key: Int
  }

  static var name: String { "screens that share" }

  private let clock = ManualClock()
  private let gate = ManualServer<Int>()
  private let pageGate = ManualServer<Void>(ignoresCancellation: true)
  private let board = AsyncTagBoard()
  private let store = MemoryStore<Int, Int>()
  private let setup: Setup
  private let family: AsyncFamily<Int, Int>
  private let entries: [AsyncResource<Int>]
  private let key = Input<Int?>(1)
  private let follower: AsyncResource<Int>
  /// The library awaits its parts, and returns from that by a way of its own.
  private let pair: AsyncResource<Int>
  /// A list of the same key.
  private let pages: AsyncResource<Pages>
  private let likes = Likes()
  private var screens: [Screen] = []
  private var answered: Set<Int> = []
  private var answeredPages: Set<Int> = []
  private var callers: [(task: Task<Void, Never>, name: String)] = []
  private var ended: Set<Int> = []
  private var lastWrite = 500

  /// The likes of each row, as the server has them.
  private final class Likes {
    var counts: [Post: Int] = [:]

    func rows(_ numbers: Range<Int>, of key: Int) -> [Row] {
      numbers.map { Row(id: $0, key: key, likes: counts[Post(id: $0, key: key)] ?? 0) }
    }
  }

  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(
      previous: .random(using: &random), hasDelay: .random(using: &random), isPaced: .random(using: &random),
      hasStore: .random(using: &random))
  }

  static func command(using random: inout SeededGenerator) -> SharingCommand { .random(using: &random) }

  init(_ setup: Setup) {
    self.setup = setup
    let gate = gate
    let family = AsyncFamily<Int, Int>(
      isolation: ModelActor.shared, keepUnused: 2, board: board, tags: { _, _ in ["all"] },
      store: setup.hasStore ? store : nil
    ) { key in
      .value {
        try await ModelActor.stay { () async -> Result<Int?, any Error> in
          do {
            let value = try await gate.wait()
            return .success(value < 0 ? nil : key * 1000 + value)
          } catch { return .failure(error) }
        }.get()
      }
    }
    self.family = family
    entries = [family[1], family[2]]
    follower = AsyncResource(
      isolation: ModelActor.shared, following: key.observed, delay: setup.hasDelay ? .milliseconds(300) : .zero,
      previous: setup.previous, options: LoadOptions(clock: clock)
    ) { key in .value { try await Self.stay { try await family[key].get() } } }
    let (pageGate, likes) = (pageGate, likes)
    pages = AsyncResource(
      isolation: ModelActor.shared, following: key.observed, delay: setup.hasDelay ? .milliseconds(300) : .zero,
      previous: setup.previous, options: LoadOptions(clock: clock)
    ) { key in
      .value {
        try await pageGate.wait()
        return Pages(first: .init(items: likes.rows(100..<103, of: key), next: 103, previous: 100))
      }
    }
    let detail = AsyncResource<Int>(isolation: ModelActor.shared) {
      .value { try await Self.stay { try await family[1].get() } }
    }
    let nested = AsyncResource<Int>(isolation: ModelActor.shared) {
      .value { try await Self.stay { try await detail.get() } }
    }
    pair = AsyncResource<Int>(isolation: ModelActor.shared) {
      .of(family[1], family[2]) { first, second in try await Self.stay { first + second } }
    }
    add("list", entries[0])
    add("list again", entries[0])
    add("other entry", entries[1])
    add("detail", detail)
    add("nested", nested)
    add("pair", pair)
    add("follower", follower)
  }

  private static func stay(_ body: () async throws -> Int) async throws -> Int {
    try await ModelActor.stay { () async -> Result<Int, any Error> in
      do { return .success(try await body()) } catch { return .failure(error) }
    }.get()
  }

  private func add(_ name: String, _ resource: AsyncResource<Int>) {
    let pacer = setup.isPaced ? DisplayPacer(clock: clock) : nil
    let host = AsyncHost(resource, pacer: pacer, children: { [Part($0)] })
    let content = Content()
    let statusBoard = StatusBoard(content: content, resource)
    screens.append(
      Screen(
        name: name,
        perform: { action in
          _ = content
          switch action {
          case .start: host.start()
          case .refresh: host.refresh()
          case .reload: host.reload()
          case .retryOfBoard: statusBoard.reload()
          case .cancel: resource.cancel()
          case .reset: resource.reset()
          }
        },
        isLoading: { host.hasStarted && host.status == .loading },
        isRunning: { resource.isRunning },
        displaysLoading: { host.hasStarted && host.container.currentState == .loading },
        displayedValue: {
          guard case .data(let value)? = (host.container.children.first as? Part)?.status else { return nil }
          return value
        }))
  }

  /// What is on a screen.
  private final class Part: ChildController {
    let status: AsyncStatus<Int>
    init(_ status: AsyncStatus<Int>) { self.status = status }
  }

  private final class Content: AsyncContent {
    func apply(_ value: Int, animated: Bool) {}
  }

  // MARK: Steps

  func perform(_ command: SharingCommand) async -> String? {
    switch command {
    case .screen(let number, let action): perform(action, on: number % screens.count)
    case .entry(let number, let action): perform(action, on: number % entries.count + 1)
    case .answer(let number, let answer): self.answer(number, answer)
    case .call(let number, let call): self.call(number % entries.count, call)
    case .cancelCaller(let number): if !callers.isEmpty { callers[number % callers.count].task.cancel() }
    case .key(let key): self.key.write(key)
    case .page(let number, let action): perform(action, number)
    case .board(let isOpen): if isOpen { board.gate.open() } else { board.gate.close() }
    case .invalidateTag: board.invalidate("all")
    case .forgetAll:
      let family = family
      ModelActor.task { try? await family.forgetAll() }
    case .tick: await clock.advance(by: .seconds(1))
    }
    await ModelActor.idle()
    return broken()
  }

  private func perform(_ action: SharingCommand.Screen, on number: Int) {
    let name = screens[number].name
    for index in screens.indices where name.hasPrefix("list") ? screens[index].name.hasPrefix("list") : index == number
    {
      switch action {
      case .refresh, .reload, .retryOfBoard: screens[index].isUntouched = false
      // A host starts once: after a reset, that requests nothing.
      case .start, .cancel: break
      case .reset: screens[index].isUntouched = true
      }
    }
    screens[number].perform(action)
    // What is made of an entry is reset with it.
    if case .reset = action, number < 3, let pair = screens.firstIndex(where: { $0.name == "pair" }) {
      screens[pair].isUntouched = true
    }
    for index in screens.indices where screens[index].isRunning() { screens[index].isUntouched = false }
  }

  private func perform(_ action: SharingCommand.Entry, on key: Int) {
    let (family, entry) = (family, entries[key - 1])
    lastWrite += 1
    switch action {
    case .cancel: entry.cancel()
    case .write: entry.data.value = key * 1000 + lastWrite % 1000
    case .writeError: entry.data.error = Failure(name: "written")
    case .invalidate: entry.invalidate()
    case .reset: perform(SharingCommand.Screen.reset, on: key == 1 ? 0 : 2)
    case .forget: ModelActor.task { try? await family.forget(key) }
    case .change:
      let gate = gate
      ModelActor.task {
        // The next value of the same key.
        let patch = { (value: inout Int) in value = key * 1000 + (value + 1) % 1000 }
        _ = await entry.mutate(patch, commit: { _ = try await gate.wait() })
      }
    case .reload: entry.reload()
    case .begin: entry.data.begin(.refresh).succeed(with: key * 1000)
    case .prefetch: family.prefetch(key)
    }
  }

  /// One of the calls that have no answer.
  private func waiting(at count: Int, besides answered: Set<Int>, _ number: Int) -> Int? {
    let waiting = (1..<count + 1).filter { !answered.contains($0) }
    return waiting.isEmpty ? nil : waiting[number % waiting.count]
  }

  private func answer(_ number: Int, _ answer: SharingCommand.Answer) {
    if let call = waiting(at: pageGate.callCount, besides: answeredPages, number) {
      answeredPages.insert(call)
      switch answer {
      case .value, .nothing: pageGate.answer(call: call, with: .success(()))
      case .failure: pageGate.answer(call: call, with: .failure(Failure()))
      case .cancellation: pageGate.answer(call: call, with: .failure(CancellationError()))
      }
    }
    guard let call = waiting(at: gate.callCount, besides: answered, number) else { return }
    answered.insert(call)
    switch answer {
    case .value: gate.answer(call: call, with: .success(call % 500))
    case .nothing: gate.answer(call: call, with: .success(-1))
    case .failure: gate.answer(call: call, with: .failure(Failure()))
    case .cancellation: gate.answer(call: call, with: .failure(CancellationError()))
    }
  }

  private func call(_ index: Int, _ call: SharingCommand.Call) {
    let (entry, other) = (entries[index], entries[1 - index])
    wait("\(call)") {
      switch call {
      case .load: _ = await entry.load()
      case .get: _ = try? await entry.get()
      case .getStale: _ = try? await entry.get(when: .stale)
      case .several:
        entry.start()
        _ = await other.load()
      }
    }
  }

  private func wait(_ name: String, _ body: @escaping @ModelActor () async -> Void) {
    let number = callers.count
    let task = ModelActor.task { [self] in
      await body()
      ended.insert(number)
    }
    callers.append((task, name))
  }

  private func perform(_ action: SharingCommand.Page, _ number: Int) {
    let (pages, gate, likes) = (pages, pageGate, likes)
    switch action {
    case .start: pages.start()
    case .reload: pages.reload()
    case .cancel: pages.cancel()
    case .reset: pages.reset()
    case .writeError: pages.data.error = Failure(name: "written")
    // The key whose list is extended is that of its rows when the request begins. Rows that were inserted meanwhile: the first
    // repeats the last that is known.
    case .next:
      wait("next page") {
        await pages.data.loadNext { cursor in
          let key = pages.value?.items.first?.key ?? 0
          try await gate.wait()
          return .init(items: likes.rows(cursor - 1..<cursor + 2, of: key), next: cursor + 2, previous: cursor)
        }
      }
    case .previous:
      wait("previous page") {
        await pages.data.loadPrevious { cursor in
          let key = pages.value?.items.first?.key ?? 0
          try await gate.wait()
          return .init(items: likes.rows(cursor - 2..<cursor, of: key), next: cursor, previous: cursor - 2)
        }
      }
    case .like:
      guard let items = pages.value?.items, !hasRowsOfFormerKey else { return }
      let row = items[number % items.count]
      wait("like") {
        await pages.mutate { list in
          guard list[id: row.id]?.key == row.key else { return }
          list[id: row.id]?.likes += 1
        } commit: {
          try await gate.wait()
          likes.counts[Post(id: row.id, key: row.key), default: 0] += 1
        }
      }
    }
  }

  // MARK: The invariant

  /// What holds after every step.
  private func broken() -> String? {
    // During the delay of a key nothing runs, and a request follows.
    for screen in screens
    where screen.isLoading() && !screen.isRunning() && !screen.isUntouched
      && !(setup.hasDelay && clock.sleeperCount > 0 && screen.name == "follower")
    {
      return "\(screen.name) displays loading, and nothing runs"
    }
    for (index, entry) in entries.enumerated() {
      if let value = entry.value, value / 1000 != index + 1 { return "entry \(index + 1) has \(value)" }
    }
    if let value = follower.value, !(setup.previous != .hidden && follower.snapshot.isProvisional) {
      guard value / 1000 == key.current else {
        return "\(value) is displayed for the key \(String(describing: key.current))"
      }
    }
    // Nor does a pacer keep it on the screen.
    if setup.previous == .hidden, let value = screens.last?.displayedValue(), value / 1000 != key.current {
      return "\(value) is on the screen for the key \(String(describing: key.current))"
    }
    if follower.error != nil, let value = follower.value, value / 1000 != key.current {
      return "\(value) is beside the error of another key"
    }
    return brokenPages()
  }

  private var hasRowsOfFormerKey: Bool {
    let snapshot = pages.snapshot
    return snapshot.value != nil && !snapshot.isValueSet && snapshot.isProvisional
  }

  private func brokenPages() -> String? {
    guard let rows = pages.value?.items, let first = rows.first else { return nil }
    let ids = rows.map(\.id)
    if ids != Array(first.id..<first.id + ids.count) { return "the pages have a hole or a row twice: \(ids)" }
    if rows.contains(where: { $0.key != first.key }) { return "the pages have rows of several keys: \(rows)" }
    guard hasRowsOfFormerKey else {
      return first.key == key.current ? nil : "rows of \(first.key) are displayed for \(key.current as Any)"
    }
    if pages.error != nil { return "rows of a former key are beside an error" }
    return pages.data.hasPendingChanges ? "a change of a former key is pending" : nil
  }

  /// Answers everything, and says what holds then.
  func finish() async -> String? {
    board.gate.open()
    // Requests that these answers lead to have theirs, too, before they arrive.
    for call in 1...gate.callCount + 200 { gate.answer(call: call, with: .success(call % 500)) }
    for call in 1...pageGate.callCount + 200 { pageGate.answer(call: call, with: .success(())) }
    await ModelActor.idle()
    // Delays of keys and pacers are over.
    for _ in 1...3 {
      await clock.advance(by: .seconds(1))
      await ModelActor.idle()
      await family.settled()
      await pair.settled()
      await pages.settled()
      await ModelActor.idle()
    }
    if let reason = broken() { return "at rest: \(reason)" }
    for screen in screens where screen.displaysLoading() && !screen.isUntouched {
      return "at rest: \(screen.name) has loading on the screen"
    }
    for screen in screens where screen.isRunning() { return "at rest: \(screen.name) is running" }
    for number in callers.indices where !ended.contains(number) {
      return "at rest: caller \(number) (\(callers[number].name)) waits"
    }
    if clock.sleeperCount > 0 { return "at rest: \(clock.sleeperCount) sleepers" }
    if pages.data.hasPendingChanges { return "at rest: a like is not decided" }
    if !hasRowsOfFormerKey, !pages.isStale,
      let row = pages.value?.items.first(where: { row in
        row.likes > likes.counts[Post(id: row.id, key: row.key)] ?? 0
      })
    {
      return "at rest: the likes of \(row) are not the server's, and nothing is stale"
    }
    guard setup.hasStore else { return nil }
    for (index, entry) in entries.enumerated() where !entry.snapshot.isProvisional && entry.value != nil {
      if let stored = store[index + 1]?.value, stored == entry.value { continue }
      return "at rest: entry \(index + 1) has \(entry.value!), stored is \(String(describing: store[index + 1]?.value))"
    }
    return nil
  }
}
