// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting

/// Data with its delegate and observers, and with operations that obey, driven by commands.
@ModelActor
final class DataUnderTest {
  private let setup: DataSetup
  let clock = ManualClock()
  private var owned: AsyncData<[Int]>?
  private(set) weak var data: AsyncData<[Int]>?
  let ear = Ear()
  let operations = Operations()
  private var token: ObservedToken?
  /// What was recorded, if the setup has a journal.
  private(set) var journal: JournalAudit?

  private var handles: [LoadTask<[Int]>] = []
  private var pending: [PendingLoad<[Int]>] = []
  /// Who waits for a load; nil for the task of one that is not structured.
  private var waiting: [(task: Task<Void, Never>, isStructured: Bool)] = []
  private var mutations: [(task: Task<Void, Never>, gate: ManualServer<Verdict>)] = []
  /// A verdict for a commit that has not begun is for no one.
  private var begunCommits: Set<Int> = []
  private(set) var outcomes: [Int: DataOutcome] = [:]
  private(set) var mutationOutcomes: [Int: DataOutcome] = [:]

  init(_ setup: DataSetup) {
    self.setup = setup
    let data = AsyncData<[Int]>(
      seed: setup.seed, options: LoadOptions(staleAfter: setup.staleAfter.map(Self.ticks), clock: clock))
    data.delegate = ear
    token = data.observed.observe { [ear] in ear.observed.append(DataImage($0)) }
    owned = data
    self.data = data
    ear.act = { [unowned self] in act($0) }
    guard setup.hasJournal else { return }
    journal = JournalAudit(clock)
    journal?.journal.attach(data, name: "data")
  }

  private static func ticks(_ count: Int) -> Duration { .seconds(count) }

  // MARK: What is done

  func perform(_ command: DataCommand) async {
    ear.begin(command.inside)
    switch command.action {
    case .now(let actions): actions.forEach(act)
    case .load(let request, let inCancelledTask): load(request, inCancelledTask)
    case .order(let back, let order): await operations.give(order, back)
    case .cancelWaiting(let back): await cancelWaiting(back)
    case .mutate(let addend): mutate(addend)
    case .decide(let back, let verdict):
      let number = mutations.count - 1 - back
      if begunCommits.contains(number) { mutations[number].gate.answer(call: 1, with: .success(verdict)) }
    case .cancelMutation(let back): mutations.fromEnd(back)?.task.cancel()
    case .ticks(let count):
      for _ in 0..<count {
        await clock.advance(by: Self.ticks(1))
        await ModelActor.idle()
      }
    case .release: release()
    }
    await ModelActor.idle()
  }

  private func act(_ action: DataAction) {
    guard let data else { return }
    switch action {
    case .start(let request): start(request, data)
    case .begin(let mode): begin(mode, data)
    case .set(let value): data.value = value
    case .setError(let number): data.error = number.map(Trouble.init)
    case .reset: data.reset()
    case .invalidate: data.invalidate()
    case .cancel: data.cancel()
    case .cancelHandle(let back): handles.fromEnd(back)?.cancel()
    case .answerPending(let back, let value): pending.fromEnd(back)?.succeed(with: value)
    case .failPending(let back, let number): pending.fromEnd(back)?.fail(with: Trouble(number: number))
    }
  }

  private func start(_ request: LoadRequest, _ data: AsyncData<[Int]>) {
    let number = waiting.count
    // Its place is taken before an observer of the start starts something else.
    waiting.append((Task {}, false))
    let load = data.start(
      request.mode, id: request.id.map { AnyHashable($0) },
      options: LoadOptions(retry: policy(request), timeout: request.timeout.map(Self.ticks)),
      operation: operations.make(isDeaf: request.isDeaf))
    handles.append(load)
    waiting[number].task = ModelActor.task { [self] in outcomes[number] = DataOutcome(await load.outcome()) }
  }

  private func begin(_ mode: LoadMode, _ data: AsyncData<[Int]>) {
    let number = waiting.count
    waiting.append((Task {}, false))
    let load = data.begin(mode)
    pending.append(load)
    handles.append(load.task)
    waiting[number].task = ModelActor.task { [self, task = load.task] in
      outcomes[number] = DataOutcome(await task.outcome())
    }
  }

  private func load(_ request: LoadRequest, _ inCancelledTask: Bool) {
    guard let data else { return }
    let number = waiting.count
    let operation = operations.make(isDeaf: request.isDeaf)
    let task = ModelActor.task { [self] in
      if inCancelledTask { withUnsafeCurrentTask { $0?.cancel() } }
      let outcome = await data.load(
        request.mode, id: request.id.map { AnyHashable($0) },
        options: LoadOptions(retry: policy(request), timeout: request.timeout.map(Self.ticks)), operation: operation)
      outcomes[number] = DataOutcome(outcome)
    }
    waiting.append((task, true))
  }

  private func policy(_ request: LoadRequest) -> RetryPolicy {
    guard let backOff = request.backOff else { return .never }
    return RetryPolicy { failed in failed.count <= LoadRequest.retries ? .seconds(backOff) : nil }
  }

  private func cancelWaiting(_ back: Int) async {
    guard let one = waiting.fromEnd(back), one.isStructured else { return }
    one.task.cancel()
    // That it is cancelled may be noticed anywhere; but it ends.
    await one.task.value
  }

  private func mutate(_ addend: Int) {
    guard let data else { return }
    let number = mutations.count
    let gate = ManualServer<Verdict>()
    let task = ModelActor.task { [self] in
      // A result of the value's type, which is ignored all the same.
      let outcome = await data.mutate(
        { $0.append(addend) }, commit: { [self] in try await commit(number, gate).answer() })
      mutationOutcomes[number] = DataOutcome(outcome)
    }
    mutations.append((task, gate))
  }

  private func commit(_ number: Int, _ gate: ManualServer<Verdict>) async throws -> Verdict {
    begunCommits.insert(number)
    return try await gate.wait()
  }

  private func release() {
    let isWanted = waiting.indices.contains { waiting[$0].isStructured && outcomes[$0] == nil }
    if !isWanted && mutationOutcomes.count == mutations.count { owned = nil }
  }

  /// All operations have ended: call it when each has its command to end.
  func operationsEnd() async {
    await operations.end()
  }
}

extension Verdict {
  fileprivate func answer() throws -> [Int]? {
    switch self {
    case .confirm: return nil
    case .fail(let number): throw Trouble(number: number)
    case .giveUp: throw CancellationError()
    }
  }
}

/// Observes every change, and carries out commands inside notifications.
final class Ear: AsyncDataDelegate {
  private(set) var received: [Received] = []
  var observed: [DataImage] = []
  var act: (DataAction) -> Void = { _ in }
  private var inside: [Inside<DataAction>] = []

  func begin(_ inside: [Inside<DataAction>]) {
    received = []
    observed = []
    self.inside = inside
  }

  func asyncDataDidChange(_ data: AsyncData<[Int]>, forced: Bool) {
    let number = received.count
    received.append(Received(isForced: forced, image: DataImage(data.snapshot)))
    for one in inside where one.callback == number { act(one.action) }
  }
}

/// Operations that wait at gates for orders, and what they read and meet.
@ModelActor
final class Operations {
  /// One call of an operation.
  private final class Run {
    let gate: ManualServer<OperationOrder>
    var call = 0
    init(isDeaf: Bool) { gate = ManualServer(ignoresCancellation: isDeaf) }
  }

  private(set) var read: [[Int]?] = []
  private(set) var refusals = 0
  private var runs: [Run] = []
  private let census = Census()

  var count: Int { runs.count }

  func make(isDeaf: Bool) -> (LoadReporter<[Int]>) async throws -> [Int]? {
    let life = census.newLife()
    return { [unowned self] reporter in
      defer { withExtendedLifetime(life) {} }
      return try await run(reporter, isDeaf: isDeaf)
    }
  }

  private func run(_ reporter: LoadReporter<[Int]>, isDeaf: Bool) async throws -> [Int]? {
    let run = Run(isDeaf: isDeaf)
    runs.append(run)
    while true {
      run.call += 1
      let order = try await run.gate.wait()
      read.append(reporter.current)
      switch order {
      case .yield(let value): do { try reporter.yield(value) } catch { refusals += 1 }
      case .report(let progress): reporter.report(progress: progress)
      case .answer(let value): return value
      case .answerCurrent: return reporter.current
      case .fail(let number): throw Trouble(number: number)
      case .giveUp: throw CancellationError()
      }
    }
  }

  /// Gives an order, and waits until it has been carried out.
  func give(_ order: OperationOrder, _ back: Int) async {
    guard let run = runs.fromEnd(back) else { return }
    let call = run.call
    run.gate.answer(call: call, with: .success(order))
    await run.gate.ended(call)
  }

  /// All of them have ended: call it when each has its command to end.
  func end() async {
    await census.isEmpty()
  }
}
