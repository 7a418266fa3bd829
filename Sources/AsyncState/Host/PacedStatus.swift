// SPDX-License-Identifier: MIT
public import Observation

/// The status of data as a screen without a host displays it: an indicator neither flashes nor flickers.
///
/// ```swift
/// lazy var display = PacedStatus(articles, pacer: DisplayPacer())
/// ```
///
/// A SwiftUI view reads ``status`` in its body, and an indicator beside the content follows ``isRunning``. Both are
/// paced as ``DisplayPacer`` says. It belongs to the actor that created it, and does not keep it alive.
public final class PacedStatus<Value>: Observable {
  private let data: AsyncData<Value>
  /// What fills the data, one resource or several; nil: the caller does.
  private let source: AnyObject?
  private let policy: DisplayPolicy<Value>
  /// Decides about ``status``, and about ``isRunning``: loading, or nothing to indicate.
  private let shown: DisplayedStatus<Value>
  private let indicated: DisplayedStatus<Value>
  private var displayed: AsyncStatus<Value>?
  private let running = Input(false)
  private var tracking = Tracking<Parts>()

  private struct Parts: OptionSet {
    let rawValue: UInt16

    static var status: Self { Self(rawValue: 1 << 0) }
    static var isRunning: Self { Self(rawValue: 1 << 1) }
  }

  /// The paced status of a resource of the main actor. It holds the resource.
  @MainActor
  public convenience init(
    _ resource: AsyncResource<Value>, policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer
  ) {
    self.init(resource.data, of: resource, policy, pacer, isolation: MainActor.shared)
  }

  /// The paced status of data.
  ///
  /// - Parameters:
  ///   - data: What is displayed.
  ///   - policy: Decides about the status where there is a choice.
  ///   - pacer: Says how long a loading may take without being displayed, and how long an indicator stays.
  ///   - isolation: The actor that the data belongs to.
  public convenience init(
    data: AsyncData<Value>, policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer,
    isolation: isolated any Actor
  ) {
    self.init(data, of: nil, policy, pacer, isolation: isolation)
  }

  /// The paced status of several resources together; at least one. It holds them.
  package convenience init<each Part>(
    ofSeveral resources: repeat AsyncResource<each Part>, policy: DisplayPolicy<Value>, pacer: DisplayPacer,
    isolation: isolated any Actor
  ) where Value == (repeat each Part) {
    let combination = Combination(of: repeat each resources)
    self.init(combination.data, of: combination, policy, pacer, isolation: isolation)
  }

  private init(
    _ data: AsyncData<Value>, of source: AnyObject?, _ policy: DisplayPolicy<Value>, _ pacer: DisplayPacer,
    isolation: isolated any Actor
  ) {
    self.data = data
    self.source = source
    self.policy = policy
    shown = DisplayedStatus(expectsPresenter: false, pacer: pacer, of: data)
    indicated = DisplayedStatus(expectsPresenter: false, pacer: pacer, of: data)
    for part in [shown, indicated] {
      part.pacing?.home = isolation
      part.pacing?.display = self
    }
    data.addObserver(self)
    update()
  }

  /// The status to display; nil while there is none: the first loading of all, or of another key, has not lasted for the
  /// pacer's delay.
  public var status: AsyncStatus<Value>? {
    tracking.access(.status)
    return displayed
  }

  /// Whether an indicator is to be displayed for a load, be it a reload or a refresh.
  public var isRunning: Bool {
    tracking.access(.isRunning)
    return running.current
  }

  /// ``isRunning`` as an observed value, to bind an indicator to.
  public var observedIsRunning: Observed<Bool> { running.map { $0 } }

  private func update() {
    let status = data.facts.status(policy: policy)
    let mark = StatusMark(
      kind: status.kind, revision: data.revision, isExpected: data.context.awaitsRequest)
    if shown.admit(mark, forced: false) != nil {
      shown.pacing?.didDisplay()
      display(shown.isEmpty ? nil : status, mark)
    }

    // Readers that were notified may have written: what runs now is displayed.
    let isRunning = data.context.isRunning
    var indication = StatusMark(
      kind: isRunning ? .loading : mark.isAnswer ? .noData : .idle, revision: data.revision)
    // A sign of activity belongs to no key.
    indication.revision.key = 0
    guard indicated.admit(indication, forced: false) != nil else { return }
    indicated.pacing?.didDisplay()
    guard running.current != isRunning else { return }
    tracking.changing(.isRunning) { running.write(data.context.isRunning) }
  }

  private func display(_ status: AsyncStatus<Value>?, _ mark: StatusMark) {
    var exchanged = status
    tracking.changing(.status) {
      // Readers are notified before the change, and may write: what they have displayed is newer.
      let isNewest = (status == nil) == shown.isEmpty && shown.displayed?.isNews(after: mark) != true
      if isNewest { swap(&displayed, &exchanged) }
    }
    // Released only here: the value may be an object of the user's, which reads what is displayed.
    withExtendedLifetime(exchanged) {}
  }
}

extension PacedStatus: AsyncDataObserver {
  func dataDidChange(forced: Bool) {
    update()
  }

  func reloadRequested() -> Bool { false }
}

extension PacedStatus: CustomStringConvertible {
  /// The type and what is displayed, as in `PacedStatus<Int>: loading`.
  ///
  /// Call it on the actor of the status.
  public var description: String { "\(Self.self): \(displayed.map { "\($0)" } ?? "nothing")" }
}
