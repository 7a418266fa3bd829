// SPDX-License-Identifier: MIT
// The load and page requests of data: the one that runs, the one that waits for it, and the effect of a new request.

/// The requests of one ``AsyncData``: at most one load that runs, one that waits for its end, and one page request for
/// each edge.
///
/// Invariants: page requests run only while no load runs; a load waits only behind one that runs, or in the moment
/// between its end and the beginning of the next.
struct LoadOrder {
  /// The current load.
  private(set) var running: LoadRun?
  /// The load that was requested after an invalidation that the running load is too old for. It begins when the running load
  /// has ended alone.
  private(set) var waiting: LoadRun?
  private var next: LoadRun?
  private var previous: LoadRun?

  init() {}

  /// The effect of a request with this name.
  enum Decision {
    /// It supersedes all requests.
    case start
    case join(LoadRun)
    /// It is answered by the next load, which may wait already.
    case wait(LoadRun?)
  }

  func decision(for id: LoadID?) -> Decision {
    guard let id else { return .start }
    if let waiting, waiting.id == id { return .wait(waiting) }
    guard let running, running.id == id else { return .start }
    return running.state.isOutdated ? .wait(nil) : .join(running)
  }

  var isEmpty: Bool { running == nil && waiting == nil && next == nil && previous == nil }

  var hasWaiting: Bool { waiting != nil }

  /// The number of calls that wait for the running load, and for the one behind it.
  var callCount: Int { [running, waiting].compactMap { $0?.interest.waiting }.reduce(0, +) }

  /// True if the running load, or the one behind it, runs to its end even if no call waits.
  var isPinned: Bool { [running, waiting].contains { $0?.interest.isPinned == true } }

  /// Makes a load that takes the place of the running one, and of the one behind it, as wanted as these are. The calls that
  /// wait are handed over.
  func passOnInterest(to load: LoadRun) {
    if isPinned { load.pin() }
    if [running, waiting].contains(where: { $0?.interest.isHeld == true }) { load.hold() }
  }

  /// A request that runs is for what holds the data alone.
  var isOfHolders: Bool {
    running?.interest.isOfHolders == true || next?.interest.isOfHolders == true
      || previous?.interest.isOfHolders == true
  }

  /// Ends those if nothing holds the data any more. Of a copy, because they leave the order.
  func endIfUnheld() { for request in [running, next, previous] { request?.endIfUnheld() } }

  func isWaiting(_ load: LoadRun) -> Bool { waiting === load }

  subscript(edge: PageEdge) -> LoadRun? {
    switch edge {
    case .next: next
    case .previous: previous
    }
  }

  // MARK: Beginning

  /// The load that may begin now, because nothing runs any more. It waits until it has begun.
  var due: LoadRun? { running == nil ? waiting : nil }

  /// Makes a load the running one. All other requests were taken out before.
  mutating func begin(_ load: LoadRun) {
    assert(isEmpty, "A load that begins supersedes every request.")
    running = load
  }

  mutating func begin(_ request: LoadRun, at edge: PageEdge) {
    assert(
      running == nil && self[edge] == nil, "While a load runs, page requests are refused; a running one is joined.")
    switch edge {
    case .next: next = request
    case .previous: previous = request
    }
  }

  mutating func wait(_ load: LoadRun) {
    assert(running != nil && waiting == nil, "All calls that wait share one load.")
    waiting = load
  }

  /// Marks the running load after an invalidation: it is too old for later calls.
  func markOutdated() {
    running?.state.isOutdated = true
  }

  /// Marks the running page requests after the list was replaced: they belong to the edges of another list.
  func markPagesOutdated() {
    next?.state.isOutdated = true
    previous?.state.isOutdated = true
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
    // The most common case needs no array. While a load runs there are no page requests.
    if waiting == nil, let running { return take(running) }
    let all = [running, waiting, next, previous].compactMap { $0 }
    self = LoadOrder()
    return .several(all)
  }

  /// Takes out and closes a page request that is answered, and the one at the edge where pages are evicted for it.
  mutating func take(_ run: LoadRun?, evicting edge: PageEdge) -> Ended {
    let answered = take(run)
    answered.close(.answered)
    guard let run, let evicted = self[edge] else { return answered }
    take(evicted).close(.ended(.superseded))
    return .several([run, evicted])
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
    } else if next === run {
      next = nil
    } else if previous === run {
      previous = nil
    } else {
      assertionFailure("A request that has not ended is in the order.")
      return .none
    }
    return .one(run)
  }
}
