// SPDX-License-Identifier: MIT
/// How a performed input has ended, for what follows from it.
enum MutationEnd<Output> {
  case succeeded(Output)
  case failed
  /// It was sent, and given up before the answer: the server may have done it.
  case unknown
  /// It was never sent.
  case withdrawn
}

/// A performed input, for those who await it.
class PerformedInput<Output> {
  /// Its idempotency key.
  private(set) lazy var key = Self.makeKey()
  /// How it has ended; nil until then.
  private(set) var outcome: MutationOutcome<Output>?
  /// Nothing has to be stored any more before it may be sent.
  private(set) var isAccepted = true
  /// The calls that await its end, or that it is accepted.
  private var waiters = WaitingCalls<Never>()

  /// - Parameters:
  ///   - key: The key of an input that was performed before; nil: a new one.
  init(key: String? = nil) {
    if let key { self.key = key }
  }

  /// It has to be stored before it may be sent.
  final func awaitAcceptance() {
    isAccepted = false
  }

  final func accept() {
    isAccepted = true
    waiters.takeAll().resume()
  }

  final func end(_ outcome: MutationOutcome<Output>) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    waiters.takeAll().resume()
  }

  /// Suspends until it has ended.
  final func untilEnded(isolation: isolated any Actor) async -> MutationOutcome<Output> {
    while true {
      if let outcome { return outcome }
      await untilNextEvent(waiters.reserve(), isolation: isolation)
    }
  }

  /// Suspends until it was accepted, or has ended without that.
  final func untilAccepted(isolation: isolated any Actor) async throws {
    while !isAccepted {
      if let outcome { return _ = try outcome.get() }
      await untilNextEvent(waiters.reserve(), isolation: isolation)
    }
  }

  /// - Parameter ticket: Reserved by the caller where it looked what has happened: the call of this method is itself a
  ///   suspension in a task that prefers an executor.
  private func untilNextEvent(_ ticket: Int, isolation: isolated any Actor) async {
    await unsafe withUnsafeContinuation { unsafe waiters.wait(SuspendedCall($0), as: ticket) }
  }

  /// A UUID of version 4, which is what most servers expect of a key.
  private static func makeKey() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }
}

/// One performed input.
final class MutationRun<Input, Output>: PerformedInput<Output> {
  let input: Input
  /// The request of a mutation without an outbox; nil until it has its turn.
  var load: Load<Output>?
  /// Where it is in an outbox; nil without one.
  var place: OutboxPlace<Output>?
  /// The operation was called.
  private(set) var hasBegun = false
  private var effects: [(MutationEnd<Output>) -> Void] = []
  /// How the effects have ended.
  private var end: MutationEnd<Output>?

  init(_ input: Input, key: String? = nil) {
    self.input = input
    super.init(key: key)
  }

  /// Its effects have ended, so it is not to be sent any more.
  var isOver: Bool { end != nil }

  /// An effect has begun, and is to be ended with the run.
  func begin(_ effect: @escaping (MutationEnd<Output>) -> Void) {
    // What began before may have called an observer, which has cancelled the run.
    if let end { effect(end) } else { effects.append(effect) }
  }

  func endEffects(_ end: MutationEnd<Output>) {
    guard self.end == nil else { return }
    self.end = end
    let effects = effects
    self.effects = []
    for effect in effects { effect(end) }
  }

  /// The operation of a request.
  ///
  /// - Parameter mayBegin: Called before each attempt; false: the request is given up.
  func sending(
    _ operation: @escaping (Input, MutationReporter) async throws -> Output, _ mayBegin: @escaping () -> Bool = { true }
  ) -> (LoadReporter<Output>) async throws -> Output? {
    { reporter in try await self.send(by: operation, mayBegin, reporter) }
  }

  private func send(
    by operation: (Input, MutationReporter) async throws -> Output, _ mayBegin: () -> Bool,
    _ reporter: LoadReporter<Output>
  ) async throws -> Output? {
    guard mayBegin() else { throw CancellationError() }
    hasBegun = true
    return try await operation(input, MutationReporter(key, reporter))
  }

  /// Its request has ended: so do the effects, and it.
  func end(with ending: LoadEnding?) {
    switch ending {
    case .answered?:
      guard let output = load?.answer else { preconditionFailure("An operation that has answered has an output.") }
      endEffects(.succeeded(output))
      end(.success(output))
    case .failed(let error)?:
      endEffects(error is LoadTimeout ? .unknown : .failed)
      end(.failure(error))
    case .ended(.superseded)?: giveUp(.superseded)
    case .ended(.cancelled)?, .fresh?, nil: giveUp(.cancelled)
    }
  }

  /// It ends without an answer: it was never sent, or its answer is not awaited any more.
  func giveUp(_ outcome: MutationOutcome<Output> = .cancelled) {
    endEffects(hasBegun ? .unknown : .withdrawn)
    end(outcome)
  }
}
