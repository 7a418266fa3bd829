// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// What lasts when a process of the app is killed.
@ModelActor
final class AppDevice {
  let server = AppServer()
  let clock = ManualClock()
  let values: MemoryStore<Int, [Int]>
  let inputs = MemoryOutboxStore<SentInput>()

  init() {
    values = MemoryStore(clock: clock)
  }
}

/// An app as its author writes it: a room, two rooms of a family that are stored, a feed in pages, and what a person can do
/// to them.
@ModelActor
final class App {
  struct Settings {
    /// How often a failed request is tried again.
    let retries: Int
    let keepUnused: Int
    /// How many requests run at a time; nil: any number.
    let width: Int?
    /// What the outbox sends is displayed. Otherwise it is done in a room that no screen has.
    let displaysOutbox: Bool
    /// What is left is sent at the start. Otherwise when something else is performed, or a person resumes it.
    let resumesAtStart: Bool
  }

  nonisolated static let storedRooms = 1...2
  nonisolated static let hiddenRoom = 8

  let process: AppProcess
  let gate: LoadGate
  private let device: AppDevice
  private let settings: Settings
  private let options: LoadOptions
  private let inputs: ProcessOutboxStore

  private(set) var lobby: AsyncResource<[Int]>
  let rooms: AsyncFamily<Int, [Int]>
  private(set) var feed: AsyncResource<RowFeed>
  /// The rooms of the family that are displayed.
  private(set) var screens: [Int: AsyncResource<[Int]>] = [:]
  /// Sends what is tapped: a double tap is one input.
  private(set) var taps: AsyncMutation<SentInput, Int>
  /// Sends one thing after another.
  private(set) var line: AsyncMutation<SentInput, Int>
  /// Sends what must not be done twice: each has a time limit, and the server knows it by its key.
  private(set) var payments: AsyncMutation<SentInput, Int>
  /// Sends what is stored first.
  private(set) var outbox: AsyncOutbox<SentInput, Int>

  init(_ device: AppDevice, process: Int, _ settings: Settings) {
    let (process, server) = (AppProcess(process), device.server)
    self.device = device
    self.process = process
    self.settings = settings
    gate = LoadGate(width: settings.width)
    let limit = settings.retries
    options = LoadOptions(
      staleAfter: .seconds(86_400),
      retry: limit == 0 ? .never : RetryPolicy { failed in failed.count > limit ? nil : .zero },
      clock: device.clock, gate: gate)
    inputs = ProcessOutboxStore(device.inputs, process)
    lobby = Self.makeLobby(server, process, options)
    feed = Self.makeFeed(server, process, options)
    rooms = AsyncFamily(
      isolation: ModelActor.shared, options: options, keepUnused: settings.keepUnused,
      store: ProcessValueStore(device.values, process)
    ) { room in .value { try await server.send(.read(room: room), of: process).numbers } }
    // In place of what is made when all else is there.
    taps = AsyncMutation(isolation: ModelActor.shared) { _ in 0 }
    line = AsyncMutation(isolation: ModelActor.shared) { _ in 0 }
    payments = AsyncMutation(isolation: ModelActor.shared) { _ in 0 }
    outbox = AsyncOutbox(
      isolation: ModelActor.shared, store: MemoryOutboxStore(), options: .timeless, isPermanent: { _, _ in true }
    ) {
      _, _ in
      0
    }
    makeTaps()
    makeLine()
    makePayments()
    makeOutbox()
  }

  private static func makeLobby(_ server: AppServer, _ process: AppProcess, _ options: LoadOptions) -> AsyncResource<
    [Int]
  > {
    AsyncResource(isolation: ModelActor.shared, options: options) {
      .value { try await server.send(.read(room: 0), of: process).numbers }
    }
  }

  private static func makeFeed(_ server: AppServer, _ process: AppProcess, _ options: LoadOptions) -> AsyncResource<
    RowFeed
  > {
    AsyncResource(isolation: ModelActor.shared, options: options) {
      .pages { page in AppServer.listed(try await server.send(.page(after: page.cursor), of: process).page) }
    }
  }

  /// A screen is left, and opened again.
  func makeLobby() { lobby = Self.makeLobby(device.server, process, options) }

  func makeFeed() { feed = Self.makeFeed(device.server, process, options) }

  func show(_ room: Int) { screens[room] = rooms[room] }

  func leave(_ room: Int) { screens[room] = nil }

  func makeTaps() {
    let (server, process) = (device.server, process)
    taps = AsyncMutation(isolation: ModelActor.shared, options: options, lane: { $0.lane }) { input in
      try await server.send(.write(input), of: process).output
    }
    .changing({ [weak self] in self?.list(of: $0) }) { $0.add($1.number) }
    .changing({ [weak self] in self?.feed(of: $0) }) { $0.add($1) }
  }

  func makeLine() {
    let (server, process) = (device.server, process)
    line = AsyncMutation(isolation: ModelActor.shared, overlap: .queue, options: options) { input in
      try await server.send(.write(input), of: process).output
    }
    .changing({ [weak self] in self?.list(of: $0) }) {
      $0.add($1.number)
    } confirming: { list, input, answer in
      list.add(answer / 10)
    }
    .changing({ [weak self] in self?.feed(of: $0) }) { $0.add($1) }
  }

  func makePayments() {
    let (server, process) = (device.server, process)
    var options = options
    options.timeout = .seconds(30)
    payments = AsyncMutation(isolation: ModelActor.shared, options: options) { input, request in
      try await server.send(.write(input, key: request.idempotencyKey), of: process).output
    }
    .changing({ [weak self] in self?.list(of: $0) }) { $0.add($1.number) }
    .changing({ [weak self] in self?.feed(of: $0) }) { $0.add($1) }
  }

  func makeOutbox() {
    let (server, process) = (device.server, process)
    outbox = AsyncOutbox(
      isolation: ModelActor.shared, store: inputs, options: options, lane: { "\($0.lane)" },
      isPermanent: { error, attempts in error is RefusedInput || attempts >= 6 }
    ) { input, _ in
      try await server.send(.write(input), of: process).output
    }
    guard settings.displaysOutbox else { return }
    outbox
      .changing({ [weak self] in self?.list(of: $0) }) { $0.add($1.number) }
      .changing({ [weak self] in self?.feed(of: $0) }) { $0.add($1) }
  }

  func list(_ room: Int) -> AsyncResource<[Int]> { room == 0 ? lobby : rooms[room] }

  private func list(of input: SentInput) -> AsyncResource<[Int]>? {
    AppServer.rooms.contains(input.room) ? list(input.room) : nil
  }

  private func feed(of input: SentInput) -> AsyncResource<RowFeed>? { AppServer.rows.contains(input.room) ? feed : nil }
}

extension [Int] {
  /// Counts twice what is added twice.
  mutating func add(_ number: Int) { insert(number, at: firstIndex { $0 > number } ?? endIndex) }

  /// Something that others have done, and that a list may have by now.
  mutating func put(_ number: Int) {
    if !contains(number) { add(number) }
  }
}

extension RowFeed {
  mutating func add(_ input: SentInput) { self[id: input.room]?.numbers.add(input.number) }

  mutating func put(_ input: SentInput) { self[id: input.room]?.numbers.put(input.number) }
}
