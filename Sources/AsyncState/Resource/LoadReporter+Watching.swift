// SPDX-License-Identifier: MIT
extension LoadReporter {
  /// The values of other resources, fresh enough, which are watched from then on: when one changes, the data of this load is
  /// marked stale, and requested again if it is in use.
  ///
  /// ```swift
  /// let headline = AsyncResource { (reporter: LoadReporter<String>) in
  ///   let user = try await reporter.get(account)
  ///   return try await service.headline(for: user)
  /// }
  /// ```
  ///
  /// Several are requested at once: `let (user, rates) = try await reporter.get(account, rates)`. One that fails does not
  /// end the others.
  ///
  /// A value that is only awaited, with ``AsyncResource/get(when:acceptingStale:isolation:)``, is not watched. The resources
  /// that the last load has read are watched, and are held as long as they are. If one of them changes while the operation
  /// runs, its task is cancelled, and another load takes its place at once: a value is never made of inputs that do not belong
  /// together.
  ///
  /// Until the next answer the former value is displayed, as during any refresh. If a value must not be displayed for another
  /// account or selection, it depends on an *identity*: follow that with `AsyncResource(following:)`, which removes the values
  /// of the former one. A value is removed when one of its inputs is forgotten or leaves its key.
  ///
  /// - Parameters:
  ///   - others: Resources of the same actor.
  ///   - condition: The condition for each request. By default a value that is not stale is returned at once.
  ///   - acceptingStale: True to return the present value when its request fails.
  ///   - isolation: The actor that all belong to.
  /// - Throws: The first error in the order of the resources, when all requests have ended: as
  ///   ``AsyncResource/get(when:acceptingStale:isolation:)``; ``LoadCycleError`` when the two would await each other;
  ///   `CancellationError` when this load is not current any more.
  public func get<each Other>(
    _ others: repeat AsyncResource<each Other>, when condition: LoadCondition = .stale, acceptingStale: Bool = false,
    isolation: isolated any Actor = #isolation
  ) async throws -> (repeat each Other) {
    guard let data = loadHere?.writableData else { throw CancellationError() }
    let place = data.beginWatching(self)
    let requests = (repeat WatchedRequest(each others, at: place, when: condition, isolation: isolation))
    for request in repeat each requests { ownWatching?.wait(for: request.resource, by: load) }
    let results = (repeat await result(of: each requests, acceptingStale: acceptingStale, isolation: isolation))
    do {
      return (repeat try (each results).get())
    } catch let error as CancellationError {
      // The load of another one was cancelled: this one ends with it.
      if !Task.isCancelled { RunningOperation.outside { load.cancel() } }
      throw error
    }
  }

  private var ownWatching: Watching<Value>? { watching as? Watching<Value> }

  private func result<Other>(
    of request: WatchedRequest<Other>, acceptingStale: Bool, isolation: isolated any Actor
  ) async -> Result<Other, any Error> {
    do {
      return .success(try await value(of: request, acceptingStale: acceptingStale, isolation: isolation))
    } catch {
      return .failure(error)
    }
  }

  private func value<Other>(
    of request: WatchedRequest<Other>, acceptingStale: Bool, isolation: isolated any Actor
  ) async throws -> Other {
    let other = request.resource
    defer { ownWatching?.stopWaiting(for: other, by: load) }
    do {
      let value = try await current(of: request, acceptingStale: acceptingStale, isolation: isolation)
      try watch(other)
      return value
    } catch {
      // It is requested again when the other has a value.
      if load.isCurrent, !(error is LoadCycleError) { try watch(other) }
      throw error
    }
  }

  /// The present value of another resource, for which no input has changed since it was made, and which belongs to its key.
  private func current<Other>(
    of request: WatchedRequest<Other>, acceptingStale: Bool, isolation: isolated any Actor
  ) async throws -> Other {
    let other = request.resource
    var call = try request.call.get()
    defer { request.wait.end() }
    while true {
      do {
        let value = try await other.value(of: call, acceptingStale: acceptingStale, isolation: isolation)
        guard load.isCurrent else { return value }
        // It may have changed since the request ended; or its load had begun before a change of its inputs.
        if !other.data.isBehind || other.data.context.error != nil {
          if let present = other.data.valueOfKey { return present }
          // It was removed, or the answer is now that there is no data.
          if other.data.context.isValueSet { throw NoDataError() }
          if !other.data.hasRunningLoad, !other.data.state.core.record.isOfFormerKey { throw CancellationError() }
        }
      } catch let error as CancellationError {
        guard other.data.revision.key != call.key, load.isCurrent, !Task.isCancelled else { throw error }
      } catch let error where !(error is NoKeyError) {
        // Since the failure, an observer of it may have set a value.
        guard load.isCurrent, other.data.isFresh(for: .stale), let present = other.data.valueOfKey else { throw error }
        return present
      }
      call = other.call(when: .stale, isolation: isolation)
    }
  }

  private func watch<Other>(_ other: AsyncResource<Other>) throws {
    guard let data = load.writableData else { throw CancellationError() }
    ownWatching?.add(WatchedData(other.data, heldBy: other), of: data, for: load)
  }
}

/// A request that an operation has made of another resource, unless the two would await each other.
private struct WatchedRequest<Value> {
  let resource: AsyncResource<Value>
  let wait: NestedWait
  let call: Result<ResourceCall<Value>, any Error>

  init(
    _ resource: AsyncResource<Value>, at place: LoadPlace, when condition: LoadCondition,
    isolation: isolated any Actor
  ) {
    self.resource = resource
    wait = resource.data.wait(at: place)
    if let cycle = wait.begin() {
      call = .failure(cycle)
    } else {
      call = .success(resource.call(when: condition, isolation: isolation))
    }
  }
}

extension AsyncResource: AwaitedInput {
  func hold() -> FollowingCall? {
    guard let load = data.state.core.order.whole, let ticket = load.joinIfWanted(isPinned: false) else { return nil }
    return FollowingCall(load, ticket)
  }
}
