// SPDX-License-Identifier: MIT
/// A performed input, for the calls that await it.
class PerformedInput<Output>: AwaitedOutcome<Output> {
  /// Its idempotency key.
  fileprivate(set) lazy var key = Self.makeKey()
  /// True if it need not be stored any more before it may be sent.
  private(set) var isAccepted = true

  /// - Parameters:
  ///   - key: The key of an input that was performed before; nil: a new one.
  init(key: String? = nil) {
    super.init()
    if let key { self.key = key }
  }

  /// Notes that it must be stored before it may be sent.
  final func awaitAcceptance() {
    isAccepted = false
  }

  final func accept() {
    isAccepted = true
    resumeCalls()
  }

  /// Suspends until it was accepted, or has ended without that.
  final func untilAccepted(isolation: isolated (any Actor)?) async throws {
    while !isAccepted {
      if let outcome { return _ = try outcome.get() }
      await untilNextEvent(reserve(), isolation: isolation)
    }
  }

  /// A UUID of version 4: most servers expect one as a key.
  private static func makeKey() -> String {
    let first = UInt64.random(in: .min ... .max) & 0xffff_ffff_ffff_0fff | 0x4000
    let second = UInt64.random(in: .min ... .max) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    return String(hexadecimal: first, second)
  }
}

extension String {
  /// The 32 digits of two numbers, in the groups of a UUID.
  // Justified: each of the 36 characters is written before the string is made of them. With arrays of digits a key takes 29 % of
  // the instructions of a command. Noticed: 16.10 "a key is a UUID of version 4".
  fileprivate init(hexadecimal first: UInt64, _ second: UInt64) {
    unsafe self.init(unsafeUninitializedCapacity: 36) { characters in
      var place = 0
      for part in 0..<2 {
        var number = part == 0 ? first : second
        for _ in 0..<16 {
          if place == 8 || place == 13 || place == 18 || place == 23 {
            unsafe characters[place] = UInt8(ascii: "-")
            place += 1
          }
          let value = UInt8(truncatingIfNeeded: number >> 60)
          unsafe characters[place] = value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
          number <<= 4
          place += 1
        }
      }
      return 36
    }
  }
}

/// Displays what becomes of the inputs that have their turn, and ends them.
protocol MutationSender<Input, Output>: AnyObject {
  associatedtype Input
  associatedtype Output

  /// - Parameter isDisplayed: True if the status of the input is another one.
  func phaseDidChange(of run: MutationRun<Input, Output>, by event: MutationEvent, isDisplayed: Bool)

  /// Does nothing the second time.
  func end(_ run: MutationRun<Input, Output>, _ outcome: AsyncOutcome<Output>)
}

/// One performed input, and its attempts.
final class MutationRun<Input, Output>: PerformedInput<Output>, Requester, RankedInput {
  private(set) var input: Input
  /// The lane in which its mutation sends it; nil if that has only one.
  var lane: AnyHashable?
  /// Its place among the inputs of its command, if that displays changes. A retry has that of what has failed.
  var rank: Rank?
  /// The mutation that sends it, from its turn to its end.
  weak var sender: (any MutationSender<Input, Output>)?
  /// The task that sends it; nil until it has its turn.
  var task: Task<Void, Never>?
  /// What it waits for, or does, from its turn to its end.
  private(set) var phase = MutationPhase.sending(progress: nil)
  /// Its place in an outbox; nil without one.
  var place: OutboxPlace<Input, Output>?
  var attempts = Attempts()
  /// True if the operation was called, perhaps by a previous launch or for an equal input.
  private(set) var hasBegun: Bool
  /// True from the first call of the operation for this one, until it waits to be sent once more.
  private var isBeingSent = false
  /// True if it must not be sent any more.
  private(set) var isOver = false
  private var effects: [MutationEffect<Input, Output>] = []
  /// The effects that have ended without a success after the input was sent: it may be carried out all the same.
  private var ended: [MutationEffect<Input, Output>] = []
  /// The end of the effects.
  private var effectsEnd: MutationEnd<Output>?

  /// - Parameters:
  ///   - key: The key of an input that was performed before; nil: a new one.
  ///   - isSentBefore: True if that was sent, so that the server may have done it.
  init(_ input: Input, key: String? = nil, isSentBefore: Bool = false) {
    self.input = input
    hasBegun = isSentBefore
    super.init(key: key)
  }

  /// Takes the key of an equal input that the server may have done.
  func repeats(_ former: MutationRun) {
    key = former.key
    noteSentBefore()
  }

  /// Notes that it may have been sent before, by a previous launch or for an equal input.
  func noteSentBefore() {
    hasBegun = true
    for effect in effects { effect.send(true) }
  }

  /// A run of a mutation as one of this type.
  // Justified: a mutation has only runs of its own type in its lanes. A checked cast looks up generic metadata at each use.
  // Noticed: every test of mutations, because debug builds check the cast.
  @inline(__always)
  static func known(_ run: AnyObject) -> MutationRun { unsafe unsafeDowncast(run, to: MutationRun.self) }

  /// Lets it pass the width of these gates, because operations inside await it.
  func pass(_ gates: [LoadGate]) {
    guard !isOver, !gates.isEmpty else { return }
    attempts.pass(gates)
    place?.request?.pass(gates)
  }

  /// True if it waits for its turn, its delay, or, before the first attempt, its gate.
  var isReplaceable: Bool {
    if task == nil { return true }
    switch phase {
    case .delayed, .queued, .waitingForNetwork: return !isBeingSent
    case .sending, .retrying: return false
    }
  }

  /// True while it waits for another attempt.
  var isPausing: Bool { if case .retrying = phase { true } else { false } }
  /// The error of the last attempt.
  var lastFailure: (any Error)? { attempts.failed.lastError }

  /// True if the server may have done it, although it has ended without an answer.
  func mayBeDone(after outcome: AsyncOutcome<Output>) -> Bool { hasBegun && outcome.isWithoutAnswer }

  // MARK: Sending

  /// Sends it in its turn, with all attempts.
  func send(
    by policy: RequestPolicy?, on timeline: Timeline, after delay: Duration?,
    _ operation: @escaping (Input, MutationReporter) async throws -> Output, isolation: isolated any Actor
  ) async -> AsyncOutcome<Output> {
    do {
      if let delay { try await timeline.sleep(until: timeline.now + delay.bounded) }
      guard isWanted else { return .cancelled }
      return .success(
        try await tries(by: policy, on: timeline, isolation: isolation, attempt(policy, operation)))
    } catch {
      return isWanted ? .failure(error) : .cancelled
    }
  }

  // A function of its own: a closure in a function with an isolated parameter does not run on its caller's actor.
  private func attempt(
    _ policy: RequestPolicy?, _ operation: @escaping (Input, MutationReporter) async throws -> Output
  ) -> () async throws -> Output {
    // With its type, and without a capture list: otherwise the closure would be called on no actor.
    let attempt: () async throws -> Output = {
      guard self.isWanted else { throw CancellationError() }
      self.noteSending()
      do {
        let output = try await operation(self.input, MutationReporter(self.key, self.report))
        self.noteCarriedOut(output)
        return output
      } catch {
        throw RequestInterruptedError.of(error)
      }
    }
    return policy?.intercepting(attempt) ?? attempt
  }

  /// False: its operation is not called any more.
  var isWanted: Bool { !isOver }

  func take(_ note: AttemptNote) {
    switch note {
    case .waits(.closed): move(to: .waitingForNetwork, .waits)
    case .waits(.full): move(to: .queued, .queued)
    case .begins: move(to: .sending(progress: nil), .sent)
    case .failed(let error): move(to: .retrying(error), .retries(failures: attempts.failed.count, error))
    }
  }

  func report(_ progress: Double?) {
    let progress = progress.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    guard !isOver, case .sending(let former) = phase, progress != former else { return }
    move(to: .sending(progress: progress), .progressed(progress))
  }

  func timeIsOver(hasGateClosed: Bool) { RunningOperation.outside { sender?.end(self, .failure(LoadTimeoutError())) } }

  /// The first phase, in its turn.
  func begin(_ phase: MutationPhase) { self.phase = phase }

  private func move(to phase: MutationPhase, _ event: MutationEvent) {
    let isDisplayed = !phase.isEqual(to: self.phase)
    self.phase = phase
    RunningOperation.outside { sender?.phaseDidChange(of: self, by: event, isDisplayed: isDisplayed) }
  }

  /// Sends it no more: whatever its task returns is ignored.
  func close() {
    isOver = true
    sender = nil
    attempts.end()?.cancel()
    task?.cancel()
  }

  /// Notes that it is sent, perhaps once more.
  func noteSending() {
    guard !isBeingSent else { return }
    isBeingSent = true
    hasBegun = true
    for effect in effects { effect.send(false) }
  }

  var hasTurn: Bool { task != nil || place?.request != nil }

  /// Notes that it has ended without an answer, and waits for its turn once more.
  func noteWaiting() {
    isBeingSent = false
    EarlyRound.within(nil) { step in for effect in effects { effect.wait(step) } }
  }

  // MARK: Effects

  /// Adds an effect that has begun, to end it with the run.
  func begin(_ effect: MutationEffect<Input, Output>, in step: EarlyRound = EarlyRound()) {
    // An effect that began before may have called an observer, which has cancelled the run.
    if let effectsEnd { return effect.end(effectsEnd, step) }
    effects.append(effect)
    if hasBegun { effect.send(true) }
  }

  /// - Parameter step: All changes of the step are settled before any observer of them is called; nil: one of its own.
  func endEffects(_ end: MutationEnd<Output>, in step: EarlyRound? = nil) {
    guard effectsEnd == nil else { return }
    effectsEnd = end
    isOver = true
    let effects = effects
    self.effects = []
    if hasBegun, !end.isSuccess { ended = effects }
    EarlyRound.within(step) { step in for effect in effects { effect.end(end, step) } }
  }

  /// Notes that the operation has succeeded. If it was given up before, the server has done it all the same.
  func noteCarriedOut(_ output: Output) {
    guard isOver else { return }
    let ended = ended
    self.ended = []
    for effect in ended { effect.carriedOut(output) }
  }

  /// Ends the effects of an input that is not wanted any more.
  func takeBackEffects() { endEffects(end(for: .cancelled)) }

  /// Replaces the input by another one, which is sent and displayed in its place.
  func rewrite(as input: Input, in step: EarlyRound? = nil) {
    self.input = input
    EarlyRound.within(step) { step in for effect in effects { effect.rewrite(input, step) } }
  }

  /// The end of its effects.
  func end(for outcome: AsyncOutcome<Output>) -> MutationEnd<Output> {
    switch outcome {
    case .success(let output): .succeeded(output)
    case .failure(let error): .failed(error)
    case .cancelled, .superseded, .notRequested: hasBegun ? .givenUp : .withdrawn
    }
  }

  /// Ends it without an answer: it was never sent, or its answer is not awaited any more.
  func giveUp(_ outcome: AsyncOutcome<Output> = .cancelled) {
    takeBackEffects()
    end(outcome)
  }
}

extension AsyncOutcome {
  /// True if it does not say what the server has done.
  fileprivate var isWithoutAnswer: Bool {
    switch self {
    case .success: false
    case .failure(let error): error is LoadTimeoutError || error is RequestInterruptedError
    case .cancelled, .superseded, .notRequested: true
    }
  }
}
