/// The way back from a container to its host, which is made first and may go first.
@usableFromInline
final class HostLink<Value> {
  weak var host: AsyncHost<Value>?

  @usableFromInline
  init() {}

  /// The status to appear in: the one on show, or the one that the data mean.
  @usableFromInline var displayed: AsyncStatus<Value> {
    guard let host else { return .loading }
    guard let pacing = host.pacing else { return host.status }
    return pacing.displayed ?? .loading
  }

  /// A pacer has put nothing on show yet.
  @usableFromInline var isNothingOnShow: Bool {
    guard let pacing = host?.pacing else { return false }
    return pacing.displayed == nil
  }

  /// Tells the presenter of the status that the container goes to.
  @usableFromInline
  func present(_ status: AsyncStatus<Value>, animated: Bool, by presenter: some AsyncStatusPresenter<Value>) {
    guard host != nil, !isNothingOnShow else { return }
    presenter.transition(to: status, animated: animated)
  }
}
