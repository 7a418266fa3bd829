// SPDX-License-Identifier: MIT
/// Displays a status without child controllers: a screen whose views are shown and hidden, or a ``StatusBoard``.
///
/// Each method is called synchronously, between the "will" and the "did" of the container's transition.
public protocol AsyncStatusPresenter<Value>: AnyObject {
  /// What the data hold.
  associatedtype Value

  /// The value is expected.
  func transitionToLoading(animated: Bool)
  /// The last request failed.
  func transitionToError(_ error: any Error, animated: Bool)
  /// There is no content.
  func transitionToNoData(animated: Bool)
  /// Nothing was requested yet, and the policy displays that as no data.
  func transitionToIdle(animated: Bool)
  /// There is content, or other content than before.
  func transitionToData(_ value: Value, animated: Bool)
}

extension AsyncStatusPresenter {
  /// Calls ``transitionToNoData(animated:)``.
  public func transitionToIdle(animated: Bool) { transitionToNoData(animated: animated) }

  /// Calls the method for `status`.
  @inlinable
  func transition(to status: AsyncStatus<Value>, animated: Bool) {
    switch status {
    case .loading: transitionToLoading(animated: animated)
    case .error(let error): transitionToError(error, animated: animated)
    case .noData(isIdle: false): transitionToNoData(animated: animated)
    case .noData(isIdle: true): transitionToIdle(animated: animated)
    case .data(let value): transitionToData(value, animated: animated)
    }
  }
}
