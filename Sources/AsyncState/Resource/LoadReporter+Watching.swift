// SPDX-License-Identifier: MIT
extension LoadReporter {
  /// The value of another resource, fresh enough, which is watched from then on: when it changes, what is being loaded
  /// here is marked stale, and requested again where it is in use.
  ///
  /// ```swift
  /// let headline = AsyncResource { (reporter: LoadReporter<String>) in
  ///   let user = try await reporter.get(account)
  ///   return try await service.headline(for: user)
  /// }
  /// ```
  ///
  /// A value that is only awaited, with ``AsyncResource/get(when:acceptingStale:isolation:)``, is not watched. What the
  /// last load has got is watched, and is held meanwhile. If something changes between two calls of this function, the
  /// operation is called again: nothing is made of values that do not belong together.
  ///
  /// - Parameters:
  ///   - other: A resource of the same actor.
  ///   - condition: When to request it at all. By default a value that is not stale is returned at once.
  ///   - acceptingStale: Whether to return the value that is there when its request fails.
  ///   - isolation: The actor that both belong to.
  /// - Throws: As ``AsyncResource/get(when:acceptingStale:isolation:)``; ``FamilyCycle`` when the two would await each
  ///   other; `CancellationError` when this load is not current any more.
  public func get<Other>(
    _ other: AsyncResource<Other>, when condition: LoadCondition = .stale, acceptingStale: Bool = false,
    isolation: isolated any Actor = #isolation
  ) async throws -> Other {
    guard let place = loadHere?.writableData?.beginWatching(self) else { throw CancellationError() }
    let wait = NestedWait(place: place, target: other.data.place, label: other.data.placeLabel)
    if let cycle = wait.begin() { throw cycle }
    defer { wait.end() }
    do {
      let value = try await current(of: other, when: condition, acceptingStale: acceptingStale, isolation: isolation)
      try watch(other)
      // As it is by now: it may have changed since the request ended.
      return other.data.displayed ?? value
    } catch {
      // It is requested again when the other has a value.
      if load.isCurrent, !(error is FamilyCycle), !(error is MixedInputs) { try watch(other) }
      throw error
    }
  }

  /// The value of another resource, which was not made of anything that has changed since, and belongs to its key.
  private func current<Other>(
    of other: AsyncResource<Other>, when condition: LoadCondition, acceptingStale: Bool,
    isolation: isolated any Actor
  ) async throws -> Other {
    var condition = condition
    while true {
      let key = other.data.revision.key
      do {
        let value = try await other.get(when: condition, acceptingStale: acceptingStale, isolation: isolation)
        // Else the load had begun before the change.
        guard other.data.isBehind, other.data.context.error == nil, load.isCurrent else { return value }
      } catch let error as CancellationError {
        guard other.data.revision.key != key, load.isCurrent, !Task.isCancelled else { throw error }
      }
      condition = .stale
    }
  }

  private func watch<Other>(_ other: AsyncResource<Other>) throws {
    guard let data = load.writableData else { throw CancellationError() }
    try watching?.add(WatchedData(other.data, heldBy: other), of: data)
  }
}
