/// Shows a status without children of its own: a screen with views that it shows and hides, or a ``StatusBoard``.
///
/// Each call comes synchronously, between the "will" and the "did" of the transition that it is part of.
public protocol AsyncStatusPresenter<Value>: AnyObject {
  /// What the data are about.
  associatedtype Value

  /// Something is on its way.
  func transitionToLoading(animated: Bool)
  /// Something went wrong.
  func transitionToError(_ error: any Error, animated: Bool)
  /// There is nothing.
  func transitionToNoData(animated: Bool)
  /// There is content, or other content than before.
  func transitionToData(_ value: Value, animated: Bool)
}

extension AsyncStatusPresenter {
  /// The one of the four calls that `status` asks for.
  @inlinable
  func transition(to status: AsyncStatus<Value>, animated: Bool) {
    switch status {
    case .loading: transitionToLoading(animated: animated)
    case .error(let error): transitionToError(error, animated: animated)
    case .noData: transitionToNoData(animated: animated)
    case .data(let value): transitionToData(value, animated: animated)
    }
  }
}
