// What a container and its host do, as entries.

/// Records what becomes of a container, and of the host that it belongs to.
final class ContainerProbe: ContainerHook {
  private let link: JournalProbe
  private let readAppearance: () -> Appearance
  /// The state that a transition leads to as it begins, or the one that it has left as it ends.
  private let otherState: (_ isBeginning: Bool) -> String
  private let childName: (any ChildController) -> String

  private var appearance: Appearance
  /// The number of the last status of the host.
  private var status = 0
  /// The times of the last statuses, at most one more than the limit.
  private var statusTimes: [Duration] = []
  private var warning = 0
  /// What led to the request that waits, and to the life-cycle calls that wait.
  private var causeOfRequest = 0
  private var causesOfCalls = WaitingLine<Int>()
  /// What led to the step that is carried out, if it has waited.
  private var causeOfStep = 0
  /// The life-cycle call that is carried out; zero if there is none.
  private var lifecycle = 0
  /// How many notifications were under way before the step; nil between steps.
  private var height: Int?

  init(
    _ link: JournalProbe, isTransitioning: Bool, appearance: @escaping () -> Appearance,
    otherState: @escaping (_ isBeginning: Bool) -> String,
    childName: @escaping (any ChildController) -> String
  ) {
    self.link = link
    readAppearance = appearance
    self.appearance = appearance()
    self.otherState = otherState
    self.childName = { StateJournal.text(of: childName($0)) }
    super.init()
    let number = link.note(.attached(nil))
    if isTransitioning { link.opened.transition = number }
  }

  func retire() {
    link.retire()
  }

  // MARK: Steps

  override func carryOut(_ body: () -> Void) {
    guard let journal = link.journal else { return body() }
    let former = height
    let outside = journal.openCount
    height = outside
    body()
    noteAppearance()
    journal.endNotifying(to: outside)
    height = former
    causeOfStep = 0
    lifecycle = 0
  }

  override func willNotify(of event: ContainerEvent) {
    noteAppearance()
    switch event {
    case .states(.announce(let animated)):
      // A host leads its container to its statuses, if need be later.
      link.opened.transition = note(.willTransition(otherState(true), animated: animated), because: status)
    case .states(.conclude(let animated)):
      note(.didTransition(otherState(false), animated: animated), ends: link.opened.transition)
      link.opened.transition = 0
    case .states, .animate: break
    case .willAppear(let child, _): note(.childWillAppear(childName(child)))
    case .didAppear(let child, _): note(.childDidAppear(childName(child)))
    case .willDisappear(let child, _): note(.childWillDisappear(childName(child)))
    case .didDisappear(let child, _): note(.childDidDisappear(childName(child)))
    case .didArrange(let children): note(.arranged(children.map(childName)))
    }
  }

  private func noteAppearance() {
    guard readAppearance() != appearance else { return }
    appearance = readAppearance()
    lifecycle = note(.appearance(appearance), isFirst: true)
  }

  /// Adds an entry. Until the next one, whatever is called was led to by it.
  ///
  /// - Parameters:
  ///   - cause: The cause; zero if it is the step's.
  ///   - isFirst: It is led to by what has led to the step. Others are led to by the transition or the life-cycle call.
  @discardableResult
  private func note(
    _ event: StateJournal.Event, ends: Int = 0, because cause: Int = 0, isFirst: Bool = false
  ) -> Int {
    guard let journal = link.journal, let height else { return 0 }
    journal.endNotifying(to: height)
    let begun = isFirst ? nil : link.opened.transition.nonZero ?? lifecycle.nonZero
    let led = cause.nonZero ?? begun ?? causeOfStep.nonZero ?? journal.currentCause
    let number = link.note(event, ends: ends, because: led)
    _ = journal.beginNotifying(of: number)
    return number
  }

  // MARK: Waiting

  override func willWait(_ step: WaitingStep) {
    let cause = link.journal?.currentCause ?? 0
    switch step {
    case .request: causeOfRequest = cause
    case .call: causesOfCalls.append(cause)
    }
  }

  override func didWait(_ step: WaitingStep) {
    switch step {
    case .request: causeOfStep = causeOfRequest
    case .call: causeOfStep = causesOfCalls.takeFirst() ?? 0
    }
  }

  // MARK: Statuses

  override func statusDidChange(to kind: StatusKind) {
    guard let journal = link.journal else { return }
    status = link.note(.statusChanged(kind.rawValue))
    guard let time = journal.entry(status)?.time else { return }
    let limit = max(journal.limits.statusChangesPerSecond, 0)
    guard limit < .max else { return }
    statusTimes.append(time)
    if statusTimes.count > limit + 1 { statusTimes.removeFirst() }
    let isTooMuch = statusTimes.count > limit && time - statusTimes[0] <= .seconds(1)
    guard isTooMuch else { return warning = 0 }
    // Once, as long as that is kept.
    guard journal.entry(warning) == nil else { return }
    let chain = journal.chain(from: status)
    warning = link.note(.warning("the status changed more than \(limit) times in a second: \(chain)"), because: status)
  }
}

extension Int {
  /// Nil for zero, which stands for no entry.
  fileprivate var nonZero: Int? { self == 0 ? nil : self }
}
