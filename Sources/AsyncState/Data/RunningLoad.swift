/// What the facts know of the load that runs: how to end it when it does not count any more.
///
/// The facts hold the load; the load reaches back only while it counts. So a load that runs keeps nobody alive.
@usableFromInline
protocol RunningLoad: AnyObject {
  /// The load no longer counts: it writes nothing any more, its task is cancelled, and whoever waits for it hears.
  func end(_ reason: LoadEnd)
}

/// Why a load that has not answered is over.
@usableFromInline
enum LoadEnd {
  /// Somebody did not want it any more.
  case cancelled
  /// Something newer has taken its place: another load, or a write of value or error.
  case superseded
}
