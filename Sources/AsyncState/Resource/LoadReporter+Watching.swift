// SPDX-License-Identifier: MIT
extension LoadReporter {
  /// The values of other resources, fresh enough, which are watched from then on: when one changes, what is being loaded
  /// here is marked stale, and requested again where it is in use.
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
  /// A value that is only awaited, with ``AsyncResource/get(when:acceptingStale:isolation:)``, is not watched. What the
  /// last load has got is watched, and is held meanwhile. If something changes between two calls of this function, the
  /// operation is called again: nothing is made of values that do not belong together.
  ///
  /// - Parameters:
  ///   - others: Resources of the same actor.
  ///   - condition: When to request each of them at all. By default a value that is not stale is returned at once.
  ///   - acceptingStale: Whether to return the value that is there when its request fails.
  ///   - isolation: The actor that all belong to.
  /// - Throws: The first error in the order of the resources, when all requests have ended: as
  ///   ``AsyncResource/get(when:acceptingStale:isolation:)``; ``LoadCycle`` when the two would await each other;
  ///   `CancellationError` when this load is not current any more.
  public func get<each Other>(
    _ others: repeat AsyncResource<each Other>, when condition: LoadCondition = .stale, acceptingStale: Bool = false,
    isolation: isolated any Actor = #isolation
  ) async throws -> (repeat each Other) {
    guard let place = loadHere?.writableData?.beginWatching(self) else { throw CancellationError() }
    let requests = (repeat WatchedRequest(each others, at: place, when: condition, isolation: isolation))
    let results = (repeat await result(of: each requests, acceptingStale: acceptingStale, isolation: isolation))
    return (repeat try (each results).get())
  }

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
    do {
      let value = try await current(of: request, acceptingStale: acceptingStale, isolation: isolation)
      // As it is by now: it may have changed since the request ended, or be gone.
      let present = other.data.displayed
      try watch(other, hasChanged: present == nil)
      return present ?? value
    } catch {
      // It is requested again when the other has a value.
      if load.isCurrent, !(error is LoadCycle), !(error is MixedInputs) { try watch(other) }
      throw error
    }
  }

  /// The value of another resource, which was not made of anything that has changed since, and belongs to its key.
  private func current<Other>(
    of request: WatchedRequest<Other>, acceptingStale: Bool, isolation: isolated any Actor
  ) async throws -> Other {
    let other = request.resource
    var call = try request.call.get()
    defer { request.wait.end() }
    while true {
      do {
        let value = try await other.value(of: call, acceptingStale: acceptingStale, isolation: isolation)
        // Else the load had begun before the change.
        guard other.data.isBehind, other.data.context.error == nil, load.isCurrent else { return value }
      } catch let error as CancellationError {
        guard other.data.revision.key != call.key, load.isCurrent, !Task.isCancelled else { throw error }
      }
      call = other.call(when: .stale, isolation: isolation)
    }
  }

  /// - Parameter hasChanged: It has changed since the operation got it.
  private func watch<Other>(_ other: AsyncResource<Other>, hasChanged: Bool = false) throws {
    guard let data = load.writableData else { throw CancellationError() }
    try (watching as? Watching<Value>)?.add(
      WatchedData(other.data, heldBy: other), of: data, for: load, hasChanged: hasChanged)
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
