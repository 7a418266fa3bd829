// SPDX-License-Identifier: MIT
// A replay of a journal on data: it applies what was recorded. For AsyncStateTesting.

/// The subject of a recorded event, beside the data.
package enum RecordedRequest {
  case load
  case page(PageEdge)
}

extension AsyncData {
  /// Applies a recorded event, to the request that runs, whichever caller has made it. Loads, page requests and optimistic
  /// changes are begun by calls of their own.
  ///
  /// - Parameters:
  ///   - request: What the event is about.
  ///   - value: The value that the event writes; with a page, all pages.
  /// - Returns: Why that cannot be done; nil if it was tried.
  package func apply(recorded event: DataEvent, to request: RecordedRequest?, value: () -> Value?) -> String? {
    switch request {
    case .load:
      guard let load = state.core.order.running else { return "No load runs in the replay." }
      return apply(event, to: typed(load), value)
    case .page(let edge):
      guard let request = state.core.order[edge] else { return "No page request runs in the replay." }
      return apply(event, to: typed(request), value)
    case nil: return applyByHand(event, value)
    }
  }

  private func apply(_ event: DataEvent, to request: Load<Value>, _ value: () -> Value?) -> String? {
    switch event {
    case .yielded: yield(value(), by: request)
    case .answered: succeed(request, with: value())
    case .pageArrived:
      guard let list = value() else { return "The test gave no list with the page." }
      request.extend { Self.replacement($0, by: list) }
    case .failed: applyError(event, for: request)
    case .foundFresh: endFresh(request)
    case .progressed, .waited, .continued, .retried, .cancelled, .pageWaited, .pageFailed, .pageEnded:
      apply(event, for: request)
    case .set, .errorSet, .errorRemoved, .reset, .invalidated, .cancelledAll, .began, .elementArrived, .streamEnded,
      .patched, .patchConfirmed, .patchReplaced, .patchRemoved, .pageRequested, .restored, .keyChanged, .keyRemoved,
      .keyMissing, .forgotten, .combined:
      assertionFailure("These are about no request that runs.")
    }
    // Its operation is not needed any more.
    if !request.isCurrent { request.state.task?.cancel() }
    beginWaitingLoad()
    return nil
  }

  private func applyByHand(_ event: DataEvent, _ value: () -> Value?) -> String? {
    switch event {
    case .set: self.value = value()
    case .errorSet: applyError(event)
    case .reset, .forgotten: apply(event, writing: seed)
    case .restored(_, let isOutdated): restore(value(), age: nil, isInvalidated: isOutdated)
    case .keyChanged: changeKey(hasKey: true, keepsFormer: false)
    case .keyRemoved: changeKey(hasKey: false, keepsFormer: false)
    case .elementArrived: receive(value())
    case .errorRemoved, .invalidated, .streamEnded, .keyMissing: apply(event)
    case .cancelledAll, .began, .yielded, .progressed, .waited, .continued, .retried, .answered, .failed, .cancelled,
      .foundFresh, .patched, .patchConfirmed, .patchReplaced, .patchRemoved, .pageRequested, .pageWaited, .pageArrived,
      .pageFailed,
      .pageEnded, .combined:
      assertionFailure("These are begun or ended by calls of their own.")
    }
    return nil
  }

  /// A page arrived, and with it the list is another one.
  private static func replacement(_ former: Value, by list: Value) -> PageExtension<Value> {
    let count = pageCount(of: list)
    let evicts = count.map { $0 <= pageCount(of: former) ?? 0 } ?? false
    return PageExtension(evicts: evicts) { value in
      var former = list
      swap(&former, &value)
      return former
    }
  }

  /// Begins a page request that is answered by hand.
  package func beginPage(at edge: PageEdge, isolation: isolated any Actor) {
    let request = Load(for: self, edge: edge, home: isolation)
    // As in a load that is begun by hand: the data may be a property of the actor.
    request.home = nil
    request.begun = WeakActor(isolation)
    request.pin()
    beginPage(request, at: edge)
  }
}
