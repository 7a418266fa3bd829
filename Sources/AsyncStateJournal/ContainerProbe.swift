// SPDX-License-Identifier: MIT
// The acts of a container and its host, as entries.

import AsyncState

/// Records what becomes of a container, and of the host that it belongs to.
final class ContainerProbe<State>: ContainerHook {
  private let link: JournalProbe
  private let stateName: (State) -> String
  private let childName: (any ChildController) -> String

  /// The names of the state that was entered last, as it was by then, and of the one before; nil where no transition to it was
  /// recorded.
  private var entered: String?
  private var left: String?
  /// The number of the last status of the host.
  private var status = 0
  /// The times of the last statuses, at most one more than the limit.
  private var statusTimes: [Duration] = []
  private var warning = 0
  /// The cause of the request that waits, and of the life-cycle calls that wait.
  private var causeOfRequest = 0
  private var causesOfCalls = WaitingLine<Int>()
  /// The cause of the step that is carried out, if it has waited.
  private var causeOfStep = 0
  /// The life-cycle call that is carried out; zero if there is none.
  private var lifecycle = 0
  /// The journal of the step that is carried out, and how many notifications were under way before it.
  private var step: (journal: StateJournal, height: Int)?
  /// The probe that this one replaced during a step, until that ends.
  private var replaced: (any ContainerHook<State>)?

  init(
    _ link: JournalProbe, during work: ContainerWork<State>, stateName: @escaping (State) -> String,
    childName: @escaping (any ChildController) -> String
  ) {
    self.link = link
    replaced = work.hookOfStep
    self.stateName = { StateJournal.text(of: stateName($0)) }
    self.childName = { StateJournal.text(of: childName($0)) }
    let number = link.note(.attached(nil))
    if work.isTransitioning { link.opened.transition = number }
  }

  func retire() {
    link.retire()
  }

  // MARK: Steps

  func requestWillWait() {
    causeOfRequest = link.journal?.currentCause ?? 0
  }

  func callWillWait() {
    causesOfCalls.append(link.journal?.currentCause ?? 0)
  }

  func stepWillBegin(after waited: WaitingStep?) {
    causeOfStep =
      switch waited {
      case .request: causeOfRequest
      case .call: causesOfCalls.takeFirst() ?? 0
      case .endOfAnimation, nil: 0
      }
    step = link.journal.map { ($0, $0.openCount) }
  }

  func stepDidEnd() {
    if let (journal, height) = step.take() { journal.endNotifying(to: height) }
    lifecycle = 0
    replaced.take()?.stepDidEnd()
  }

  // MARK: What a step does

  func appearanceDidChange(to appearance: Appearance) {
    lifecycle = note(.appearance(appearance), isFirst: true)
  }

  func container(_ container: StateContainer<State>, willTransitionTo state: State, animated: Bool) {
    let name = stateName(state)
    (left, entered) = (entered, name)
    // A host leads its container to its statuses, if need be later.
    link.opened.transition = note(.willTransition(name, animated: animated), because: status)
  }

  func container(_ container: StateContainer<State>, didTransitionFrom state: State?, animated: Bool) {
    let name = state.map { left ?? stateName($0) } ?? "nothing"
    note(.didTransition(name, animated: animated), ends: link.opened.transition)
    link.opened.transition = 0
  }

  func container(_ container: StateContainer<State>, childWillAppear child: any ChildController, animated: Bool) {
    note(.childWillAppear(childName(child)))
  }
  func container(_ container: StateContainer<State>, childDidAppear child: any ChildController, animated: Bool) {
    note(.childDidAppear(childName(child)))
  }
  func container(_ container: StateContainer<State>, childWillDisappear child: any ChildController, animated: Bool) {
    note(.childWillDisappear(childName(child)))
  }
  func container(_ container: StateContainer<State>, childDidDisappear child: any ChildController, animated: Bool) {
    note(.childDidDisappear(childName(child)))
  }
  func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) {
    note(.arranged(children.map(childName)))
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
    guard let journal = link.journal, let step else { return 0 }
    journal.endNotifying(to: step.height)
    let begun = isFirst ? nil : link.opened.transition.nonZero ?? lifecycle.nonZero
    let led = cause.nonZero ?? begun ?? causeOfStep.nonZero ?? journal.currentCause
    let number = link.note(event, ends: ends, because: led)
    _ = journal.beginNotifying(of: number)
    return number
  }

  // MARK: Statuses

  func statusDidChange(to kind: String) {
    guard let journal = link.journal else { return }
    status = link.note(.statusChanged(kind))
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
