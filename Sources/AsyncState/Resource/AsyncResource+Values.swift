// SPDX-License-Identifier: MIT
// Values of resources as results: for servers, and for one resource that awaits another.

extension AsyncResource {
  /// The value, fresh enough.
  ///
  /// ```swift
  /// func article(_ id: Article.ID) async throws -> Article {
  ///   try await articles[id].get(acceptingStale: true)
  /// }
  /// ```
  ///
  /// It joins a running request, keeps the content of screens while it waits, and waits for the value as
  /// ``load(when:isolation:)`` does: a reload or a write by another caller does not end it.
  ///
  /// - Parameters:
  ///   - condition: The condition for the request. By default a value that is not stale is returned at once.
  ///   - acceptingStale: True to return the present value when the request fails.
  ///   - isolation: The actor that the resource belongs to.
  /// - Throws: The error of the request; ``NoDataError`` when the answer is that there is no data; ``NoKeyError`` when there is
  ///   no key, or an input of the operation has none; `CancellationError` when the calling task or the load was cancelled, or
  ///   the data was reset or forgotten, or now belongs to another key.
  public func get(
    when condition: LoadCondition = .stale, acceptingStale: Bool = false, isolation: isolated any Actor = #isolation
  ) async throws -> Value {
    if !Task.isCancelled, isAnswered(when: condition, isolation: isolation), let value = data.displayed { return value }
    return try await value(
      of: call(when: condition, isolation: isolation), acceptingStale: acceptingStale, isolation: isolation)
  }

  /// The value in the outcome of a call.
  func value(
    of call: ResourceCall<Value>, acceptingStale: Bool, isolation: isolated any Actor
  ) async throws -> Value {
    try value(from: await call.outcome(isolation: isolation), of: call, acceptingStale: acceptingStale)
  }

  /// - Throws: The errors of ``get(when:acceptingStale:isolation:)``.
  private func value(
    from outcome: AsyncOutcome<Value?>, of call: ResourceCall<Value>, acceptingStale: Bool
  ) throws -> Value {
    switch outcome {
    case .success(let value?), .notRequested(let value?): return value
    case .notRequested(nil) where !hasKey: throw NoKeyError()
    case .success(nil), .notRequested(nil): throw NoDataError()
    case .failure(let error):
      guard acceptingStale, let value = data.valueOfKey else { throw error }
      return value
    case .cancelled, .superseded:
      // In a task that is cancelled the answer is not wanted any more, even if a key was missing.
      guard !Task.isCancelled, call.lackedKey || !hasKey else { throw CancellationError() }
      throw NoKeyError()
    }
  }
}

extension AsyncResource where Value: Equatable {
  /// Marks the value stale if it is still this one and nothing is being requested: for a value that has failed at its use.
  ///
  /// ```swift
  /// tokens.invalidate(ifValue: used)  // Fifty requests were refused with the same token.
  /// let token = try await tokens.get()  // They share one request for the next one.
  /// ```
  ///
  /// - Parameter used: The value that has failed.
  public func invalidate(ifValue used: Value) {
    catchUp()
    guard !data.context.isRunning, data.displayed == used else { return }
    invalidate()
  }
}

// MARK: - Several at once

// `async let` and task groups cannot be used for it: their child tasks run on no actor. The parameter packs are functions of a
// resource of `Never`, which the compiler infers: `AsyncResource.load(article, comments)`.
extension AsyncResource where Value == Never {
  /// Loads several resources of an actor at once, and waits for all of them.
  ///
  /// ```swift
  /// let (article, comments) = await AsyncResource.load(article, comments, when: .stale)
  /// ```
  ///
  /// All requests have been made when this suspends for the first time. Each follows the rules of
  /// ``load(when:isolation:)``; one that fails does not end the others.
  ///
  /// - Parameters:
  ///   - resources: The resources to load.
  ///   - condition: The condition for each request.
  ///   - isolation: The actor that the resources belong to.
  /// - Returns: The outcome of each load, in the order of the resources.
  @discardableResult
  public static func load<each Part>(
    _ resources: repeat AsyncResource<each Part>, when condition: LoadCondition = .always,
    isolation: isolated any Actor = #isolation
  ) async -> (repeat AsyncOutcome<(each Part)?>) {
    let calls = (repeat (each resources).call(when: condition, isolation: isolation))
    return (repeat await (each calls).outcome(isolation: isolation))
  }

  /// The values of several resources of an actor, requested at once.
  ///
  /// ```swift
  /// let (article, comments) = try await AsyncResource.get(article, comments)
  /// ```
  ///
  /// - Parameters:
  ///   - resources: The resources to load.
  ///   - condition: The condition for each request.
  ///   - acceptingStale: True to return the present value in the place of an error.
  ///   - isolation: The actor that the resources belong to.
  /// - Throws: The first error in the order of the resources, when all requests have ended; see
  ///   ``get(when:acceptingStale:isolation:)``.
  public static func get<each Part>(
    _ resources: repeat AsyncResource<each Part>, when condition: LoadCondition = .stale, acceptingStale: Bool = false,
    isolation: isolated any Actor = #isolation
  ) async throws -> (repeat each Part) {
    let calls = (repeat (each resources).call(when: condition, isolation: isolation))
    let outcomes = (repeat await (each calls).outcome(isolation: isolation))
    return (repeat try (each resources).value(from: each outcomes, of: each calls, acceptingStale: acceptingStale))
  }
}
