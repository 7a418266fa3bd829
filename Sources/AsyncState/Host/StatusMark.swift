/// A status without its value and error: enough to see whether another one is news for a display.
@usableFromInline
struct StatusMark {
  private enum Kind {
    case loading
    case error
    case data
    case noData
    case idle
  }

  private let kind: Kind
  /// How often value and error had been written.
  @usableFromInline let writes: DataRevision

  @usableFromInline
  init<Value>(_ status: AsyncStatus<Value>, _ writes: DataRevision) {
    kind =
      switch status {
      case .loading: .loading
      case .error: .error
      case .data: .data
      case .noData(isIdle: false): .noData
      case .noData(isIdle: true): .idle
      }
    self.writes = writes
  }

  @usableFromInline var isLoading: Bool { kind == .loading }

  /// Whether the kind changed, or the value or error on display was written again.
  @usableFromInline
  func isNews(after former: StatusMark) -> Bool {
    guard kind == former.kind else { return true }
    switch kind {
    case .data: return writes.value != former.writes.value
    case .error: return writes.error != former.writes.error
    case .loading, .noData, .idle: return false
    }
  }
}
