/// The pacing of one display: the machine with its alarm.
///
/// It knows of a status only whether it is loading, and how often value and error were written by then.
final class Pacing {
  private let alarm: Alarm
  private var machine: PacingMachine

  /// The revision when a loading began to be wanted; nil while none is.
  private var revisionBeforeLoading: DataRevision?

  /// A status that is held back was forced, and is not animated when it is displayed.
  private var holdsForced = false

  /// Displays what is wanted by now.
  var display: (_ isForced: Bool) -> Void = { _ in }

  init(_ pacer: DisplayPacer) {
    alarm = Alarm(Timeline(pacer.clock))
    machine = PacingMachine(delay: pacer.delay, minimum: pacer.minimum)
  }

  /// Whether a status may be displayed now. If not, `display` is called when what is wanted then may be.
  ///
  /// - Parameters:
  ///   - displayed: How often that was written which is displayed; nil if nothing is. What belongs to a former key must
  ///     not stay, so loading is displayed at once.
  ///   - actor: The actor that `display` is called on; nil if it is being deallocated, and nothing will be displayed.
  func admits(
    isLoading: Bool, revision: DataRevision, isForced: Bool, displayed: DataRevision?, on actor: (any Actor)?
  ) -> Bool {
    let decision = want(isLoading, revision, displayed.map { $0.key == revision.key } ?? true)
    holdsForced = decision == .hold && (isForced || holdsForced)
    if let deadline = machine.deadline, let actor {
      alarm.set(at: deadline, on: actor) { [weak self] in self?.ring() }
    } else {
      alarm.cancel()
    }
    return decision == .display
  }

  private func want(_ isLoading: Bool, _ revision: DataRevision, _ mayHold: Bool) -> PacingMachine.Decision {
    guard isLoading else {
      // A result that was not written since the loading began was there before it.
      let isCancel = revisionBeforeLoading == revision
      revisionBeforeLoading = nil
      return machine.wantResult(isCancel: isCancel, at: alarm.now)
    }
    if revisionBeforeLoading == nil { revisionBeforeLoading = revision }
    return machine.wantLoading(mayHold: mayHold, at: alarm.now)
  }

  private func ring() {
    guard machine.tick(at: alarm.now) == .display else { return }
    let isForced = holdsForced
    holdsForced = false
    display(isForced)
  }
}
