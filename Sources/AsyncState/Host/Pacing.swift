/// The pacing of one host: the machine with its alarm, and what is on show because of it.
@usableFromInline
final class Pacing<Value> {
  /// What is on show; nil: nothing yet.
  private(set) var displayed: AsyncStatus<Value>?

  private let scheduler: Scheduler
  private var machine: PacingMachine
  private var alarm: Scheduler.Entry?

  /// Whether a loading is wanted, and how often value and error had been written when it began to be.
  private var loadingSince: AsyncData<Value>.Revision?

  /// Something that is held was forced, and is not to be animated when it comes.
  private var holdsForced = false

  /// The alarm has rung, and what is wanted is to be shown now.
  private let onShow: (_ isForced: Bool) -> Void

  init(_ pacer: DisplayPacer, onShow: @escaping (_ isForced: Bool) -> Void) {
    scheduler = pacer.scheduler
    machine = PacingMachine(delay: pacer.delay, minimum: pacer.minimum)
    self.onShow = onShow
  }

  deinit {
    alarm.map(scheduler.cancel)
  }

  /// Whether a status may be shown now. If not, `onShow` is called when what is wanted then may be.
  @usableFromInline
  func admits(_ status: AsyncStatus<Value>, revision: AsyncData<Value>.Revision, isForced: Bool) -> Bool {
    let decision = want(status, revision)
    setAlarm()
    holdsForced = decision == .hold && (isForced || holdsForced)
    return decision == .show
  }

  /// A status is put on show.
  @usableFromInline
  func display(_ status: AsyncStatus<Value>) {
    displayed = status
  }

  private func want(_ status: AsyncStatus<Value>, _ revision: AsyncData<Value>.Revision) -> PacingMachine.Decision {
    guard status.kind == .loading else {
      // What nobody has written since the loading began was there before it.
      let isCancel = loadingSince == revision
      loadingSince = nil
      return machine.wantResult(isCancel: isCancel, at: scheduler.now)
    }
    if loadingSince == nil { loadingSince = revision }
    return machine.wantLoading(at: scheduler.now)
  }

  private func setAlarm() {
    alarm.take().map(scheduler.cancel)
    guard let deadline = machine.deadline else { return }
    alarm = scheduler.schedule(at: deadline) { [weak self] in self?.ring() }
  }

  private func ring() {
    alarm = nil
    guard machine.tick(at: scheduler.now) == .show else { return }
    let isForced = holdsForced
    holdsForced = false
    onShow(isForced)
  }
}
