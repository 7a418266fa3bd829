// SPDX-License-Identifier: MIT
/// Displays a status without child controllers: a screen whose views are shown and hidden, or a ``StatusBoard``.
///
/// Each method is called synchronously, on the host's actor, between the "will" and the "did" of the container's transition.
public protocol AsyncStatusPresenter<Value>: AnyObject {
  /// The type of the data's value.
  associatedtype Value

  /// The value is expected.
  func transitionToLoading(animated: Bool)
  /// The last request failed.
  func transitionToError(_ error: any Error, animated: Bool)
  /// The answer is that there is nothing.
  func transitionToNoData(animated: Bool)
  /// There is neither a value nor an error, and nothing is being requested: a request has ended without an answer, there is no
  /// key, or nothing was requested yet and the policy displays that as idle.
  func transitionToIdle(animated: Bool)
  /// There is neither a value nor an error, and the request waits for its ``LoadGate``: without a network, for example.
  func transitionToWaiting(animated: Bool)
  /// There is content, or other content than before.
  func transitionToData(_ value: Value, animated: Bool)
  /// Displays nothing: the displayed status belongs to a previous key, and the loading of the present one has not lasted for the
  /// delay of the ``DisplayPacer``. The default displays that loading.
  func transitionToNothing(animated: Bool)
}

extension AsyncStatusPresenter {
  /// Displays that the value is expected.
  public func transitionToNothing(animated: Bool) { transitionToLoading(animated: animated) }

  /// Calls the method for `status`.
  @inlinable
  func transition(to status: AsyncStatus<Value>, animated: Bool) {
    switch status {
    case .loading: transitionToLoading(animated: animated)
    case .error(let error): transitionToError(error, animated: animated)
    case .noData: transitionToNoData(animated: animated)
    case .idle: transitionToIdle(animated: animated)
    case .waiting: transitionToWaiting(animated: animated)
    case .data(let value): transitionToData(value, animated: animated)
    }
  }
}
