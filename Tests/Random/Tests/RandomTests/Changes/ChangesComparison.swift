// SPDX-License-Identifier: MIT
import AsyncState

/// One value with changes on it, beside a server that counts them. At rest the displayed value is that of the server, or stale.
@ModelActor
final class ChangesComparison: Comparison {
  struct Setup {
    /// Without one there is nothing to change at first.
    let hasValue: Bool
    /// The one that sends the changes of the title, in order.
    let titles: ChangesCommand.Way
  }

  /// What was found in all sequences.
  struct Figures {
    var rests = 0
    var stale = 0
    /// Stale, and right.
    var needless = 0
    var requests = 0
  }

  /// A change that has not ended.
  private struct Open {
    let change: SentChange
    let isCall: Bool
    let cancel: () -> Void
  }

  static let name = "changes"
  static var figures = Figures()

  private let setup: Setup
  private let server = ChangesServer()
  private let resource: AsyncResource<VersionedPage>
  private let plain: AsyncMutation<SentChange, Int>
  private let confirming: AsyncMutation<SentChange, Int>
  private var open: [Open] = []
  private var count = 0

  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(hasValue: Bool.random(using: &random), titles: Bool.random(using: &random) ? .mutation : .confirming)
  }
  static func command(using random: inout SeededGenerator) -> ChangesCommand { .random(using: &random) }
  static func simpler(than command: ChangesCommand) -> [ChangesCommand] { command.simpler }

  init(_ setup: Setup) {
    self.setup = setup
    let server = server
    let resource = AsyncResource<VersionedPage>(isolation: ModelActor.shared) { .value { try await server.read() } }
    self.resource = resource
    func mutation() -> AsyncMutation<SentChange, Int> {
      AsyncMutation(isolation: ModelActor.shared, overlap: .queue, lane: { $0.setsTitle }) {
        try await server.write($0)
      }
    }
    plain = mutation().changing({ _ in resource }) { $1.make(in: &$0) }
    confirming = mutation().changing({ _ in resource }) {
      $1.make(in: &$0)
    } confirming: { page, change, _ in
      if !page.rows.contains(change.number) { change.make(in: &page) }
    }
    if setup.hasValue { resource.receive(server.page) }
  }

  func perform(_ command: ChangesCommand) async -> String? {
    await act(command)
    await ModelActor.idle()
    return difference()
  }

  /// Everything is done and answered; then a value that is stale is requested, and is right.
  func finish() async -> String? {
    defer { Self.figures.requests += server.requestCount }
    for _ in 0..<2 {
      while !server.requests.isEmpty {
        for request in server.sent { server.do(request) }
        for request in server.done { await server.end(request, .answered) }
        await ModelActor.idle()
      }
      if let difference = difference() { return difference }
      guard open.isEmpty, !resource.isRunning else {
        return "no rest: \(resource.data), \(open.count) changes are open"
      }
      if resource.isStale { resource.start() }
      await ModelActor.idle()
    }
    return resource.isStale ? "stale after a load at rest" : nil
  }

  // MARK: What happens

  private func act(_ command: ChangesCommand) async {
    switch command {
    case .change(let way, let setsTitle): change(by: way, setsTitle: setsTitle)
    case .load: resource.start()
    case .refresh: resource.refresh()
    case .cancelLoad: resource.cancel()
    case .invalidate: resource.invalidate()
    case .does(let place): if let request = server.sent.fromEnd(cycling: place) { server.do(request) }
    case .answer(let place):
      if let request = server.done.fromEnd(cycling: place) { await server.end(request, .answered) }
    case .lose(let place):
      guard let request = server.requests.fromEnd(cycling: place) else { return }
      if !request.isGivenUp || request.answer == nil { await server.end(request, .lost) }
    case .cancel(let place): if let change = open.fromEnd(cycling: place) { takeBack(change) }
    case .update(let setsTitle):
      let change = next(setsTitle: setsTitle)
      server.make(change)
      resource.update { change.make(in: &$0) }
    case .push: resource.receive(server.page)
    case .set: resource.data.value = server.page
    case .forget: resource.forget()
    }
  }

  private func next(setsTitle: Bool) -> SentChange {
    count += 1
    return SentChange(number: count, setsTitle: setsTitle)
  }

  private func change(by way: ChangesCommand.Way, setsTitle: Bool) {
    let (server, resource) = (server, resource)
    let setsTitle = setsTitle && way == setup.titles
    switch way {
    case .call:
      let change = next(setsTitle: false)
      let task = ModelActor.task { [self] in
        await resource.mutate(isolation: ModelActor.shared) {
          change.make(in: &$0)
        } commit: {
          try await server.write(change)
        }
        ended(change)
      }
      open.append(Open(change: change, isCall: true) { task.cancel() })
    case .mutation: perform(next(setsTitle: setsTitle), by: plain)
    case .confirming: perform(next(setsTitle: setsTitle), by: confirming)
    }
  }

  private func perform(_ change: SentChange, by mutation: AsyncMutation<SentChange, Int>) {
    let input = mutation.perform(change, isolation: ModelActor.shared)
    open.append(Open(change: change, isCall: false) { input.cancel() })
    ModelActor.task { [self] in
      await input.outcome()
      ended(change)
    }
  }

  private func takeBack(_ one: Open) {
    // A call waits for its answer; of an input nothing but the answer says any more that it was done.
    if !one.isCall { server.request(of: one.change.number)?.isGivenUp = true }
    one.cancel()
  }

  private func ended(_ change: SentChange) { open.removeAll { $0.change == change } }

  // MARK: What must hold

  private func difference() -> String? {
    guard open.isEmpty, server.requests.isEmpty, !resource.isRunning else { return nil }
    if resource.data.hasPendingChanges { return "a change is pending, and none is on its way" }
    let isRight = resource.value.map { $0.isSame(as: server.page) } ?? false
    Self.figures.rests += 1
    if resource.isStale { Self.figures.stale += 1 }
    if resource.isStale, isRight { Self.figures.needless += 1 }
    if resource.isStale || isRight { return nil }
    return "fresh and wrong: \(String(describing: resource.value)), and the server has \(server.page)"
  }
}
