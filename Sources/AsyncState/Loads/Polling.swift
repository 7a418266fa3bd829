// SPDX-License-Identifier: MIT
extension AsyncData {
  /// Loads, waits, and loads again, until the interval is nil or the task is cancelled.
  ///
  /// Each load is a refresh, so the content stays visible. An error does not end the polling; the interval may.
  ///
  /// - Parameters:
  ///   - interval: The time to wait before the next load, counted from the end of the last request, those of others
  ///     included; less than zero is zero, and nil ends the polling. It is called with the snapshot after each load, and
  ///     where the time has come, but another request has ended meanwhile.
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
    isolation: isolated any Actor = #isolation,
    @_inheritActorContext(always) operation: sending @escaping () async throws -> Value?
  ) async {
    let turns = PollTurns(of: self, while: isWanted, on: isolation)
    guard await turns.begins(isolation: isolation) else { return }
    repeat {
      await load(
        .refresh, id: id, when: condition, options: options, isolation: isolation, operation: operation)
    } while await turns.continues(isolation: isolation, after: interval)
  }

  /// Loads, waits for a fixed time, and loads again, until the task is cancelled.
  ///
  /// Each load is a refresh, so the content stays visible. An error does not end the polling.
  ///
  /// - Parameters:
  ///   - interval: The time to wait before the next load, counted from the end of the last request, those of others
  ///     included; less than zero is zero.
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
    @_inheritActorContext(always) operation: sending @escaping () async throws -> Value?
  ) async {
    await poll(
      every: { _ in interval }, id: id, when: condition, options: options, while: isWanted, isolation: isolation,
      operation: operation)
  }
}

/// The turns of a poll: when each of its loads begins.
final class PollTurns<Value> {
  private let data: AsyncData<Value>
  /// Closed while no load is wanted.
  private let gate = LoadGate()
  private let token: ObservedToken?
  private var isRunning = false
  /// When the last request ended, those of others included.
  private var lastEnd = Duration.zero

  init(of data: AsyncData<Value>, while isWanted: Observed<Bool>?, on home: any Actor) {
    self.data = data
    token = isWanted.map { [gate] in gate.follow($0, on: home) }
    data.addObserver(self)
  }

  /// Suspends until a load is wanted, and no page request runs, which it would supersede.
  ///
  /// - Returns: Whether it may begin; false: the task was cancelled.
  func begins(isolation: isolated any Actor) async -> Bool {
    while true {
      await gate.pass(isolation: isolation)
      guard !Task.isCancelled else { return false }
      guard let page = data.state.core.order[.next] ?? data.state.core.order[.previous] else { return true }
      await page.waitWithoutInterest(isolation: isolation)
    }
  }

  /// A load has ended. Suspends until it is time for the next one: with every request that others make meanwhile, the pause
  /// begins again.
  ///
  /// - Parameter interval: The pause between the two; nil: there is no next one.
  /// - Returns: Whether there is a next one.
  func continues(isolation: isolated any Actor, after interval: (AsyncSnapshot<Value>) -> Duration?) async -> Bool {
    lastEnd = data.timeline.now
    var end: Duration
    repeat {
      end = lastEnd
      guard !Task.isCancelled, let pause = interval(data.facts) else { return false }
      guard (try? await data.timeline.sleep(until: end + pause.bounded)) != nil else { return false }
      guard await begins(isolation: isolation) else { return false }
    } while lastEnd != end
    return true
  }
}

extension PollTurns: AsyncDataObserver {
  func dataDidChange(forced: Bool) {
    if isRunning, !data.context.isRunning { lastEnd = data.timeline.now }
    isRunning = data.context.isRunning
  }

  func reloadRequested() -> Bool { false }
}
