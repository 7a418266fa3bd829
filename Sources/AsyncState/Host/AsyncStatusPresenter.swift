// SPDX-License-Identifier: MIT
/// Displays a status without child controllers: a screen whose views are shown and hidden, or a ``StatusBoard``.
///
/// Each method is called synchronously, between the "will" and the "did" of the container's transition.
public protocol AsyncStatusPresenter<Value>: AnyObject {
  /// The type of the data's value.
  associatedtype Value

  /// The value is expected.
  func transitionToLoading(animated: Bool)
  /// The last request failed.
  func transitionToError(_ error: any Error, animated: Bool)
  /// There is no content.
  func transitionToNoData(animated: Bool)
  /// Nothing is known, and nothing is being requested: a request was cancelled, there is no key, or nothing was requested
  /// yet and the policy displays that as no data. The default calls ``transitionToNoData(animated:)``; a screen whose text
  /// would be wrong then, such as "nothing found", implements it.
  func transitionToIdle(animated: Bool)
  /// Nothing is known, and the request waits for its ``LoadGate``: without a network, for example.
  func transitionToWaiting(animated: Bool)
  /// There is content, or other content than before.
  func transitionToData(_ value: Value, animated: Bool)
}

extension AsyncStatusPresenter {
  /// Calls ``transitionToNoData(animated:)``.
  public func transitionToIdle(animated: Bool) { transitionToNoData(animated: animated) }

  /// Calls ``transitionToIdle(animated:)``.
  public func transitionToWaiting(animated: Bool) { transitionToIdle(animated: animated) }

  /// Calls the method for `status`.
  @inlinable
  func transition(to status: AsyncStatus<Value>, animated: Bool) {
    switch status {
    case .loading: transitionToLoading(animated: animated)
    case .error(let error): transitionToError(error, animated: animated)
    case .noData(_, isWaiting: true): transitionToWaiting(animated: animated)
    case .noData(isIdle: true, _): transitionToIdle(animated: animated)
    case .noData(isIdle: false, _): transitionToNoData(animated: animated)
    case .data(let value): transitionToData(value, animated: animated)
    }
  }
}
