// SPDX-License-Identifier: MIT
public import Observation

/// The status of data for a screen without a host: an indicator neither flashes nor flickers.
///
/// ```swift
/// lazy var display = PacedStatus(articles, pacer: DisplayPacer())
/// ```
///
/// A SwiftUI view reads ``status`` in its body, and an indicator beside the content follows ``isRunning``. Both are paced by a
/// ``DisplayPacer``. It belongs to the actor of the resource.
public final class PacedStatus<Value>: Observable {
  /// Held.
  private let resource: AsyncResource<Value>
  private let policy: DisplayPolicy<Value>
  /// Decides about ``status``, and about ``isRunning``: loading, or nothing to indicate.
  private let shown: DisplayedStatus<Value>
  private let indicated: DisplayedStatus<Value>
  private var displayed: AsyncStatus<Value>?
  private var isIndicated = false
  private var tracking = Tracking<Parts>()

  private struct Parts: OptionSet {
    let rawValue: UInt16

    static var status: Self { Self(rawValue: 1 << 0) }
    static var isRunning: Self { Self(rawValue: 1 << 1) }
  }

  /// The paced status of a resource, on its actor. It holds the resource.
  ///
  /// - Parameters:
  ///   - resource: The resource to display.
  ///   - policy: Decides about the status if there is a choice.
  ///   - pacer: Has the time that a loading may take without being displayed, and the shortest time that an indicator stays.
  public init(
    _ resource: AsyncResource<Value>, policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer
  ) {
    let data = resource.data
    self.resource = resource
    self.policy = policy
    shown = DisplayedStatus(expectsPresenter: false, pacer: pacer, of: data)
    indicated = DisplayedStatus(expectsPresenter: false, pacer: pacer, of: data)
    for part in [shown, indicated] {
      part.pacing?.home = resource.actor
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

  /// True while an indicator should be displayed for a load, either a reload or a refresh.
  public var isRunning: Bool {
    tracking.access(.isRunning)
    return isIndicated
  }

  private func update() {
    let data = resource.data
    let status = data.computedStatus(by: policy)
    let mark = StatusMark(
      kind: status.kind, revision: data.revision, isExpected: data.context.awaitsRequest)
    let isRunning = data.context.isRunning
    var changed: Parts = []
    // Released last: the value may be an object of the user's, which reads the status.
    var exchanged: AsyncStatus<Value>?
    if shown.admit(mark, forced: false) != nil {
      shown.pacing?.didDisplay()
      exchanged = shown.isEmpty ? nil : status
      swap(&displayed, &exchanged)
      changed.insert(.status)
    }

    var indication = StatusMark(
      kind: isRunning ? .loading : mark.isOutcome ? .noData : .idle, revision: data.revision)
    // A sign of activity belongs to no key.
    indication.revision.key = 0
    if indicated.admit(indication, forced: false) != nil {
      indicated.pacing?.didDisplay()
      if isIndicated != isRunning { changed.insert(.isRunning) }
      isIndicated = isRunning
    }
    tracking.report(changed)
    withExtendedLifetime(exchanged) {}
  }
}

extension PacedStatus: AsyncDataObserver {
  func dataDidChange(forced: Bool) {
    update()
  }

  func reloadRequested() -> Bool { false }
}
