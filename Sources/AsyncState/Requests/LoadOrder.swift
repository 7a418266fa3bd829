// SPDX-License-Identifier: MIT
// The load and page requests of data: the one that runs, the one that waits for it, and the effect of a new request.

/// The requests of one ``AsyncData``: at most one load that runs, of the whole value or of a further page, and one that waits for
/// its end.
///
/// Invariants: a load waits only behind one that runs, or in the moment between its end and the beginning of the next. None waits
/// behind a further page: another load supersedes it.
struct LoadOrder {
  /// The current load.
  private(set) var running: LoadRun?
  /// The load that was requested after an invalidation that the running load is too old for. It begins when the running load
  /// has ended alone.
  private(set) var waiting: LoadRun?

  init() {}

  /// The running load of the whole value; nil also while a further page is loaded.
  var whole: LoadRun? { running?.edge == nil ? running : nil }

  /// The effect of a request with this number; nil: it joins none.
  enum Decision {
    /// It supersedes all requests.
    case start
    case join(LoadRun)
    /// It is answered by the next load, which may wait already.
    case wait(LoadRun?)
  }

  func decision(for id: Int?) -> Decision {
    guard let id else { return .start }
    if let waiting, waiting.id == id { return .wait(waiting) }
    guard let running, running.id == id else { return .start }
    return running.state.isOutdated ? .wait(nil) : .join(running)
  }

  var isEmpty: Bool { running == nil && waiting == nil }

  var hasWaiting: Bool { waiting != nil }

  /// The number of calls that wait for the running load, and for the one behind it.
  var callCount: Int { [running, waiting].compactMap { $0?.interest.waiting }.reduce(0, +) }

  /// True if the running load, or the one behind it, runs to its end even if no call waits.
  var isPinned: Bool { [running, waiting].contains { $0?.interest.isPinned == true } }

  func isWaiting(_ load: LoadRun) -> Bool { waiting === load }

  // MARK: Beginning

  /// The load that may begin now, because nothing runs any more. It waits until it has begun.
  var due: LoadRun? { running == nil ? waiting : nil }

  /// Makes a load the running one. All other requests were taken out before.
  mutating func begin(_ load: LoadRun) {
    assert(isEmpty, "A load that begins supersedes every request.")
    running = load
  }

  mutating func wait(_ load: LoadRun) {
    assert(running != nil && waiting == nil, "All calls that wait share one load.")
    waiting = load
  }

  /// Marks the running load after an invalidation: it is too old for later calls.
  func markOutdated() {
    running?.state.isOutdated = true
  }

  // MARK: Ending

  /// Requests that were taken out together.
  enum Ended {
    case none
    case one(LoadRun)
    case several([LoadRun])

    /// Ends all of them: none may write any more. `finish()` follows.
    func close(_ ending: LoadEnding) {
      forEach { $0.close(ending) }
    }

    /// Cancels the tasks of requests that were closed, and resumes their callers.
    func finish() {
      forEach { $0.finish() }
    }

    func abandon() {
      forEach { $0.abandon() }
    }

    /// Hands over their calls to a load that takes their place.
    func handOverFollowers(to load: LoadRun) {
      forEach { load.takeFollowers(of: $0) }
    }

    private func forEach(_ body: (LoadRun) -> Void) {
      switch self {
      case .none: break
      case .one(let run): body(run)
      case .several(let runs): runs.forEach(body)
      }
    }
  }

  /// Takes out all requests for a load that begins, and may have waited until now; nil: no load begins.
  mutating func takeAll(for load: LoadRun?) -> Ended {
    if let load, waiting === load { waiting = nil }
    return takeAll()
  }

  mutating func takeAll() -> Ended {
    if isEmpty { return .none }
    // The most common case needs no array.
    if waiting == nil, let running { return take(running) }
    let all = [running, waiting].compactMap { $0 }
    self = LoadOrder()
    return .several(all)
  }

  mutating func take(_ run: LoadRun?) -> Ended {
    guard let run else {
      assertionFailure("An event that ends one request is about one.")
      return .none
    }
    if running === run {
      running = nil
    } else if waiting === run {
      waiting = nil
    } else {
      assertionFailure("A request that has not ended is in the order.")
      return .none
    }
    return .one(run)
  }
}
