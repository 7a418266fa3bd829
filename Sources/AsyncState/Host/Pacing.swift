/// The pacing of one display: the machine with its alarm.
///
/// It knows of a status only whether it is loading, and how often value and error were written by then.
@usableFromInline
final class Pacing {
  private let alarm: Alarm
  private var machine: PacingMachine

  /// The writes when a loading began to be wanted; nil while none is.
  private var writesBeforeLoading: DataRevision?

  /// A status that is held back was forced, and is not animated when it is displayed.
  private var holdsForced = false

  /// Displays what is wanted by now.
  private let display: (_ isForced: Bool) -> Void

  init(_ pacer: DisplayPacer, display: @escaping (_ isForced: Bool) -> Void) {
    alarm = Alarm(Timeline(pacer.clock))
    machine = PacingMachine(delay: pacer.delay, minimum: pacer.minimum)
    self.display = display
  }

  /// Whether a status may be displayed now. If not, `display` is called when what is wanted then may be.
  ///
  /// - Parameters:
  ///   - displayed: How often that was written which is displayed; nil if nothing is. What belongs to a former key must
  ///     not stay, so loading is displayed at once.
  ///   - actor: The actor that `display` is called on; nil if it is being deallocated, and nothing will be displayed.
  @usableFromInline
  func admits(
    isLoading: Bool, writes: DataRevision, isForced: Bool, displayed: DataRevision?, on actor: (any Actor)?
  ) -> Bool {
    let decision = want(isLoading, writes, displayed.map { $0.key == writes.key } ?? true)
    holdsForced = decision == .hold && (isForced || holdsForced)
    if let deadline = machine.deadline, let actor {
      alarm.set(at: deadline, on: actor) { [weak self] in self?.ring() }
    } else {
      alarm.cancel()
    }
    return decision == .display
  }

  private func want(_ isLoading: Bool, _ writes: DataRevision, _ mayHold: Bool) -> PacingMachine.Decision {
    guard isLoading else {
      // A result that was not written since the loading began was there before it.
      let isCancel = writesBeforeLoading == writes
      writesBeforeLoading = nil
      return machine.wantResult(isCancel: isCancel, at: alarm.now)
    }
    if writesBeforeLoading == nil { writesBeforeLoading = writes }
    return machine.wantLoading(mayHold: mayHold, at: alarm.now)
  }

  private func ring() {
    guard machine.tick(at: alarm.now) == .display else { return }
    let isForced = holdsForced
    holdsForced = false
    display(isForced)
  }
}
