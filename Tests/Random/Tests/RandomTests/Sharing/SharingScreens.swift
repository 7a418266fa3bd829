// SPDX-License-Identifier: MIT
@testable import AsyncState
@testable import AsyncStateTesting

/// Screens that share the entries of a family, and that await each other. A value is its key times 1000, and more, so
/// that what is displayed says whose it is.
@ModelActor
final class SharingScreens: Comparison {
  struct Setup: CustomStringConvertible {
    let previous: PreviousValue
    let hasDelay: Bool
    let isPaced: Bool
    let hasStore: Bool
    var description: String {
      "previous \(previous), delay \(hasDelay), paced \(isPaced), store \(hasStore)"
    }
  }

  /// A screen, without the type of its value.
  struct Screen {
    let name: String
    let perform: @ModelActor (SharingCommand.Screen) -> Void
    let isLoading: @ModelActor () -> Bool
    let isRunning: @ModelActor () -> Bool
    /// The status that is on the screen, which a pacer may hold back.
    let displaysLoading: @ModelActor () -> Bool
    /// Whether it was never requested, or reset since.
    var isUntouched = true
  }

  typealias Pages = Paged<Int, Int>

  static var name: String { "screens that share" }

  private let clock = ManualClock()
  private let gate = ManualServer<Int>()
  private let pageGate = ManualServer<Void>()
  private let board = AsyncTagBoard()
  private let store = MemoryStore<Int, Int>()
  private let setup: Setup
  private let family: AsyncFamily<Int, Int>
  private let entries: [AsyncResource<Int>]
  private let key = Input<Int?>(1)
  private let follower: AsyncResource<Int>
  /// The library awaits its parts, and returns from that by a way of its own.
  private let pair: AsyncResource<Int>
  private let pages = AsyncData<Pages>()
  private var screens: [Screen] = []
  private var answered: Set<Int> = []
  private var callers: [(task: Task<Void, Never>, name: String)] = []
  private var ended: Set<Int> = []
  private var lastWrite = 500

  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(
      previous: .random(using: &random), hasDelay: .random(using: &random), isPaced: .random(using: &random),
      hasStore: .random(using: &random))
  }

  static func command(using random: inout SeededGenerator) -> SharingCommand { .random(using: &random) }
  static func simpler(than command: SharingCommand) -> [SharingCommand] { [] }

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
    let host = AsyncHost(resource, pacer: pacer, children: { _ in [] })
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
        displaysLoading: { host.hasStarted && host.container.currentState == .loading }))
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
    case .page(let action): perform(action)
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

  private func answer(_ number: Int, _ answer: SharingCommand.Answer) {
    let waiting = (1..<gate.callCount + 1).filter { !answered.contains($0) }
    let page = number % max(pageGate.callCount, 1) + 1
    pageGate.answer(call: page, with: answer == .failure ? .failure(Failure()) : .success(()))
    guard !waiting.isEmpty else { return }
    let call = waiting[number % waiting.count]
    answered.insert(call)
    switch answer {
    case .value: gate.answer(call: call, with: .success(call % 500))
    case .nothing: gate.answer(call: call, with: .success(-1))
    case .failure: gate.answer(call: call, with: .failure(Failure()))
    case .cancellation: gate.answer(call: call, with: .failure(CancellationError()))
    }
  }

  private func call(_ index: Int, _ call: SharingCommand.Call) {
    let (entry, other, number) = (entries[index], entries[1 - index], callers.count)
    let task = ModelActor.task { [self] in
      switch call {
      case .load: _ = await entry.load()
      case .get: _ = try? await entry.get()
      case .getStale: _ = try? await entry.get(when: .stale)
      case .several:
        entry.start()
        _ = await other.load()
      }
      ended.insert(number)
    }
    callers.append((task, "\(call)"))
  }

  private func perform(_ action: SharingCommand.Page) {
    let (pages, gate) = (pages, pageGate)
    func page(_ number: Int) -> Pages.Page {
      Pages.Page(items: Array(number * 3..<number * 3 + 3), next: number + 1, previous: number - 1)
    }
    func request(_ number: Int) async throws -> Pages.Page {
      try await ModelActor.stay { () async -> Result<Pages.Page, any Error> in
        do {
          try await gate.wait()
          return .success(page(number))
        } catch { return .failure(error) }
      }.get()
    }
    ModelActor.task {
      switch action {
      case .first: _ = await pages.loadFirst { _ in try await request(50) }
      case .next: _ = await pages.loadNext { try await request($0) }
      case .previous: _ = await pages.loadPrevious { try await request($0) }
      case .cancel: pages.cancel()
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
    if follower.error != nil, let value = follower.value, value / 1000 != key.current {
      return "\(value) is beside the error of another key"
    }
    if let items = pages.value?.items, let first = items.first, items != Array(first..<first + items.count) {
      return "the pages have a hole or a row twice: \(items)"
    }
    return nil
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
    guard setup.hasStore else { return nil }
    for (index, entry) in entries.enumerated() where !entry.snapshot.isProvisional && entry.value != nil {
      if let stored = store[index + 1]?.value, stored == entry.value { continue }
      return "at rest: entry \(index + 1) has \(entry.value!), stored is \(String(describing: store[index + 1]?.value))"
    }
    return nil
  }
}
