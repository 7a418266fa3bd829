// SPDX-License-Identifier: MIT
/// A performed input, for the calls that await it.
class PerformedInput<Output> {
  /// Its idempotency key.
  private(set) lazy var key = Self.makeKey()
  /// The outcome; nil until it has ended.
  private(set) var outcome: AsyncOutcome<Output>?
  /// True if it need not be stored any more before it may be sent.
  private(set) var isAccepted = true
  /// The calls that await its end, or that it is accepted.
  private var waiters = WaitingCalls<Never>()

  /// - Parameters:
  ///   - key: The key of an input that was performed before; nil: a new one.
  init(key: String? = nil) {
    if let key { self.key = key }
  }

  /// Notes that it must be stored before it may be sent.
  final func awaitAcceptance() {
    isAccepted = false
  }

  final func accept() {
    isAccepted = true
    waiters.takeAll().resume()
  }

  final func end(_ outcome: AsyncOutcome<Output>) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    waiters.takeAll().resume()
  }

  /// Suspends until it has ended.
  final func untilEnded(isolation: isolated (any Actor)?) async -> AsyncOutcome<Output> {
    while true {
      if let outcome { return outcome }
      await untilNextEvent(waiters.reserve(), isolation: isolation)
    }
  }

  /// Suspends until it was accepted, or has ended without that.
  final func untilAccepted(isolation: isolated (any Actor)?) async throws {
    while !isAccepted {
      if let outcome { return _ = try outcome.get() }
      await untilNextEvent(waiters.reserve(), isolation: isolation)
    }
  }

  /// - Parameter ticket: Reserved by the caller when it checked the state: the call of this method is itself a suspension in a
  ///   task that prefers an executor.
  private func untilNextEvent(_ ticket: Int, isolation: isolated (any Actor)?) async {
    await unsafe withUnsafeContinuation { unsafe waiters.wait(SuspendedCall($0), as: ticket) }
  }

  /// A UUID of version 4: most servers expect one as a key.
  private static func makeKey() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }
}

/// One performed input.
final class MutationRun<Input, Output>: PerformedInput<Output>, LaneItem, RoomBorrower {
  private(set) var input: Input
  /// The lane in which its mutation sends it; nil if that has only one.
  var lane: AnyHashable?
  /// The options with which it is sent; nil: those of the mutation.
  var options: LoadOptions?
  /// The data of its request while that runs.
  var request: AsyncData<Output>?
  /// Its request; nil until it has its turn.
  var load: Load<Output>?
  /// The mutation to notify of its request, if the request has data of its own.
  weak var mutation: AsyncMutation<Input, Output>?
  /// Its place in an outbox; nil without one.
  var place: OutboxPlace<Input, Output>?
  var rooms: [GateRoom] = []
  /// True if the operation was called.
  private(set) var hasBegun = false
  private var effects: [MutationEffect<Input, Output>] = []
  /// The end of the effects.
  private var effectsEnd: MutationEnd<Output>?

  init(_ input: Input, key: String? = nil) {
    self.input = input
    super.init(key: key)
  }

  /// Notes that it has its turn, and begins.
  func begin(_ load: Load<Output>) {
    self.load = load
    passOn(to: load)
  }

  /// Nil: its request has the position.
  var position: (any GatePosition)? { nil }

  var obstacles: [any RoomBorrower] {
    if let request = place?.request { return [request] }
    return load.map { [$0] } ?? []
  }

  /// True while it waits for its next attempt.
  var isPausing: Bool { load?.state.extras?.isPausing == true }
  /// The error of the last attempt of the request that runs.
  var lastFailure: (any Error)? { request?.context.activity?.lastFailure }

  /// True if its effects have ended, so that it must not be sent any more.
  var isOver: Bool { effectsEnd != nil }

  /// Adds an effect that has begun, to end it with the run.
  func begin(_ effect: MutationEffect<Input, Output>, in step: EarlyRound = EarlyRound()) {
    // An effect that began before may have called an observer, which has cancelled the run.
    if let effectsEnd { return effect.end(effectsEnd, step) }
    effects.append(effect)
    if hasBegun { effect.send(true) }
  }

  /// Notes that it is sent, perhaps once more.
  func noteSending() {
    guard !hasBegun else { return }
    hasBegun = true
    for effect in effects { effect.send(false) }
  }

  func endEffects(_ end: MutationEnd<Output>) {
    let step = EarlyRound()
    endEffects(end, in: step)
    step.finish()
  }

  /// The same as a part of a step: all changes of the step are settled before any observer of them is called.
  func endEffects(_ end: MutationEnd<Output>, in step: EarlyRound) {
    guard effectsEnd == nil else { return }
    effectsEnd = end
    let effects = effects
    self.effects = []
    for effect in effects { effect.end(end, step) }
  }

  /// Ends the effects of an input that is not wanted any more.
  func takeBackEffects() { endEffects(hasBegun ? .givenUp : .withdrawn) }

  /// Replaces the input by another one, which is sent and displayed in its place.
  func rewrite(as input: Input) {
    let step = EarlyRound()
    rewrite(as: input, in: step)
    step.finish()
  }

  /// The same as a part of a step.
  func rewrite(as input: Input, in step: EarlyRound) {
    self.input = input
    for effect in effects { effect.rewrite(input, step) }
  }

  /// The operation of its request.
  func sending(
    _ operation: @escaping (Input, MutationReporter) async throws -> Output
  ) -> (LoadReporter<Output>) async throws -> Output? {
    { reporter in
      self.noteSending()
      do {
        return try await operation(self.input, MutationReporter(self.key, reporter))
      } catch {
        throw CommandInterruptedError.of(error)
      }
    }
  }

  /// Ends the effects and the run after its request.
  func endWithRequest() {
    switch load?.ending {
    case .answered?:
      guard let output = load?.answer else { preconditionFailure("An operation that has answered has an output.") }
      endEffects(.succeeded(output))
      end(.success(output))
    case .failed(let error)?:
      endEffects(.failed(error))
      end(.failure(error))
    case .ended(.superseded)?: giveUp(.superseded)
    case .ended(.cancelled)?, .fresh?, nil: giveUp(.cancelled)
    }
  }

  /// Ends it without an answer: it was never sent, or its answer is not awaited any more.
  func giveUp(_ outcome: AsyncOutcome<Output> = .cancelled) {
    takeBackEffects()
    end(outcome)
  }
}

extension MutationRun: AsyncDataObserver {
  func dataDidChange(forced: Bool) { mutation?.requestDidChange(of: self) }

  func reloadRequested() -> Bool { false }
}
