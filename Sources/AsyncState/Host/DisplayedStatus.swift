// SPDX-License-Identifier: MIT
/// The displayed status of data, and the decision about the next one: the part of a host that needs no container.
///
/// A host shares it with the closure of its container, which must not keep the host alive. A ``PacedStatus`` has
/// two without a presenter: of the status, and of the indicator.
@usableFromInline
final class DisplayedStatus<Value> {
  weak var presenter: (any AsyncStatusPresenter<Value>)?
  /// True if a missing presenter is reported.
  var expectsPresenter: Bool
  let pacing: Pacing?

  /// The status that was determined last; nil before the first.
  private(set) var latest: StatusMark?
  /// The displayed status; nil while none is displayed.
  private(set) var displayed: StatusMark?
  /// True if the previous status belonged to a previous key, and the loading of the present one is not displayed yet.
  private var isCleared = false

  /// - Parameter data: The displayed data. A pacer without a clock of its own measures with the data's clock.
  @usableFromInline
  init(expectsPresenter: Bool, pacer: DisplayPacer?, of data: AsyncData<Value>) {
    self.expectsPresenter = expectsPresenter
    pacing = pacer.map { Pacing($0, data.timeline) }
  }

  /// True if no status is displayed: there is no child.
  @usableFromInline var isEmpty: Bool { displayed == nil }

  /// Lets a displayed idle status stay no longer than until the next request.
  func leaveIdle() { displayed?.mayStayIdle = false }

  /// True if a status differs from the one that was determined last.
  func isNews(_ mark: StatusMark) -> Bool { latest.map { mark.isNews(after: $0) } ?? true }

  /// Decides about a status that was determined: it is displayed if it may be now, and if it is another one.
  ///
  /// - Parameter isForced: True if the data was written without being changed: the status is displayed again, not animated.
  /// - Returns: True if it is displayed, or cleared, with an animation; false if without one; nil if the displayed status
  ///   stays.
  func admit(_ mark: StatusMark, forced isForced: Bool) -> Bool? {
    let isFirst = latest == nil
    latest = mark
    switch pacing?.decide(on: mark, forced: isForced, over: displayed) {
    case .hold: return nil
    case .clear:
      (displayed, isCleared) = (nil, true)
      return !isForced
    case .display, nil: isCleared = false
    }
    let former = displayed
    // Also if the status is not displayed again: it now belongs to the present key of the data.
    displayed = mark
    if let former, !isForced, !mark.isNews(after: former) { return nil }
    return !isForced && !isFirst && former != nil
  }

  /// The presenter to call. Called when the container has begun a transition, and is about to request the children.
  @usableFromInline
  func presenterForTransition() -> (any AsyncStatusPresenter<Value>)? {
    if displayed == nil {
      guard pacing == nil else { return isCleared ? presenter : nil }
      // The container appears before the host is started.
      displayed = StatusMark(kind: .loading, revision: DataRevision())
    }
    pacing?.didDisplay()
    let presenter = presenter
    if presenter == nil, expectsPresenter {
      expectsPresenter = false
      reportMissingPresenter()
    }
    return presenter
  }
}

private func reportMissingPresenter() {
  AsyncStateWarnings.warn(
    """
    AsyncState: an AsyncHost has a status to display, and its presenter is nil. The screen stays as it is. A host \
    holds its presenter weakly: keep the presenter in a property, and set `host.presenter` before `host.start()`, \
    or give the host children.
    """)
}
