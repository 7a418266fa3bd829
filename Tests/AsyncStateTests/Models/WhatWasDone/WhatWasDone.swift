// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// An app with a server. At rest and online, the server has done each accepted input exactly once, in order within its lane;
/// each screen, and each store, has the server's state or says that it is stale; a handle says what the server has said.
final class WhatWasDone: Comparison {
  struct Setup: CustomStringConvertible {
    let app: App.Settings
    var description: String {
      "retries \(app.retries), keeps \(app.keepUnused) idle, \(app.width.map { "\($0)" } ?? "any number") at a time, "
        + "the outbox \(app.displaysOutbox ? "is displayed" : "is not displayed")\(app.resumesAtStart ? "" : ", not resumed")"
    }
  }

  /// An input that has not ended, by what it was performed with, which is not kept by that.
  private struct Handle {
    let input: SentInput
    private(set) weak var owner: AnyObject?
    let cancel: () -> Void
  }

  static let name = "what was done"

  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(
      app: App.Settings(
        retries: Bool.random(using: &random) ? 0 : 2, keepUnused: Bool.random(using: &random) ? 0 : 50,
        width: [nil, 1, 2, 3].randomElement(using: &random) ?? nil,
        displaysOutbox: Int.random(in: 0..<4, using: &random) > 0, resumesAtStart: Bool.random(using: &random)))
  }
  static func command(using random: inout SeededGenerator) -> AppCommand { .random(using: &random) }
  static func simpler(than command: AppCommand) -> [AppCommand] { command.simpler }

  private let setup: Setup
  private let device = AppDevice()
  private var app: App
  private var ledger = Ledger()
  private var pushes: [SentInput] = []
  /// What cancels the inputs that have not ended, by the object that they were performed with.
  private var handles: [Int: Handle] = [:]
  private var lastTap: Handle?
  /// The last payment, until its answer.
  private var lastPayment: SentInput?
  /// Objects that the app has released, and that may have something to do.
  private var released: [() async -> Void] = []
  /// The store of values has failed, so only this process knows what of it is old.
  private var hasUnsaved = false
  /// Outboxes of screens that were left.
  private var leaked: [AnyObject] = []
  private var generation = 0
  private var processes = 0

  private var server: AppServer { device.server }

  init(_ setup: Setup) {
    self.setup = setup
    app = App(device, process: 0, setup.app)
    server.didArrive = { [weak self] in self?.ledger.arrives($0) }
    server.willDo = { [weak self] in self?.ledger.isDone($0) }
  }

  func perform(_ command: AppCommand) async -> String? {
    switch command {
    case .perform(let way, let room, let lane):
      let isHidden = way == .outbox && !setup.app.displaysOutbox
      perform(way, ledger.nextInput(in: isHidden ? App.hiddenRoom : room, lane: lane))
    case .tapAgain: tapAgain()
    case .pay(let room): pay(ledger.nextInput(in: room, lane: 0))
    case .payAgain(let byRetry): payAgain(byRetry: byRetry)
    case .hang: await device.clock.advance(by: .seconds(40))
    case .load(let room, let replacing): load(room, replacing: replacing)
    case .loadNext:
      let feed = app.feed
      ModelActor.task { _ = await feed.loadNext(isolation: ModelActor.shared) }
    case .cancelLoad(let room):
      if AppServer.rooms.contains(room) { app.list(room).cancel() } else { app.feed.cancel() }
    case .invalidate(let room):
      if AppServer.rooms.contains(room) { app.list(room).invalidate() } else { app.feed.invalidate() }
    case .answer(let place):
      let waiting = server.requests.filter { !$0.isDone }
      if !waiting.isEmpty { server.answer(waiting[place % waiting.count]) }
    case .end(let place, let end):
      let requests = server.requests
      if !requests.isEmpty { server.end(requests[place % requests.count], end) }
    case .others(let room): others(room)
    case .push: push()
    case .receive(let room):
      if AppServer.rooms.contains(room) {
        app.list(room).receive(server.numbers(in: room))
      } else {
        app.feed.receive(RowFeed(first: AppServer.listed(server.page(after: nil))))
      }
    case .set(let room):
      if AppServer.rooms.contains(room) {
        app.list(room).data.value = server.numbers(in: room)
      } else {
        app.feed.data.value = RowFeed(first: AppServer.listed(server.page(after: nil)))
      }
    case .cancel(let place): cancel(place)
    case .cancelAll:
      takeBack(of: app.taps)
      app.taps.cancel()
    case .leak:
      leaked.append(app.outbox)
      leaveOutbox()
    case .retry: retry()
    case .retryOutbox(let place): retryOutbox(place)
    case .retryAside(let place): retryAside(place)
    case .discard(let place): discard(place)
    case .resume: resume()
    case .show(let room):
      app.show(room)
      load(room, replacing: false)
    case .leave(let room): app.leave(room)
    case .release(let object): release(object)
    case .logOut:
      // In a task that prefers no executor each call begins in the turn in which it is made. So nothing is sent between the note
      // in the ledger and the call.
      await Task { await logOut() }.value
    case .kill: await kill()
    case .fail(let store): fail(store)
    case .toggleNetwork: if app.gate.isOpen { app.gate.close() } else { app.gate.open() }
    case .rest(let loads):
      if let reason = await rest() { return reason }
      if loads, let reason = await loadAll() { return reason }
    }
    await ModelActor.idle()
    server.endGivenUp()
    return ledger.fault
  }

  func finish() async -> String? {
    if let reason = await rest() { return reason }
    if let reason = await loadAll() { return reason }
    await kill()
    return nil
  }

  // MARK: What a person does

  private func perform(_ way: AppCommand.Way, _ input: SentInput) {
    switch way {
    case .taps:
      enter(input, of: app.taps, lane: "\(input.lane)")
      follow(input, app.taps.perform(input, isolation: ModelActor.shared), of: app.taps)
      lastTap = handles[input.number]
    case .line:
      enter(input, of: app.line, lane: "")
      follow(input, app.line.perform(input, isolation: ModelActor.shared), of: app.line)
    case .outbox:
      ledger.enter(input, .outbox, lane: "outbox \(input.lane)")
      follow(input, app.outbox.perform(input, isolation: ModelActor.shared), of: app.outbox)
    case .commit: mutate(input)
    }
  }

  private func enter(_ input: SentInput, of owner: AnyObject, lane: String?) {
    ledger.enter(
      input, .memory(process: app.process.number), lane: lane.map { "\(ObjectIdentifier(owner)) \(generation) \($0)" })
  }

  private func mutate(_ input: SentInput) {
    if AppServer.rooms.contains(input.room) {
      mutate(input, app.list(input.room)) { $0.add(input.number) }
    } else {
      mutate(input, app.feed) { $0.add(input) }
    }
  }

  private func mutate<Value>(
    _ input: SentInput, _ resource: AsyncResource<Value>, _ patch: @escaping (inout Value) -> Void
  ) {
    enter(input, of: resource.data, lane: nil)
    let (server, process) = (server, app.process)
    let bound = (resource: resource, patch: patch)
    let task = ModelActor.task { [weak self] in
      let outcome = await bound.resource.mutate(
        isolation: ModelActor.shared, bound.patch, commit: { try await server.send(.write(input), of: process) })
      switch outcome {
      case .success, .notRequested: self?.ended(input, .success(nil))
      case .failure(let error): self?.ended(input, .failure(error))
      case .cancelled, .superseded: self?.ended(input, .cancelled)
      }
    }
    handles[input.number] = Handle(input: input, owner: resource.data) { task.cancel() }
  }

  private func follow(_ input: SentInput, _ handle: MutationTask<Int>, of owner: AnyObject) {
    handles[input.number] = Handle(input: input, owner: owner) { handle.cancel() }
    let process = app.process
    ModelActor.task { [weak self] in
      if (try? await handle.accepted(isolation: ModelActor.shared)) != nil { self?.ledger.accepted(input.number) }
    }
    ModelActor.task { [weak self] in
      let outcome = await handle.outcome(isolation: ModelActor.shared)
      guard process.isAlive else { return }
      switch outcome {
      case .success(let answer), .notRequested(let answer): self?.ended(input, .success(answer))
      case .failure(let error): self?.ended(input, .failure(error))
      case .cancelled, .superseded: self?.ended(input, .cancelled)
      }
    }
  }

  /// - Parameter outcome: With the answer, where the handle has it.
  private func ended(_ input: SentInput, _ outcome: AsyncOutcome<Int?>) {
    handles[input.number] = nil
    let isStored = device.inputs.entries.contains { $0.input == input }
    let told = server.told[input.number].map { result -> Ledger.End in
      switch result {
      case .success: .success
      case .failure(let error): .failure("\(error)")
      }
    }
    switch outcome {
    case .success(let answer), .notRequested(let answer):
      if let answer, answer != input.answer { ledger.note("\(input.number) is answered with \(answer)") }
      ledger.ended(input.number, .success, told: told, isStored: isStored)
    case .failure(let error) where error is LoadTimeoutError: ledger.timedOut(input.number)
    case .failure(OutboxError.notStored):
      ledger.ended(input.number, .failure("notStored"), told: told, isStored: isStored)
    case .failure(let error): ledger.ended(input.number, .failure("\(error)"), told: told, isStored: isStored)
    case .cancelled, .superseded: ledger.ended(input.number, .givenUp, told: told, isStored: isStored)
    }
  }

  private func tapAgain() {
    guard let lastTap, lastTap.owner === app.taps, handles[lastTap.input.number] != nil else { return }
    follow(lastTap.input, app.taps.perform(lastTap.input, isolation: ModelActor.shared), of: app.taps)
  }

  private func pay(_ input: SentInput) {
    enter(input, of: app.payments, lane: "")
    lastPayment = input
    follow(input, app.payments.perform(input, isolation: ModelActor.shared), of: app.payments)
  }

  /// It is done once, whether it was done before or not. After an error that the server has not said only a retry says which
  /// payment it is.
  private func payAgain(byRetry: Bool) {
    guard let input = lastPayment, let end = ledger[input.number]?.end else { return }
    switch end {
    case .success: return
    case .failure("time"), .givenUp: break
    case .failure: if !byRetry { return }
    }
    let (hasFailed, payments) = (end != .givenUp, app.payments)
    if byRetry, !hasFailed { return }
    ledger.enterAgain(input.number, ordered: true)
    if byRetry {
      if let handle = payments.retry(isolation: ModelActor.shared) { follow(input, handle, of: payments) }
    } else {
      follow(input, payments.perform(input, isolation: ModelActor.shared), of: payments)
    }
  }

  private func load(_ room: Int, replacing: Bool) {
    if AppServer.rooms.contains(room) {
      if replacing { app.list(room).refresh() } else { app.list(room).start(when: .stale) }
    } else {
      if replacing { app.feed.refresh() } else { app.feed.start(when: .stale) }
    }
  }

  private func cancel(_ place: Int) {
    let open = handles.keys.sorted()
    guard !open.isEmpty, let handle = handles[open[place % open.count]] else { return }
    takeBack(open[place % open.count])
    handle.cancel()
  }

  /// What is taken back is not sent by this process, also if its store cannot remove it; but what a log-out cannot remove is
  /// sent as ever.
  private func takeBack(_ number: Int, atLogOut isLogOut: Bool = false) {
    let stays = isLogOut && ledger[number]?.keeper == .outbox && device.inputs.removalError != nil
    ledger.takeBack(number, forGood: !stays)
  }

  private func takeBack(of owner: AnyObject, atLogOut isLogOut: Bool = false) {
    for (number, handle) in handles where handle.owner === owner { takeBack(number, atLogOut: isLogOut) }
  }

  private func retry() {
    guard case .failed(_, let input) = app.taps.status else { return }
    ledger.enterAgain(input.number, ordered: true)
    if let handle = app.taps.retry(isolation: ModelActor.shared) { follow(input, handle, of: app.taps) }
  }

  private func retryOutbox(_ place: Int) {
    let failed = app.outbox.entries.filter { $0.phase == .retrying }
    guard !failed.isEmpty else { return }
    let entry = failed[place % failed.count]
    if let handle = app.outbox.retry(entry) { follow(entry.input, handle, of: app.outbox) }
  }

  private func retryAside(_ place: Int) {
    let aside = app.outbox.entries.filter { $0.phase == .failed }
    guard !aside.isEmpty else { return }
    let entry = aside[place % aside.count]
    ledger.enterAgain(entry.input.number, ordered: false)
    if let handle = app.outbox.retry(entry) { follow(entry.input, handle, of: app.outbox) }
  }

  private func discard(_ place: Int) {
    let entries = device.inputs.entries
    guard !entries.isEmpty else { return }
    takeBack(entries[place % entries.count].input.number)
    let entry = entries[place % entries.count]
    app.outbox.discard(OutboxEntry(key: entry.key, input: entry.input))
  }

  private func resume() {
    let outbox = app.outbox
    ModelActor.task { await outbox.resume(isolation: ModelActor.shared).restored(isolation: ModelActor.shared) }
  }

  private func logOut() async {
    for owner in [app.taps, app.line, app.payments, app.outbox] as [AnyObject] { takeBack(of: owner, atLogOut: true) }
    // What was set aside, and what a former process has left.
    for entry in device.inputs.entries { takeBack(entry.input.number, atLogOut: true) }
    app.taps.reset()
    app.line.reset()
    app.payments.reset()
    lastPayment = nil
    try? await app.outbox.discardAll(isolation: ModelActor.shared)
    // Until here they may have got the room of what has ended. A call that has it is on its way to its commit, by a few jobs
    // where its task prefers an executor: what it sends is sent before it is taken back.
    await ModelActor.idle()
    for data in [app.lobby.data, app.feed.data] as [AnyObject] { takeBack(of: data, atLogOut: true) }
    for room in App.storedRooms {
      if let entry = app.rooms.existing(room) { takeBack(of: entry.data, atLogOut: true) }
    }
    app.lobby.forget()
    app.feed.forget()
    try? await app.rooms.forgetAll(isolation: ModelActor.shared)
  }

  // MARK: What others do

  private func others(_ room: Int) {
    let input = ledger.nextInput(in: room, lane: 0)
    ledger.enter(input, .server, lane: nil)
    server.perform(input)
    pushes.append(input)
  }

  private func push() {
    guard !pushes.isEmpty else { return }
    let input = pushes.removeFirst()
    if AppServer.rooms.contains(input.room) {
      app.list(input.room).update { $0.put(input.number) }
    } else {
      app.feed.update { $0.put(input) }
    }
  }

  // MARK: Releases

  private func release(_ object: AppCommand.Object) {
    generation += 1
    switch object {
    case .taps:
      note(app.taps) { await $0.settled(isolation: ModelActor.shared) }
      app.makeTaps()
    case .line:
      note(app.line) { await $0.settled(isolation: ModelActor.shared) }
      app.makeLine()
    case .payments:
      note(app.payments) { await $0.settled(isolation: ModelActor.shared) }
      lastPayment = nil
      app.makePayments()
    case .outbox: leaveOutbox()
    case .lobby:
      guard !isAtWork(in: 0...0) else { return }
      note(app.lobby.data) { await $0.settled(isolation: ModelActor.shared) }
      app.makeLobby()
    case .feed:
      guard !isAtWork(in: AppServer.rows) else { return }
      note(app.feed.data) { await $0.settled(isolation: ModelActor.shared) }
      app.makeFeed()
    }
  }

  /// The next outbox of the store takes what the former one has left.
  private func leaveOutbox() {
    for (number, handle) in handles where handle.owner === app.outbox {
      ledger.forget(number)
      handles[number] = nil
    }
    // What its store could not remove yet is sent by the next one.
    for entry in device.inputs.entries { ledger.isLeft(entry.input.number) }
    app.makeOutbox()
    resume()
  }

  /// What is done to a resource is displayed by that. An app that makes another one meanwhile has a family for that.
  private func isAtWork(in rooms: ClosedRange<Int>) -> Bool {
    let open = handles.keys.compactMap { ledger[$0]?.input } + device.inputs.entries.map(\.input)
    return open.contains { rooms.contains($0.room) }
  }

  private func note<Object: AnyObject>(_ object: Object, _ settle: @escaping (Object) async -> Void) {
    released.append { [weak object] in
      guard let object else { return }
      await settle(object)
    }
  }

  private func kill() async {
    let dead = app.process
    // What nothing but the memory knows of may be done, and is in no store: until the age of that says so.
    let isLong = hasUnsaved || handles.contains { ledger[$0.key]?.keeper != .outbox }
    hasUnsaved = false
    server.disconnect(dead)
    for (number, handle) in handles {
      ledger.forget(number)
      if ledger[number]?.keeper != .outbox { handle.cancel() }
    }
    for entry in device.inputs.entries { ledger.isLeft(entry.input.number) }
    handles = [:]
    (lastTap, lastPayment) = (nil, nil)
    leaked = []
    app.taps.cancel()
    app.line.cancel()
    app.payments.cancel()
    released = []
    processes += 1
    generation += 1
    app = App(device, process: processes, setup.app)
    await ModelActor.idle()
    if isLong { await device.clock.advance(by: .seconds(200_000)) }
    if setup.app.resumesAtStart { resume() }
  }

  private func fail(_ store: AppCommand.Store) {
    func toggle(_ error: inout (any Error)?) { error = error == nil ? LostRequest() : nil }
    switch store {
    case .appends: toggle(&device.inputs.appendError)
    case .updates: toggle(&device.inputs.updateError)
    case .removals: toggle(&device.inputs.removalError)
    case .reads: toggle(&device.inputs.readError)
    case .values:
      hasUnsaved = true
      toggle(&device.values.writeError)
      device.values.readError = device.values.writeError
      device.values.removalError = device.values.writeError
    }
  }

  // MARK: At rest

  /// Everything works, and all that is on its way arrives.
  private func rest() async -> String? {
    await settle()
    if !server.requests.isEmpty { return "\(server.requests.count) requests are left" }
    if let left = device.inputs.entries.first(where: { $0.failure == nil }) { return "\(left.input.number) is left" }
    let aside = device.inputs.entries.map(\.input)
    return ledger.differenceAtRest(server.done, aside: aside) ?? screenDifference ?? storeDifference
  }

  private func settle() async {
    device.inputs.appendError = nil
    device.inputs.updateError = nil
    device.inputs.removalError = nil
    device.inputs.readError = nil
    device.values.readError = nil
    device.values.writeError = nil
    device.values.removalError = nil
    server.isPrompt = true
    app.gate.open()
    for _ in 0..<3 {
      while let request = server.requests.first {
        server.end(request, .answered)
        await ModelActor.idle()
      }
      while !pushes.isEmpty { push() }
      await app.outbox.resume(isolation: ModelActor.shared).restored(isolation: ModelActor.shared)
      await app.outbox.settled(isolation: ModelActor.shared)
      await app.taps.settled(isolation: ModelActor.shared)
      await app.line.settled(isolation: ModelActor.shared)
      await app.payments.settled(isolation: ModelActor.shared)
      await loadsEnd()
      for settle in released { await settle() }
      await ModelActor.idle()
    }
    released = []
    server.isPrompt = false
  }

  private func loadsEnd() async {
    await app.lobby.settled(isolation: ModelActor.shared)
    await app.feed.settled(isolation: ModelActor.shared)
    await app.rooms.settled(isolation: ModelActor.shared)
  }

  private var screenDifference: String? {
    for room in AppServer.rooms {
      guard let list = room == 0 ? app.lobby : app.rooms.existing(room) else { continue }
      if list.data.hasPendingChanges { return "\(room) has pending changes" }
      guard !list.isStale, list.error == nil else { continue }
      let expected = server.numbers(in: room)
      if list.value != expected { return "\(room) displays \(list.value ?? []) as fresh, the server has \(expected)" }
    }
    if app.feed.data.hasPendingChanges { return "the feed has pending changes" }
    guard !app.feed.isStale, app.feed.error == nil else { return nil }
    for row in app.feed.value?.items ?? [] where row.numbers != server.numbers(in: row.id) {
      return "row \(row.id) displays \(row.numbers) as fresh, the server has \(server.numbers(in: row.id))"
    }
    return nil
  }

  private var storeDifference: String? {
    guard !hasUnsaved else { return nil }
    for room in App.storedRooms {
      guard let stored = device.values[room], !stored.isInvalidated else { continue }
      guard let age = stored.age, age < .seconds(86_400) else { continue }
      let expected = server.numbers(in: room)
      if stored.value != expected { return "\(stored.value ?? []) is stored for \(room), the server has \(expected)" }
    }
    return nil
  }

  /// All that is stale is loaded, and nothing is stale then.
  private func loadAll() async -> String? {
    server.isPrompt = true
    for room in App.storedRooms { app.show(room) }
    for room in AppServer.rooms { app.list(room).start(when: .stale) }
    app.feed.start(when: .stale)
    await loadsEnd()
    server.isPrompt = false
    for room in AppServer.rooms where app.list(room).isStale { return "\(room) stays stale" }
    return app.feed.isStale ? "the feed stays stale" : screenDifference ?? storeDifference
  }
}
