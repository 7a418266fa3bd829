// SPDX-License-Identifier: MIT
// Values that are made of others, and the operations that get the parts. The rules are in MadeOf.swift.

extension AsyncSource {
  /// A value that is made of those of other resources.
  ///
  /// ```swift
  /// let screen = AsyncResource(.of(article, comments) { article, comments in Screen(article, comments) })
  /// ```
  ///
  /// A load requests those of the others that are stale, all at once, and fails with the error of one that fails. When one of them
  /// has another value, this one is marked stale before any observer is notified, and is made again, once for all changes, if it
  /// was requested before: until then the previous value is displayed. An equal value is no change. When one of them is reset or
  /// forgotten, or leaves its key without keeping its value, the value of this one is removed, too, and is made again of the next.
  /// Where it keeps the value of its former key, this one does.
  ///
  /// A change of this value that was sent marks the others when it ends, because they do not know it: they are requested again.
  ///
  /// A value is never made of parts that do not belong together: a change while the operation runs supersedes it.
  ///
  /// - Parameters:
  ///   - parts: The others, of the main actor. They are held.
  ///   - operation: Makes the value of theirs; nil: there is none. It runs on the main actor.
  public static func of<each Part>(
    _ parts: repeat AsyncResource<each Part>, operation: @escaping @MainActor (repeat each Part) async throws -> Value?
  ) -> AsyncSource {
    let make = operationOnMainActor { (parts: PartValues<repeat each Part>) in
      try await operation(repeat each parts.values)
    }
    return AsyncSource(kind: .making(of: repeat each parts, by: make))
  }

  /// A value that is made of those of two other resources, of which the value of the first chooses the second.
  ///
  /// ```swift
  /// let price = AsyncResource(.of(account, then: { rates[$0.currency] }) { account, rate in account.balance * rate })
  /// ```
  ///
  /// - Parameters:
  ///   - first: A resource of the main actor. It is held.
  ///   - choose: Chooses the other one by the value of the first, and does nothing else. It is called by each load, and again when
  ///     the first changes meanwhile, also while the other one is requested. The other one is held until another is chosen.
  ///   - operation: Makes the value of theirs; nil: there is none. It runs on the main actor.
  public static func of<First, Second>(
    _ first: AsyncResource<First>, then choose: @escaping @MainActor (First) -> AsyncResource<Second>,
    operation: @escaping @MainActor (First, Second) async throws -> Value?
  ) -> AsyncSource {
    let choose = makingOnMainActor(choose)
    return AsyncSource(kind: .making(of: first, then: choose, by: operationOnMainActor(operation)))
  }
}

// A function for each number of parts: the compiler crashes on a closure whose parameters are a pack in a client without
// `NonisolatedNonsendingByDefault` (Swift 6.3.1).
extension ActorSource {
  /// A value that is made of that of another resource of the actor, like ``AsyncSource/of(_:operation:)``.
  ///
  /// - Parameters:
  ///   - part: The other one. It is held.
  ///   - operation: Makes the value of its value; nil: there is none. It runs on the actor.
  public static func of<Part>(
    _ part: AsyncResource<Part>, operation: @escaping (Part) async throws -> Value?
  ) -> ActorSource {
    ActorSource(kind: .making(of: part) { (parts: PartValues<Part>) in try await operation(parts.values) })
  }

  /// A value that is made of those of two other resources of the actor, like ``AsyncSource/of(_:operation:)``. Of more, make one
  /// of some first.
  ///
  /// - Parameters:
  ///   - first: One of them. It is held.
  ///   - second: The other one. It is held.
  ///   - operation: Makes the value of theirs; nil: there is none. It runs on the actor.
  public static func of<First, Second>(
    _ first: AsyncResource<First>, _ second: AsyncResource<Second>,
    operation: @escaping (First, Second) async throws -> Value?
  ) -> ActorSource {
    ActorSource(
      kind: .making(of: first, second) { (parts: PartValues<First, Second>) in
        try await operation(parts.values.0, parts.values.1)
      })
  }

  /// A value that is made of those of two other resources of the actor, like ``AsyncSource/of(_:then:operation:)``.
  ///
  /// - Parameters:
  ///   - first: A resource. It is held.
  ///   - choose: Chooses the other one by the value of the first, and does nothing else.
  ///   - operation: Makes the value of theirs; nil: there is none. It runs on the actor.
  public static func of<First, Second>(
    _ first: AsyncResource<First>, then choose: @escaping (First) -> AsyncResource<Second>,
    operation: @escaping (First, Second) async throws -> Value?
  ) -> ActorSource {
    ActorSource(kind: .making(of: first, then: choose, by: operation))
  }
}

extension SourceKind {
  /// The source of a value that is made of several others.
  static func making<each Part>(
    of parts: repeat AsyncResource<each Part>, by make: @escaping (PartValues<repeat each Part>) async throws -> Value?
  ) -> SourceKind {
    let held = (repeat HeldPart(each parts))
    return SourceKind(
      .madeOf { (reporter: LoadReporter<Value>) in
        let values = try await reporter.parts(isolation: #isolation) {
          try await reporter.get(repeat each held, isolation: #isolation)
        }
        return try await make(values)
      })
  }

  /// The source of a value that is made of two others, the second of which is chosen by the value of the first.
  static func making<First, Second>(
    of first: AsyncResource<First>, then choose: @escaping (First) -> AsyncResource<Second>,
    by make: @escaping (First, Second) async throws -> Value?
  ) -> SourceKind {
    let held = HeldPart(first)
    return SourceKind(
      .madeOf { (reporter: LoadReporter<Value>) in
        let (first, second) = try await reporter.parts(isChoosing: true, isolation: #isolation) {
          let value = try await reporter.get(held, at: 0, isolation: #isolation)
          return (value, try await reporter.get(HeldPart(choose(value)), at: 1, isolation: #isolation))
        }
        return try await make(first, second)
      })
  }
}

extension AsyncResource: Maker {
  func makeAgain() {
    guard let home = actor else { return }
    ActorBound(self, to: home).callHere { home, resource in
      _ = resource.request(superseding: resource.data.state.core.order.whole, isolation: home)
    }
  }
}

// MARK: - Getting the parts

extension LoadReporter {
  /// Gets the parts, and those again that change meanwhile. The load ends if the value is made of these already.
  fileprivate func parts<Values>(
    isChoosing: Bool = false, isolation: isolated (any Actor)?, _ get: () async throws -> Values
  ) async throws -> Values {
    let madeOf = try madeOf()
    madeOf.begin(isChoosing: isChoosing)
    do {
      while true {
        let values = try await get()
        let data = try writableData()
        guard madeOf.hasAll else { continue }
        guard madeOf.finish(data) else {
          RunningOperation.outside { data.endFresh(load) }
          throw CancellationError()
        }
        return values
      }
    } catch {
      if load.isCurrent { madeOf.giveUp() }
      // It ends as its part does.
      if error is CancellationError { RunningOperation.outside { load.cancel() } }
      throw error
    }
  }

  fileprivate func get<each Other>(
    _ others: repeat HeldPart<each Other>, isolation: isolated (any Actor)?
  ) async throws -> PartValues<repeat each Other> {
    var place = 0
    let requests = (repeat try request(each others, at: &place))
    // Each is awaited, also if another one has failed.
    let results = (repeat await result(of: each requests, isolation: isolation))
    return PartValues(values: (repeat try (each results).get()))
  }

  fileprivate func get<Other>(
    _ other: HeldPart<Other>, at place: Int, isolation: isolated (any Actor)?
  ) async throws -> Other {
    var place = place
    return try await value(of: try request(other, at: &place), isolation: isolation)
  }

  private func writableData() throws -> AsyncData<Value> {
    guard let data = load.writableData else { throw CancellationError() }
    return data
  }

  private func madeOf() throws -> MadeOf {
    guard let madeOf = try writableData().madeOf else {
      preconditionFailure("AsyncState: the parts of a value are got by a resource that is made of others.")
    }
    return madeOf
  }

  /// The part at a place, which is requested if need be.
  private func request<Other>(_ other: HeldPart<Other>, at place: inout Int) throws -> PartRequest<Other> {
    defer { place += 1 }
    let madeOf = try madeOf()
    if let part = madeOf.choose(at: place) as? ResourcePart<Other>, part.resource === other.resource {
      return PartRequest(part)
    }
    let part = ResourcePart(other)
    part.observe(for: try writableData())
    madeOf.set(part, at: place)
    return PartRequest(part)
  }

  private func result<Other>(
    of request: PartRequest<Other>, isolation: isolated (any Actor)?
  ) async -> Result<Other, any Error> {
    do {
      return .success(try await value(of: request, isolation: isolation))
    } catch {
      return .failure(error)
    }
  }

  /// The present value of a part.
  private func value<Other>(of request: PartRequest<Other>, isolation: isolated (any Actor)?) async throws -> Other {
    let part = request.part
    var isLast = false
    // It may have changed while others were awaited.
    if !part.isGot, request.call == nil { request.send() }
    while let call = request.call {
      do {
        let answer = try await part.resource.value(of: call, isolation: isolation)
        guard load.isCurrent else { throw CancellationError() }
        // It was out of date already when it was answered; or a part of it has changed, so it does not belong to the others.
        if !part.isBehind, isLast || !part.isMarked { return try part.presentValue(answer) }
        isLast = true
      } catch {
        // It may have left its key, and be requested for another one; or it has a value now, by an observer of the failure.
        let isOther = part.resource.data.revision.key != call.key || part.resource.data.isFresh(for: .stale)
        let isAgain =
          error is NoKeyError
          ? await part.resource.untilKeyIsKnown(isolation: isolation)
          : isOther && !(error is NoDataError) && !Task.isCancelled
        guard isAgain, load.isCurrent else { throw error }
      }
      request.send()
    }
    return try part.presentValue()
  }
}

/// The values of several parts.
// A structure, because the compiler does not call a closure whose parameter is a tuple of a pack (Swift 6.3.1).
struct PartValues<each Part> {
  let values: (repeat each Part)
}

/// Holds a resource that another one is made of. A chain of them is released one after another.
private final class HeldPart<Value> {
  private var held: AsyncResource<Value>?

  init(_ resource: AsyncResource<Value>) { held = resource }

  deinit { EndRound.release(&held) }

  var resource: AsyncResource<Value> { held! }
}

/// A part that an operation gets. Each has a call of its own: one that was superseded may still wait, too.
private final class PartRequest<Value> {
  let part: ResourcePart<Value>
  /// Nil: it was got before, and has not changed since.
  private(set) var call: ResourceCall<Value>?

  init(_ part: ResourcePart<Value>) {
    self.part = part
    if !part.isGot { send() }
  }

  /// Requests the value, if it is stale, on the resource's actor, where the operation runs that gets it.
  func send() {
    guard let home = part.resource.actor else { return }
    ActorBound(self, to: home).callHere { home, request in
      request.call = request.part.resource.call(when: .stale, isolation: home)
    }
  }
}

/// A resource that another one is made of, and what was last seen of it.
private final class ResourcePart<Value>: MadePart {
  private let held: HeldPart<Value>
  var isGot = false
  private var seen: SeenData<Value>
  private var wasRemoved = false
  /// The number of changes of its key when its value was got.
  private var key: UInt32 = 0
  private var token: ObservedToken?

  init(_ held: HeldPart<Value>) {
    self.held = held
    seen = SeenData(held.resource.data)
  }

  var resource: AsyncResource<Value> { held.resource }

  func observe<Made>(for data: AsyncData<Made>) {
    token = resource.data.observed.node.observeEarly { [weak self, weak data] round in
      if let self, let data { data.madeOf?.partDidChange(self, of: data, in: round) }
    }
  }

  /// The present value, which is got with this.
  ///
  /// - Parameter answer: The answer to the call that has got it; nil: it was got before.
  func presentValue(_ answer: Value? = nil) throws -> Value {
    seen = SeenData(data)
    (isGot, wasRemoved, key) = (true, false, data.revision.key)
    let isAnswer = answer == nil || data.state.core.record.isConfirmed
    guard let value = isAnswer ? data.valueOfKey : answer else { throw NoDataError() }
    return value
  }

  private var data: AsyncData<Value> { resource.data }

  func noteChange() -> DataChange {
    let change = seen.look(at: data)
    switch change {
    case .none, .confirmed: break
    case .marked, .changed, .failed: isGot = false
    case .removed, .left: (isGot, wasRemoved) = (false, true)
    }
    return change
  }

  func finish() { token = nil }

  func doubt(in round: EarlyRound) { data.changing(in: round) { data.doubt(by: .patchDoubted) } }

  var removal: (event: DataEvent, verb: DataVerb?) {
    if data.context.isRequestExpected { return (.keyChanged, nil) }
    return data.context.isUntouched ? (.reset(leavesKey: key != data.revision.key), .reset) : (.forgotten, .forget)
  }
  var isMarked: Bool { data.isInvalidated }
  var isBehind: Bool { isMarked && data.madeOf?.hasAll == false }
  var isOutOfDate: Bool { data.isOutOfDateByItself }
  func noteReadOfFreshness() { data.state.core.noteRead(.freshness) }
  var origins: [any MadePart] { data.madeOf?.origins.filter(\.isOrigin) ?? [] }
  var isMade: Bool { data.madeOf != nil }
  var isOrigin: Bool { data.madeOf == nil || data.canAge }
  var isForgotten: Bool { wasRemoved && !data.context.isSettled && !data.hasRunningLoad }
  var isRequestExpected: Bool { data.context.awaitsRequest }
}
