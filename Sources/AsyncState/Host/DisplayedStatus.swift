/// What distinguishes statuses besides their value and error.
@usableFromInline
enum StatusKind: String {
  case loading
  case error
  case data
  case noData
  case idle

  @inlinable
  init<Value>(_ status: AsyncStatus<Value>) {
    self =
      switch status {
      case .loading: .loading
      case .error: .error
      case .data: .data
      case .noData(isIdle: false): .noData
      case .noData(isIdle: true): .idle
      }
  }
}

/// A status without its value and error: enough to see whether another one is news for a display.
struct StatusMark {
  let kind: StatusKind
  /// How often value and error had been written.
  let revision: DataRevision

  var isLoading: Bool { kind == .loading }

  /// Whether the kind changed, or the value or error on display was written again.
  func isNews(after former: StatusMark) -> Bool {
    guard kind == former.kind else { return true }
    switch kind {
    case .data: return revision.value != former.revision.value
    case .error: return revision.error != former.revision.error
    case .loading, .noData, .idle: return false
    }
  }
}

/// The parts of a host that Observation tracks separately.
struct HostParts: OptionSet {
  let rawValue: UInt16

  static var hasStarted: Self { Self(rawValue: 1 << 0) }
  /// The status before the host was started. Afterwards it is that of the data, which has its own readers.
  static var status: Self { Self(rawValue: 1 << 1) }
}

/// What a host displays: shared with the closures of its container, which must not keep the host alive.
final class DisplayedStatus<Value> {
  weak var presenter: (any AsyncStatusPresenter<Value>)?
  /// Whether a presenter is missed if there is none.
  var expectsPresenter: Bool
  let isPaced: Bool
  /// Which status is displayed; nil while there is none.
  var mark: StatusMark?

  init(expectsPresenter: Bool, isPaced: Bool) {
    self.expectsPresenter = expectsPresenter
    self.isPaced = isPaced
  }

  /// The container has begun a transition, and is about to request the children.
  func presenterForTransition() -> (any AsyncStatusPresenter<Value>)? {
    if mark == nil {
      guard !isPaced else { return nil }
      // The container appears before `load()`.
      mark = StatusMark(kind: .loading, revision: DataRevision())
    }
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
      holds its presenter weakly: keep the presenter in a property, and set `host.presenter` before `host.load()`, \
      or give the host children.
      """)
  #endif
}
