// SPDX-License-Identifier: MIT
/// The mode, progress and failed attempts of a running load.
///
/// A snapshot has an activity exactly while a load runs.
public struct LoadActivity: Sendable {
  /// The mode, which decides whether the load hides the content.
  public internal(set) var mode: LoadMode
  /// True while the load waits for its ``LoadGate`` to open: nothing is being requested.
  var isWaiting: Bool
  /// The edge of the list that the load extends by a page; nil: it loads the whole value.
  package var edge: PageEdge?

  // In one immutable box, so that a snapshot is a few words long: it is copied with each step of a load. Without the box a load
  // takes 6 % more instructions, and to determine a status 9 %.
  var details: Details?

  init(
    mode: LoadMode = .refresh, progress: Double? = nil, failures: Int = 0, lastFailure: (any Error)? = nil,
    isWaiting: Bool = false
  ) {
    self.mode = mode
    self.isWaiting = isWaiting
    details = Details.boxed(progress: progress, failures: failures, lastFailure: lastFailure)
  }

  /// The completed part, in 0...1; nil: unknown. It restarts at nil with each attempt.
  public internal(set) var progress: Double? {
    get { details?.progress }
    set { details = Details.boxed(progress: newValue, failures: failures, lastFailure: lastFailure) }
  }

  /// The number of attempts of this load that have failed so far.
  public internal(set) var failures: Int {
    get { details?.failures ?? 0 }
    set { details = Details.boxed(progress: progress, failures: newValue, lastFailure: lastFailure) }
  }

  /// The error of the last attempt that failed, while the load continues.
  public internal(set) var lastFailure: (any Error)? {
    get { details?.lastFailure }
    set { details = Details.boxed(progress: progress, failures: failures, lastFailure: newValue) }
  }
}

extension LoadActivity {
  /// The rarer half of an activity; replaced, never changed.
  final class Details: Sendable {
    let progress: Double?
    let failures: Int
    let lastFailure: (any Error)?

    private init(progress: Double?, failures: Int, lastFailure: (any Error)?) {
      self.progress = progress
      self.failures = failures
      self.lastFailure = lastFailure
    }

    /// Returns nil if there is nothing to keep.
    static func boxed(progress: Double?, failures: Int, lastFailure: (any Error)?) -> Details? {
      if progress == nil, failures == 0, lastFailure == nil { return nil }
      return Details(progress: progress, failures: failures, lastFailure: lastFailure)
    }
  }
}

/// The mode of a load: it decides whether the load hides the content while it runs.
///
/// A first load has a mode, too: by default it is a refresh, which has nothing to keep visible.
public enum LoadMode: Hashable, Sendable {
  /// The content is hidden until the load yields or ends. The data keeps the value, so a cancel displays it again.
  case reload
  /// The content stays visible until the load answers, as with pull to refresh.
  case refresh
}
