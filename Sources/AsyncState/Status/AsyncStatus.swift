/// What a screen shows of asynchronous data: one of four things.
public enum AsyncStatus<Value> {
  /// Something is on its way.
  case loading
  /// Something went wrong.
  case error(any Error)
  /// There is content.
  case data(Value)
  /// There is nothing, and that is the answer.
  case noData

  /// A status without what it is about.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Something is on its way.
    case loading
    /// Something went wrong.
    case error
    /// There is content.
    case data
    /// There is nothing, and that is the answer.
    case noData
  }

  /// The status without what it is about.
  @inlinable
  public var kind: Kind {
    switch self {
    case .loading: .loading
    case .error: .error
    case .data: .data
    case .noData: .noData
    }
  }
}

extension AsyncStatus: Sendable where Value: Sendable {}
