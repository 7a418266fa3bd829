// SPDX-License-Identifier: MIT
// Values of resources as results.

extension AsyncResource {
  /// The value, fresh enough.
  ///
  /// ```swift
  /// func article(_ id: Article.ID) async throws -> Article {
  ///   try await articles[id].get()
  /// }
  /// ```
  ///
  /// It joins a running request, keeps the content of screens while it waits, and waits for the value as
  /// ``load(when:isolation:)`` does: a reload or a write by another caller does not end it. Where the key is not known yet, it waits
  /// while what the key is derived from is being requested.
  ///
  /// - Parameters:
  ///   - condition: The condition for the request. By default a value that is not stale is returned at once.
  ///   - isolation: The actor that the resource belongs to.
  /// - Throws: The error of the request; ``NoDataError`` when the answer is that there is no data; ``NoKeyError`` when there is
  ///   no key, or a resource that the value is made of has none; `CancellationError` when the calling task or the load was cancelled, or
  ///   the data was reset or forgotten, or now belongs to another key.
  public func get(
    when condition: LoadCondition = .stale, isolation: isolated any Actor = #isolation
  ) async throws -> Value {
    if !Task.isCancelled, isAnswered(when: condition, isolation: isolation), let value = data.displayed { return value }
    while true {
      do {
        return try await value(of: call(when: condition, isolation: isolation), isolation: isolation)
      } catch is NoKeyError where !hasKey {
        guard await untilKeyIsKnown(isolation: isolation) else {
          try Task.checkCancellation()
          throw NoKeyError()
        }
      }
    }
  }

  /// The value in the outcome of a call.
  ///
  /// - Throws: The errors of ``get(when:isolation:)``.
  func value(of call: ResourceCall<Value>, isolation: isolated (any Actor)?) async throws -> Value {
    switch await call.outcome(isolation: isolation) {
    case .success(let value?), .notRequested(let value?): return value
    case .notRequested(nil) where !hasKey: throw NoKeyError()
    case .success(nil), .notRequested(nil): throw NoDataError()
    case .failure(let error): throw error
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
