// SPDX-License-Identifier: MIT
/// The meaning of a snapshot for a screen. A pure function, defined for every snapshot.
///
/// Content is a value that is not empty by the policy. The first row that holds decides:
///
/// | | condition | status |
/// |---|---|---|
/// | 1 | a reload is running, and does not wait | loading |
/// | 2 | a load is running, and there is content | data |
/// | 3 | a load is running, a value was set, and there is no error | no data |
/// | 4 | a load waits for its gate | waiting |
/// | 5 | a load is running | loading |
/// | 6 | there is an error, and content that it does not replace | data |
/// | 7 | there is an error | error |
/// | 8 | there is content | data |
/// | 9 | a value was set | no data |
/// | 10 | a request has ended without an answer, or there is no key | idle |
/// | 11 | the key of the resource has changed, and a request follows | loading |
/// | 12 | nothing was requested | by ``DisplayPolicy``: loading, or idle |
///
/// ``DisplayPolicy`` decides which errors replace content: by default that of a reload, and not that of a refresh.
///
/// - Parameters:
///   - snapshot: The value, the error and the activity.
///   - policy: Decides where there is a choice.
@inlinable
public func determineState<Value>(
  _ snapshot: AsyncSnapshot<Value>, policy: DisplayPolicy<Value> = DisplayPolicy()
) -> AsyncStatus<Value> {
  snapshot.status(policy: policy)
}

extension AsyncSnapshot {
  /// The meaning of the snapshot for a screen, by the default policy.
  @inlinable
  public var status: AsyncStatus<Value> { status(policy: DisplayPolicy()) }

  /// The meaning of the snapshot for a screen, as ``determineState(_:policy:)`` defines it.
  ///
  /// - Parameter policy: Decides where there is a choice.
  @inlinable
  public func status(policy: DisplayPolicy<Value>) -> AsyncStatus<Value> {
    policy.status(value: value, context.statusParts)
  }
}

extension DisplayPolicy {
  /// The table, for the parts of a snapshot that it needs: a host calls this at each change, and copies no more.
  @inlinable
  func status(value: Value?, _ parts: StatusParts) -> AsyncStatus<Value> {
    let content = value.flatMap { isEmpty?($0) == true ? nil : $0 }
    switch parts.mode {
    case .reload where !parts.isWaiting:
      return .loading
    case .reload, .refresh:
      if let content { return .data(content) }
      if parts.isValueSet && parts.error == nil { return .noData }
      return parts.isWaiting ? .waiting : .loading
    case nil:
      if let error = parts.error, content == nil || errors.replacesContent(isRefreshError: parts.isRefreshError) {
        return .error(error)
      }
      if let content { return .data(content) }
      if parts.isValueSet { return .noData }
      // An empty seed is no answer.
      let isLoading = parts.isUntouched && (parts.isRequestExpected || idle == .loading)
      return isLoading ? .loading : .idle
    }
  }
}
