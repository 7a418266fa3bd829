// SPDX-License-Identifier: MIT
// What follows from a performed input, from when it is displayed to its end.

/// How a performed input has ended, for what follows from it.
enum MutationEnd<Output> {
  case succeeded(Output)
  /// After all attempts.
  case failed(any Error)
  /// It was sent, and given up before the answer.
  case givenUp
  /// It was never sent.
  case withdrawn

  /// The server has done it, or may have.
  func mayBeDone(wasSent: Bool) -> Bool {
    switch self {
    case .succeeded, .givenUp: true
    case .failed(let error): wasSent && error is LoadTimeoutError
    case .withdrawn: false
    }
  }
}

/// One thing that follows from a performed input.
struct MutationEffect<Input, Output> {
  /// It is sent for the first time.
  ///
  /// - Parameter isSentBefore: It may have been sent before it was displayed, by a former launch.
  var send: (_ isSentBefore: Bool) -> Void = { _ in }
  /// Something else is sent in its place.
  var rewrite: (_ input: Input, _ step: EarlyRound) -> Void = { _, _ in }
  /// What it changes becomes visible in the step, together with what others change.
  let end: (_ end: MutationEnd<Output>, _ step: EarlyRound) -> Void
}

/// All that follows from each input of a command.
struct CommandEffects<Input, Output> {
  typealias Effect = (_ input: Input, _ step: EarlyRound) -> MutationEffect<Input, Output>

  private var all: [Effect] = []
  /// Something is displayed while an input waits.
  private(set) var displaysChanges = false
  /// An input was performed.
  private var isInUse = false

  /// The effects, for an input that is performed. It is a copy, because the patches are the user's, and may perform another.
  mutating func use() -> Self {
    isInUse = true
    return self
  }

  /// All that an input changes is changed before the first observer of it is called.
  func begin(for run: MutationRun<Input, Output>) {
    guard !all.isEmpty else { return }
    let step = EarlyRound()
    for effect in all { run.begin(effect(run.input, step), in: step) }
    step.finish()
  }

  /// - Parameter confirmed: What the output makes of the change; nil: it stays as it is displayed.
  mutating func addChange<Value>(
    of resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void,
    confirmed: ((inout Value, Input, Output) -> Void)?
  ) {
    displaysChanges = true
    add("changing") { input, step in
      let change = PerformedChange(resource, patch, confirmed)
      change.display(input, in: step)
      return MutationEffect(send: change.send, rewrite: change.display, end: change.end)
    }
  }

  mutating func addInvalidation(on board: AsyncTagBoard, _ tags: @escaping (Input, Output?) -> Set<AsyncTag>) {
    add("invalidating") { input, _ in
      var (input, wasSent) = (input, false)
      return MutationEffect(send: { _ in wasSent = true }, rewrite: { other, _ in input = other }) { end, step in
        guard end.mayBeDone(wasSent: wasSent) else { return }
        var output: Output?
        if case .succeeded(let answer) = end { output = answer }
        // When all that the input has changed has changed.
        step.deliver { board.invalidate(tags(input, output)) }
      }
    }
  }
}

extension CommandEffects {
  /// Release builds do it to the inputs that follow.
  private mutating func add(_ name: String, _ effect: @escaping Effect) {
    assert(
      !isInUse,
      """
      AsyncState: `\(name)` was called after an input was performed. That input has not got it, so what it has done is \
      displayed in part. Call it where the mutation or the outbox is created, before `perform` and `resume`.
      """)
    all.append(effect)
  }
}

/// The change of a resource that one input makes.
private final class PerformedChange<Input, Output, Value> {
  private let resource: (Input) -> AsyncResource<Value>?
  private let patch: (inout Value, Input) -> Void
  private let confirmed: ((inout Value, Input, Output) -> Void)?
  private var input: Input?
  /// A family keeps the entry as long as the change is not decided.
  private var changed: AsyncResource<Value>?
  private var change: UndecidedChange<Value>?
  /// Whether it was sent before it was displayed; nil: it was not sent.
  private var isSentBefore: Bool?

  init(
    _ resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void,
    _ confirmed: ((inout Value, Input, Output) -> Void)?
  ) {
    self.resource = resource
    self.patch = patch
    self.confirmed = confirmed
  }

  /// - Parameter input: Takes the place of what was displayed before.
  func display(_ input: Input, in step: EarlyRound) {
    self.input = input
    let patch = { [patch] (value: inout Value) in patch(&value, input) }
    let resource = resource(input)
    if let change, let resource, resource === changed {
      return resource.data.changing(in: step) { change.exchange(patch) }
    }
    end(.withdrawn, in: step)
    guard let resource else { return }
    changed = resource
    let data = resource.dataToWrite
    data.changing(in: step) { change = data.display(patch) }
    if let isSentBefore { change?.begin(isSentBefore: isSentBefore) }
  }

  func send(isSentBefore: Bool) {
    self.isSentBefore = isSentBefore
    change?.begin(isSentBefore: isSentBefore)
  }

  func end(_ end: MutationEnd<Output>, in step: EarlyRound) {
    guard let change = change.take(), let changed = changed.take(), let input else { return }
    changed.data.changing(in: step) {
      switch end {
      case .succeeded(let output):
        change.settle(.confirmed(confirmed.map { confirmed in { confirmed(&$0, input, output) } }))
      case .failed, .givenUp, .withdrawn: change.settle(.removed)
      }
    }
  }
}

extension AsyncMutation {
  /// Displays a change at once, before the answer: an optimistic update.
  ///
  /// ```swift
  /// let like = AsyncMutation { (id: Post.ID) in try await service.like(id) }
  ///   .changing({ [posts] id in posts[id] }) { post, _ in post.likes += 1 }
  /// ```
  ///
  /// The change is visible when ``perform(_:isolation:)`` returns, also while the input waits for its turn. Changes follow
  /// the rules of ``AsyncData/mutate(lane:isolation:_:commit:)``: a success keeps this one, a failure removes it alone and
  /// marks the resource stale, and so does a request that was cancelled while it ran. One that was cancelled before it
  /// began is removed without that. Over the value of a former key nothing is displayed: what is loaded meanwhile is marked stale.
  ///
  /// Several changes of one input are one step: no observer of one of the resources finds another one unchanged.
  ///
  /// Call it before the first input is performed.
  ///
  /// - Parameters:
  ///   - resource: The resource that an input changes; nil if it changes none. It belongs to the mutation's actor.
  ///   - patch: Makes the change. A pure function: it is applied again when the value below it changes, whatever that is
  ///     by then.
  /// - Returns: The mutation.
  @discardableResult
  public func changing<Value>(
    _ resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void
  ) -> AsyncMutation {
    effects.addChange(of: resource, patch, confirmed: nil)
    return self
  }

  /// Displays a change at once, and puts what the answer makes of it in its place when that is there: a temporary row
  /// becomes the row of the server.
  ///
  /// ```swift
  /// create = AsyncMutation(overlap: .queue) { (text: String) in
  ///   try await service.create(text)
  /// }.changing({ _ in rows }) { rows, text in
  ///   rows.append(Row(id: -1, text: text))
  /// } confirming: { rows, _, row in
  ///   if !rows.contains(row) { rows.append(row) }
  /// }
  /// ```
  ///
  /// As ``changing(_:_:)``; the second closure takes the place of the first one in the notification of the confirmation.
  ///
  /// - Parameters:
  ///   - resource: The resource that an input changes; nil if it changes none. It belongs to the mutation's actor.
  ///   - patch: Makes the change until there is an answer. A pure function.
  ///   - confirmed: Makes the change with the output, to the value without the first one. A pure function, too; it may be
  ///     applied to a value that has the change already.
  /// - Returns: The mutation.
  @discardableResult
  public func changing<Value>(
    _ resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void,
    confirming confirmed: @escaping (inout Value, Input, Output) -> Void
  ) -> AsyncMutation {
    effects.addChange(of: resource, patch, confirmed: confirmed)
    return self
  }

  /// Invalidates tags when an input was performed: everything with one of them is out of date then, and is requested
  /// again where it is held.
  ///
  /// That happens after a success, and after a request that was cancelled, superseded or timed out while it ran, because
  /// the server may have done it. A failure invalidates nothing, nor does an input that was never sent.
  ///
  /// Call it before the first input is performed.
  ///
  /// - Parameters:
  ///   - board: Where the tags are invalidated.
  ///   - tags: The tags of an input, and of its output; that is nil if it is not known.
  /// - Returns: The mutation.
  @discardableResult
  public func invalidating(
    _ board: AsyncTagBoard, _ tags: @escaping (Input, Output?) -> Set<AsyncTag>
  ) -> AsyncMutation {
    effects.addInvalidation(on: board, tags)
    return self
  }
}
