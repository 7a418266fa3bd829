// SPDX-License-Identifier: MIT
extension AsyncData {
  /// Loads, waits, and loads again, until the interval is nil or the task is cancelled.
  ///
  /// Each load is a refresh, so the content stays visible. An error does not end the polling; the interval may.
  ///
  /// - Parameters:
  ///   - interval: The time to wait before the next load, counted from the end of the last one; less than zero is zero,
  ///     and nil ends the polling. It is called with the snapshot after each load.
  ///   - id: Names the request. A running load with an equal one is joined.
  ///   - condition: When to call the operation at all.
  ///   - options: Retries, timeout and interceptors of each load; nil: those of the data.
  ///   - isWanted: While it does not hold, as while no screen displays the value, no further load begins; nil: it always
  ///     holds. When it holds again, the next load begins, if its time has come.
  ///   - isolation: The actor of the data.
  ///   - operation: Returns the value; nil: there is no data.
  public func poll(
    every interval: @escaping (AsyncSnapshot<Value>) -> Duration?, id: LoadID? = nil,
    when condition: LoadCondition = .always, options: LoadOptions? = nil, while isWanted: Observed<Bool>? = nil,
    isolation: isolated any Actor = #isolation, operation: @escaping () async throws -> Value?
  ) async {
    let turns = PollTurns(timeline, while: isWanted, on: isolation)
    while await turns.begins(isolation: isolation) {
      await load(
        .refresh, id: id, when: condition, options: options, isolation: isolation, operation: operation)
      guard await turns.continues(isolation: isolation, after: { interval(facts) }) else { return }
    }
  }

  /// Loads, waits for a fixed time, and loads again, until the task is cancelled.
  ///
  /// Each load is a refresh, so the content stays visible. An error does not end the polling.
  ///
  /// - Parameters:
  ///   - interval: The time to wait before the next load, counted from the end of the last one; less than zero is zero.
  ///   - id: Names the request. A running load with an equal one is joined.
  ///   - condition: When to call the operation at all.
  ///   - options: Retries, timeout and interceptors of each load; nil: those of the data.
  ///   - isWanted: While it does not hold, as while no screen displays the value, no further load begins; nil: it always
  ///     holds. When it holds again, the next load begins, if its time has come.
  ///   - isolation: The actor of the data.
  ///   - operation: Returns the value; nil: there is no data.
  public func poll(
    every interval: Duration, id: LoadID? = nil, when condition: LoadCondition = .always,
    options: LoadOptions? = nil, while isWanted: Observed<Bool>? = nil, isolation: isolated any Actor = #isolation,
    operation: @escaping () async throws -> Value?
  ) async {
    await poll(
      every: { _ in interval }, id: id, when: condition, options: options, while: isWanted, isolation: isolation,
      operation: operation)
  }
}

/// The turns of a poll: when each of its loads begins.
final class PollTurns {
  private let timeline: Timeline
  /// Closed while no load is wanted.
  private let gate = LoadGate()
  private let token: ObservedToken?

  init(_ timeline: Timeline, while isWanted: Observed<Bool>?, on home: any Actor) {
    self.timeline = timeline
    token = isWanted.map { [gate] in gate.follow($0, on: home) }
  }

  /// Suspends until a load is wanted.
  ///
  /// - Returns: Whether it may begin; false: the task was cancelled.
  func begins(isolation: isolated any Actor) async -> Bool {
    await gate.pass(isolation: isolation)
    return !Task.isCancelled
  }

  /// A load has ended. Suspends until it is time for the next one.
  ///
  /// - Parameter interval: The pause between the two; nil: that load was the last.
  /// - Returns: Whether there is a next one.
  func continues(isolation: isolated any Actor, after interval: () -> Duration?) async -> Bool {
    let end = timeline.now
    guard !Task.isCancelled, let pause = interval() else { return false }
    return (try? await timeline.sleep(until: end + pause.bounded)) != nil
  }
}
