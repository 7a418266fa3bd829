// SPDX-License-Identifier: MIT
/// The pacing of one display: the machine with its alarm.
final class Pacing {
  private let alarm: Alarm
  private var machine: PacingMachine

  /// The revision of the loading that is wanted, when its data last changed; nil while none is.
  private var revisionWhileLoading: DataRevision?

  /// True if a loading may be displayed, and is not yet, because the container is still in another step.
  private var awaitsDisplay = false

  /// True if a status that is held back was forced, and is not animated when it is displayed.
  private var holdsForced = false

  /// Is notified when the wanted status may be displayed, as if the data had changed.
  weak var display: (any AsyncDataObserver)?

  /// The actor that `display` is notified on; nil before there is a request, and while the actor is being deallocated.
  weak var home: (any Actor)?

  /// - Parameter timeline: Measures the times of a pacer without a clock.
  init(_ pacer: DisplayPacer, _ timeline: Timeline) {
    alarm = Alarm(pacer.clock.map(Timeline.init) ?? timeline)
    machine = PacingMachine(delay: pacer.delay, minimum: pacer.minimum)
  }

  /// Decides whether a status may be displayed now. If not, `display` is notified when the then wanted one may be.
  ///
  /// - Parameters:
  ///   - former: The status that is displayed; nil if none is.
  func decide(on mark: StatusMark, forced isForced: Bool, over former: StatusMark?) -> PacingMachine.Decision {
    let decision = want(mark, mayHold: former?.mayStay(with: mark) ?? true)
    holdsForced = decision == .hold && (isForced || holdsForced)
    if decision == .display {
      // A loading that waits for the container continues to wait, whatever its request reports.
      awaitsDisplay = mark.isLoading && (awaitsDisplay || former?.isLoading != true)
    }
    if let deadline = machine.deadline, let home {
      alarm.set(at: deadline, on: home) { [weak self] in self?.ring() }
    } else {
      alarm.cancel()
    }
    return decision
  }

  private func want(_ mark: StatusMark, mayHold: Bool) -> PacingMachine.Decision {
    guard mark.isLoading else {
      // The request has ended, or waits, without writing anything.
      let isCancel = revisionWhileLoading == mark.revision || !mark.isOutcome
      revisionWhileLoading = nil
      // An indicator that was never displayed does not have to stay.
      return machine.wantResult(isCancel: isCancel || awaitsDisplay, at: alarm.now)
    }
    revisionWhileLoading = mark.revision
    return mark.isExpected
      ? machine.expectLoading(mayHold: mayHold, at: alarm.now) : machine.wantLoading(mayHold: mayHold, at: alarm.now)
  }

  /// The admitted status is on the screen.
  func didDisplay() {
    guard awaitsDisplay else { return }
    awaitsDisplay = false
    machine.loadingIsDisplayed(at: alarm.now)
  }

  /// Measures the minimum of a loading that is displayed from now, because it is on the screen only now.
  func loadingIsDisplayed() {
    machine.loadingIsDisplayed(at: alarm.now)
    if let deadline = machine.deadline, let home { alarm.set(at: deadline, on: home) { [weak self] in self?.ring() } }
  }

  private func ring() {
    guard machine.tick(at: alarm.now) == .display else { return }
    let isForced = holdsForced
    holdsForced = false
    display?.dataDidChange(forced: isForced)
  }
}
