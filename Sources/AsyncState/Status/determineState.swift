/// What facts mean for a screen. A pure function, defined for all facts; it knows no time.
///
/// Content is a value that the policy does not call empty. The first of these that holds decides:
///
/// 1. not `isViewLoaded`: loading
/// 2. a reload is running: loading
/// 3. a refresh is running over content: data
/// 4. a refresh is running, a value was set, there is no error: no data
/// 5. a refresh is running: loading
/// 6. an error beside content, and errors do not replace data: data
/// 7. an error: error
/// 8. content: data
/// 9. a value was set: no data
/// 10. nobody has asked: what the policy says of idle
///
/// - Parameters:
///   - snapshot: The facts.
///   - isViewLoaded: Whether the screen is there to show anything yet.
///   - policy: The choices to be made where more than one answer is right.
@inlinable
public func determineState<Value>(
  _ snapshot: AsyncSnapshot<Value>, isViewLoaded: Bool = true, policy: DisplayPolicy<Value> = DisplayPolicy()
) -> AsyncStatus<Value> {
  guard isViewLoaded else { return .loading }
  return policy.status(
    value: snapshot.value, error: snapshot.error, mode: snapshot.activity?.mode, isValueSet: snapshot.isValueSet)
}

extension DisplayPolicy {
  /// The table, over the few facts that it looks at: a host asks at every change, and copies no more than these.
  @inlinable
  func status(value: Value?, error: (any Error)?, mode: LoadMode?, isValueSet: Bool) -> AsyncStatus<Value> {
    let content = value.flatMap { hasContent($0) ? $0 : nil }
    switch mode {
    case .reload:
      return .loading
    case .refresh:
      if let content { return .data(content) }
      return isValueSet && error == nil ? .noData : .loading
    case nil:
      if let error, content == nil || errorReplacesData { return .error(error) }
      if let content { return .data(content) }
      if isValueSet { return .noData }
      return idle == .noData ? .noData : .loading
    }
  }
}
