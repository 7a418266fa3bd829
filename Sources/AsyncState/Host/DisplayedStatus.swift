// SPDX-License-Identifier: MIT
/// The displayed status of data, and whether another one takes its place: the part of a host that needs no container.
///
/// A host shares it with the closure of its container, which must not keep the host alive. A ``PacedStatus`` has one
/// without a presenter.
@usableFromInline
final class DisplayedStatus<Value> {
  weak var presenter: (any AsyncStatusPresenter<Value>)?
  /// Whether a presenter is missed if there is none.
  var expectsPresenter: Bool
  let pacing: Pacing?

  /// The status that was determined last; nil before the first.
  private(set) var latest: StatusMark?
  /// The status that is displayed; nil while there is none.
  private(set) var displayed: StatusMark?
  /// What was displayed belongs to a former key, and the loading of the present one is not displayed yet.
  private var isCleared = false

  /// - Parameter data: What is displayed. A pacer without a clock of its own measures with that of the data.
  @usableFromInline
  init(expectsPresenter: Bool, pacer: DisplayPacer?, of data: AsyncData<Value>) {
    self.expectsPresenter = expectsPresenter
    pacing = pacer.map { Pacing($0, data.timeline) }
  }

  /// Nothing is displayed: there is no child.
  @usableFromInline var isEmpty: Bool { displayed == nil }

  /// Whether a status differs from the one that was determined last.
  func isNews(_ mark: StatusMark) -> Bool { latest.map { mark.isNews(after: $0) } ?? true }

  /// A status was determined, which is displayed if it may be now and if it is news.
  ///
  /// - Parameter isForced: The data was written without being changed: the status is displayed again, not animated.
  /// - Returns: Whether it is displayed, or nothing is, with an animation; nil if what is displayed stays.
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
    // Also where nothing has to be displayed anew: what is displayed belongs to the present key of the data.
    displayed = mark
    if let former, !isForced, !mark.isNews(after: former) { return nil }
    return !isForced && !isFirst && former != nil
  }

  /// The container has begun a transition, and is about to request the children.
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
  #if DEBUG
    print(
      """
      AsyncState: an AsyncHost has a status to display, and its presenter is nil. The screen stays as it is. A host \
      holds its presenter weakly: keep the presenter in a property, and set `host.presenter` before `host.start()`, \
      or give the host children.
      """)
  #endif
}
