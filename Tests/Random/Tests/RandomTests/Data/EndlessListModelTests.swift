// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// Lists in pages and persons who scroll them, at random: what must hold after every step, and at rest.
  @ModelActor
  struct EndlessListModelTests {
    @Test(
      "3.13, 9.15 no page that is wanted is left, none is requested without a reason, and the list is the server's or stale"
    )
    func random() async {
      await check("endless lists", seeds: 300, steps: 60) { await EndlessListWorld(seed: $0).run(steps: 60) }
    }
  }
}

/// One list in pages, on a screen.
@ModelActor
private final class EndlessListWorld {
  typealias List = EndlessListServer.List

  /// What has happened in a step, as far as the laws depend on it.
  private struct Event {
    var name: String
    /// A list has said what it displays.
    var isReport = false
    /// A page has arrived at an edge.
    var arrived: PageEdge?
    /// A page was not answered, and is not requested again by a retry.
    var failed: PageEdge?
    var isCancel = false
    /// A load was answered, or the value was replaced by hand.
    var isAnswer = false
  }

  private var random: SeededGenerator
  private let server: EndlessListServer
  private let gate = LoadGate()
  private let clock = ManualClock()
  private let feed: AsyncResource<List>
  private let screen: EndlessListScreen
  private var calls: [PersonsCall] = []
  private var token: ObservedToken?
  /// How many page requests have begun in this step.
  private var begins: [PageEdge: Int] = [:]
  private var wasRunning: Set<PageEdge> = []
  /// The rows of the list whose places the screen knows.
  private var placed: [Int] = []
  private var hasDrawn = false
  /// The edges whose page has failed or was cancelled, as the law has it.
  private var resting: Set<PageEdge> = []
  /// What has happened last.
  private var history: [String] = []
  /// The changes of persons, with their calls.
  private var changes: [(change: EndlessListChange, call: PersonsCall)] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    server = EndlessListServer(seed: seed)
    let retries = Int.random(in: 0...1, using: &random)
    feed = AsyncResource(
      isolation: ModelActor.shared,
      options: LoadOptions(
        retry: RetryPolicy { failed in failed.count > retries ? nil : .seconds(2) }, clock: clock, gate: gate)
    ) { [server] in .pages { page in try await server.page(page) } }
    screen = EndlessListScreen(random: &random)
    token = feed.observed.observe { [weak self] in self?.note($0) }
  }

  private func note(_ snapshot: AsyncSnapshot<List>) {
    for edge in PageEdge.allCases {
      guard (edge == .next ? snapshot.nextPage : snapshot.previousPage).isRunning else {
        wasRunning.remove(edge)
        continue
      }
      if wasRunning.insert(edge).inserted { begins[edge, default: 0] += 1 }
    }
    let items = snapshot.value?.items.map(\.id) ?? []
    guard screen.drawsAtOnce, items != placed else { return }
    moveRows(to: items, isPage: !feed.isRunning)
    if screen.draw(feed, redraws: false, &random) { hasDrawn = true }
  }

  func run(steps: Int) async -> String? {
    feed.start()
    for number in 0..<steps {
      for body in [pass, act] {
        if let fault = await step(body) { return "step \(number), \(fault)" }
      }
      // Else this drawing is skipped.
      if screen.drawsAtOnce || Int.random(in: 0..<3, using: &random) > 0, let fault = await draw() {
        return "step \(number), \(fault)"
      }
    }
    return await rest()
  }

  // MARK: Steps

  private func act() async -> Event {
    switch Int.random(in: 0..<42, using: &random) {
    case 0..<6:
      screen.scroll(by: .random(in: -4...4, using: &random))
      return Event(name: "scroll")
    case 6, 7:
      screen.scroll(to: Bool.random(using: &random) ? feed.value?.items.last?.id : feed.value?.items.first?.id)
      return Event(name: "scroll to an end")
    case 8..<18: return await answer(.success(()))
    case 18, 19: return await answer(.failure(Failure()))
    case 20: return await answer(.failure(CancellationError()))
    case 21:
      feed.start()
      return Event(name: "refresh")
    case 22:
      if Bool.random(using: &random) { feed.refresh() } else { feed.refresh(.firstPage) }
      return Event(name: "pull")
    case 23:
      feed.reload()
      return Event(name: "reload")
    case 24:
      call { [feed] in await feed.poll(every: { _ in nil }) }
      return Event(name: "poll")
    case 25, 26:
      let edge = PageEdge.allCases.randomElement(using: &random)!
      call(edge) { [feed] in
        switch edge {
        case .next: await feed.loadNext()
        case .previous: await feed.loadPrevious()
        }
      }
      return Event(name: "retry of the \(edge) page")
    case 27:
      let call = calls.randomElement(using: &random)
      call?.task.cancel()
      // A call leaves its request by way of the global pool.
      await call?.task.value
      return Event(name: "leave")
    case 28:
      if gate.isOpen { gate.close() } else { await openGate() }
      return Event(name: "gate")
    case 29:
      // Does nothing where there is nothing to end.
      let isCancel = feed.isRunning || PageEdge.allCases.contains { state(at: $0).isRunning }
      feed.cancel()
      return Event(name: "cancel", isCancel: isCancel)
    case 30: return edit()
    case 31: return byHand()
    case 32:
      server.bounds = (68 + .random(in: 0...6, using: &random) * 4)..<(108 + .random(in: 0...7, using: &random) * 4)
      return Event(name: "other bounds")
    case 33..<40: return change()
    default:
      screen.toggleCover(feed)
      return Event(name: screen.isCovered ? "cover" : "return", isReport: screen.isCovered)
    }
  }

  /// Something has changed the server already.
  private func edit() -> Event {
    guard let change = anyChange(), !isCollapse(change) else { return Event(name: "nothing") }
    // The server has not got a row that a person has added, and whose change waits.
    switch change {
    case .like(let id), .remove(let id): if server.rows(in: id...id).isEmpty { return Event(name: "nothing") }
    case .add, .collapse: break
    }
    server.carryOut(change)
    // Applied again to what a load that runs will bring.
    feed.update { change.apply(to: &$0) }
    return Event(name: "edit: \(change)")
  }

  /// A person changes the list, and the change is sent.
  private func change() -> Event {
    guard let change = anyChange() else { return Event(name: "nothing") }
    let server = server
    let personsCall = call { [feed] in
      await feed.mutate {
        change.apply(to: &$0)
      } commit: {
        try await server.send(change)
      }
    }
    changes.append((change, personsCall))
    return Event(name: "change: \(change)")
  }

  private func anyChange() -> EndlessListChange? {
    guard let items = feed.value?.items, items.count > 8 else { return nil }
    let id = items.randomElement(using: &random)!.id
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return isBase(id) ? nil : .remove(id)
    case 4..<7:
      let (base, added) = (id / 10 * 10, id / 10 * 10 + .random(in: 1...9, using: &random))
      // It stands behind a row that is displayed, and what was removed does not return.
      return !items.contains { $0.id == base } || isRemoved(base) || isRemoved(added) ? nil : .add(added)
    case 7, 8: return .like(id)
    default: return .collapse
    }
  }

  private func isCollapse(_ change: EndlessListChange) -> Bool { if case .collapse = change { true } else { false } }

  /// A row is added behind a row, or was: that one is not removed, and a list knows by it where the other belongs.
  private func isBase(_ id: Int) -> Bool {
    server.isBase(id)
      || changes.contains { if case .add(let added) = $0.change { added / 10 * 10 == id } else { false } }
  }

  private func isRemoved(_ id: Int) -> Bool {
    server.removed.contains(id)
      || changes.contains { if case .remove(let removed) = $0.change { removed == id } else { false } }
  }

  private func byHand() -> Event {
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      feed.data.error = Failure()
      return Event(name: "error")
    case 1:
      feed.invalidate()
      return Event(name: "invalidate")
    case 2:
      feed.data.value = List(first: server.firstPage)
      return Event(name: "value", isAnswer: true)
    case 3:
      feed.receive(List(first: server.firstPage))
      return Event(name: "receive")
    case 4:
      let page = server.firstPage
      feed.update { $0 = List(first: page) }
      return Event(name: "update of the whole list")
    case 5:
      feed.reset()
      feed.start()
      return Event(name: "reset", isAnswer: true)
    default:
      // A call that the running load is too old for.
      feed.invalidate()
      call { [feed] in await feed.load() }
      return Event(name: "late load")
    }
  }

  @discardableResult
  private func call(_ edge: PageEdge? = nil, _ body: @escaping @ModelActor () async -> Void) -> PersonsCall {
    let call = PersonsCall(edge, body)
    calls.append(call)
    return call
  }

  /// The server answers one of its calls, in any order.
  private func answer(_ result: Result<Void, any Error>) async -> Event {
    guard let call = server.takeCall(using: &random) else { return Event(name: "nothing") }
    var event = Event(name: "late answer")
    guard let load = call.load else {
      await server.answer(call, with: result)
      return Event(name: "\(call.change!) is answered: \(result)")
    }
    let isLate = !load.isCurrent
    await server.answer(call, with: result)
    await ModelActor.idle()
    if isLate { return event }
    let isOver = !load.isCurrent
    switch (load.edge, result) {
    case (let edge?, .success): event.arrived = edge
    case (let edge?, .failure): event.failed = isOver ? edge : nil
    case (nil, _): break
    }
    event.name = "\(load.edge.map { "\($0) page" } ?? "load"): \(result)"
    return event
  }

  /// Each request that waits is sent; but for a refresh that has been answered in part, where nothing is left to request.
  private func openGate() async {
    let count = server.calls.all.count + gate.waitingCount
    let load = feed.data.state.core.order.running
    if let load {
      ModelActor.task { [server] in
        await load.waitWithoutInterest(isolation: ModelActor.shared)
        server.calls.look()
      }
    }
    gate.open()
    await server.calls.reach(load?.isCurrent == false ? count - 1 : count)
  }

  private func succeed() async -> Event { await answer(.success(())) }

  /// Time passes: what waits for another attempt makes it.
  private func pass() async -> Event {
    await clock.advance(by: .seconds(1))
    return Event(name: "time")
  }

  private func draw() async -> String? {
    await step {
      Event(name: "draw", isReport: self.screen.draw(self.feed, redraws: .random(using: &self.random), &self.random))
    }
  }

  // MARK: What holds after a step

  private func step(_ body: () async -> Event) async -> String? {
    let past = placed
    hasDrawn = false
    let load = feed.data.state.core.order.whole
    begins = [:]
    var event = await body()
    history = history.suffix(30) + [event.name]
    await ModelActor.idle()
    if case .answered = load?.ending { event.isAnswer = true }
    if hasDrawn { event.isReport = true }
    moveRows(to: feed.value?.items.map(\.id) ?? [], isPage: event.arrived != nil)
    let fault = contentFault() ?? requestFault(after: event)
    // Not before: a person's call may have begun a request, and have been superseded, in this step.
    calls.removeAll { $0.isOver }
    changes.removeAll { $0.call.isOver }
    return fault.map {
      """
      \(history.joined(separator: ", ")): \($0); \(feed.data), \(screen.content), \(feed.value?.items ?? []), \
      resting \(resting), rows \(feed.data.pageWish?.rows?.range ?? 0..<0), past \(past), undecided \(feed.data.undecidedChanges)
      """
    }
  }

  /// The rows that are displayed move with their items (9.15).
  private func moveRows(to items: [Int], isPage: Bool) {
    let past = placed
    guard items != past else { return }
    placed = items
    if !isPage { screen.isOtherList = true }
    screen.moveRows { row in
      guard !past.isEmpty else { return nil }
      // Rows beyond an end move with the outermost one.
      let outermost = min(max(row, 0), past.count - 1)
      return items.firstIndex(of: past[outermost]).map { $0 + row - outermost }
    }
  }

  /// The list beside the server's: it has no hole, whatever is undecided, and what is not in doubt is equal.
  private func contentFault() -> String? {
    let list = feed.value?.items ?? []
    let items = list.map(\.id)
    guard let first = items.min(), let last = items.max() else { return nil }
    // What is removed on the server has no place there.
    let placed = items.filter { !isRemoved($0) }
    if placed != placed.sorted() { return "rows are not in order: \(items)" }
    let rows = server.rows(in: first...last).filter { server.isKnown($0.id) }
    if let hole = rows.first(where: { $0.id.isMultiple(of: 10) && !items.contains($0.id) && !isRemoved($0.id) }) {
      return "row \(hole) is missing: \(items)"
    }
    guard !feed.isStale, !feed.data.hasOpenChanges else { return nil }
    let known = list.filter { server.isKnown($0.id) }
    return known == rows ? nil : "the list is not that of the server, and not stale: \(known) instead of \(rows)"
  }

  private func requestFault(after event: Event) -> String? {
    if event.isAnswer { resting = [] }
    if let edge = event.failed { resting.insert(edge) }
    if event.isCancel { resting = [.next, .previous] }
    for edge in PageEdge.allCases {
      let count = begins[edge] ?? 0
      if count > 1 { return "\(count) requests of the \(edge) page" }
      let isByPerson = calls.contains { $0.edge == edge }
      if count > 0, !isNear(edge), !isByPerson { return "the \(edge) page is requested, and no one wants it" }
      if count > 0, resting.contains(edge), !isByPerson { return "the \(edge) page is requested, and rests" }
      if count > 0 { resting.remove(edge) }
    }
    if event.isReport || event.isCancel || event.failed != nil {
      for edge in PageEdge.allCases where !isNear(edge) { resting.remove(edge) }
    }
    for edge in PageEdge.allCases where isWanted(edge) && !feed.isRunning && !state(at: edge.opposite).isRunning {
      if !resting.contains(edge), !state(at: edge).isRunning { return "the \(edge) page is wanted, and not requested" }
    }
    if isWanted(.next), !state(at: .next).isRunning, feed.isPageResting != resting.contains(.next) {
      return "a footer would have the next page \(feed.isPageResting ? "at rest" : "on its way")"
    }
    return nil
  }

  private func state(at edge: PageEdge) -> PageState { edge == .next ? feed.nextPage : feed.previousPage }

  private func isNear(_ edge: PageEdge) -> Bool {
    guard let count = feed.value?.items.count else { return false }
    return screen.isNear(edge, count)
  }

  /// Where a change that is not decided, or lies above one, displays another list, a page would not be seen.
  private func isWanted(_ edge: PageEdge) -> Bool {
    guard isNear(edge), let list = feed.value, list.cursor(at: edge) != nil else { return false }
    return feed.data.valueBelowChanges?.origin === list.origin
  }

  // MARK: Rest

  /// Everything is answered, and drawn, until nothing follows any more: then what is wanted is there, or has failed.
  private func rest() async -> String? {
    if let fault = await step({
      await self.openGate(); return Event(name: "gate")
    }) {
      return "at rest, \(fault)"
    }
    var (isAtRest, wasRefreshed) = (false, false)
    for _ in 0..<400 where !isAtRest {
      for body in [pass, succeed] {
        if let fault = await step(body) { return "at rest, \(fault)" }
      }
      if let fault = await draw() { return "at rest, \(fault)" }
      isAtRest = server.waiting.isEmpty && clock.sleeperCount == 0 && !feed.isRunning
      // What is not known is requested again.
      if isAtRest, feed.isStale, wasRefreshed { return "at rest: the list is stale after a refresh" }
      if isAtRest, feed.isStale {
        feed.start()
        (isAtRest, wasRefreshed) = (false, true)
      }
    }
    if !isAtRest { return "no rest: \(feed.data)" }
    for call in calls { await call.task.value }
    for edge in PageEdge.allCases where isWanted(edge) && !resting.contains(edge) {
      return "at rest: the \(edge) page is wanted"
    }
    return nil
  }
}
