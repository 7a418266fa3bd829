// SPDX-License-Identifier: MIT
/// The turns of a poll: it decides when each of its loads begins.
final class PollTurns<Value> {
  private let data: AsyncData<Value>
  /// Closed while no load is wanted.
  private let gate = LoadGate()
  private let token: ObservedToken?
  private var isRunning = false
  /// The time at which the last request ended, whether it was the poll's or another one.
  private var lastEnd = Duration.zero

  init(of data: AsyncData<Value>, while isWanted: Observed<Bool>?, on home: any Actor) {
    self.data = data
    token = isWanted.map { [gate] in gate.follow($0, on: home) }
    data.addObserver(self)
  }

  /// Suspends until a load is wanted and no page request runs, because the load would supersede it.
  ///
  /// - Returns: True if it may begin. False if the task was cancelled.
  func begins(isolation: isolated any Actor) async -> Bool {
    while true {
      await gate.pass(isolation: isolation)
      guard !Task.isCancelled else { return false }
      guard let page = data.state.core.order.running, page.edge != nil else { return true }
      await page.waitWithoutInterest(isolation: isolation)
    }
  }

  /// Suspends after the end of a load until the next one is due. The pause begins again with each request of another caller.
  ///
  /// - Parameter interval: The pause between the two; nil: there is no next one.
  /// - Returns: True if there is a next one.
  func continues(isolation: isolated any Actor, after interval: (AsyncSnapshot<Value>) -> Duration?) async -> Bool {
    lastEnd = data.timeline.now
    var end: Duration
    repeat {
      end = lastEnd
      // A load that requests nothing does not suspend, and a pause may be none.
      await letOthersRun(isolation: isolation)
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
