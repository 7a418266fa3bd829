// SPDX-License-Identifier: MIT
// The effects of a performed input, from its display to its end.

/// The end of a performed input, for its effects.
enum MutationEnd<Output> {
  case succeeded(Output)
  /// After all attempts.
  case failed(any Error)
  /// It was sent, and given up before the answer.
  case givenUp
  /// It was never sent.
  case withdrawn

  var isSuccess: Bool { if case .succeeded = self { true } else { false } }

  /// True if the server has done it, or may have.
  func mayBeDone(wasSent: Bool) -> Bool {
    switch self {
    case .succeeded, .givenUp: true
    case .failed(let error): wasSent && (error is LoadTimeoutError || error is RequestInterruptedError)
    case .withdrawn: false
    }
  }
}

/// One effect of a performed input.
struct MutationEffect<Input, Output> {
  /// Called when the input is sent, also after it has waited once more, and where it was sent before it was displayed.
  ///
  /// - Parameter isSentBefore: True if it may have been sent before, by a previous launch or for an equal input.
  var send: (_ isSentBefore: Bool) -> Void = { _ in }
  /// Called when it waits to be sent once more.
  var wait: (_ step: EarlyRound) -> Void = { _ in }
  /// Called when another input is sent in its place.
  var rewrite: (_ input: Input, _ step: EarlyRound) -> Void = { _, _ in }
  /// Ends the effect. Readers see its change in this step, together with those of others.
  let end: (_ end: MutationEnd<Output>, _ step: EarlyRound) -> Void
  /// Called if the input was carried out after all, after the effect had ended without a success.
  var carriedOut: (_ output: Output) -> Void = { _ in }
}

/// The effects of each input of a command.
struct CommandEffects<Input, Output> {
  typealias Effect = (_ run: MutationRun<Input, Output>, _ step: EarlyRound) -> MutationEffect<Input, Output>

  private var all: [Effect] = []
  /// True if a change is displayed while an input waits.
  private(set) var displaysChanges = false
  /// True if an input was performed.
  private var isInUse = false

  /// The effects, for an input that is performed. A copy, because the patches are the user's, and may perform another one.
  mutating func use() -> Self {
    isInUse = true
    return self
  }

  /// Makes all changes of an input before any observer of them is called.
  func begin(for run: MutationRun<Input, Output>, in step: EarlyRound? = nil) {
    EarlyRound.within(step) { step in for effect in all { run.begin(effect(run, step), in: step) } }
  }

  /// - Parameter confirmed: The change that the output makes; nil: the displayed change stays.
  mutating func addChange<Value>(
    of resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void,
    confirmed: ((inout Value, Input, Output) -> Void)?
  ) {
    displaysChanges = true
    add("changing") { run, step in
      let change = PerformedChange(resource, patch, confirmed, of: run)
      change.display(run.input, in: step)
      return MutationEffect(
        send: change.send, wait: change.wait, rewrite: change.display, end: change.end,
        carriedOut: { _ in change.noteMade() })
    }
  }

  mutating func addInvalidation(on board: AsyncTagBoard, _ tags: @escaping (Input, Output?) -> Set<AsyncTag>) {
    add("invalidating") { run, _ in
      var (input, wasSent) = (run.input, false)
      /// Its number on the board, while it is being sent.
      var number: Int?
      return MutationEffect { isSentBefore in
        wasSent = true
        let sent = input
        if !isSentBefore { number = board.beginCommand { tags(sent, nil) } }
      } wait: { step in
        if let ended = number.take() { step.deliver { board.endCommand(ended, invalidating: []) } }
      } rewrite: { other, _ in
        input = other
      } end: { end, step in
        let mayBeDone = end.mayBeDone(wasSent: wasSent)
        guard mayBeDone || number != nil else { return }
        var output: Output?
        if case .succeeded(let answer) = end { output = answer }
        // After all changes of the input.
        step.deliver { board.endCommand(number, invalidating: mayBeDone ? tags(input, output) : []) }
      } carriedOut: { output in
        RunningOperation.outside { board.invalidate(tags(input, output)) }
      }
    }
  }
}

extension CommandEffects {
  /// In release builds the effect applies to the inputs that follow.
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
  private weak var run: (any RankedInput)?
  private var input: Input?
  /// Held, because a family keeps the entry as long as the change is not decided.
  private var changed: AsyncResource<Value>?
  private var change: UndecidedChange<Value>?
  /// The data of the last change, which has ended.
  private var removed: WeakReference<AsyncData<Value>>?
  /// True if it was sent before it was displayed; nil: it was not sent.
  private var isSentBefore: Bool?

  init(
    _ resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void,
    _ confirmed: ((inout Value, Input, Output) -> Void)?, of run: any RankedInput
  ) {
    self.resource = resource
    self.patch = patch
    self.confirmed = confirmed
    self.run = run
  }

  /// - Parameter input: Takes the place of the displayed input.
  func display(_ input: Input, in step: EarlyRound) {
    self.input = input
    let patch = { [patch] (value: inout Value) in patch(&value, input) }
    let resource = resource(input)
    if let change, let resource, resource === changed {
      let data = resource.data
      change.exchangeQuietly(patch)
      let revision = data.revision.value
      // It is displayed with another change of the data in this step, or else by itself.
      return step.deliver {
        if data.revision.value == revision { data.changing(in: step) { change.exchange(patch) } }
      }
    }
    end(.withdrawn, in: step)
    guard let resource else { return }
    changed = resource
    let data = resource.dataToWrite
    data.changing(in: step) { change = data.display(patch, of: run) }
    if let isSentBefore { change?.begin(isSentBefore: isSentBefore) }
  }

  func send(isSentBefore: Bool) {
    if self.isSentBefore == nil { self.isSentBefore = isSentBefore }
    change?.begin(isSentBefore: isSentBefore)
  }

  func wait(in step: EarlyRound) { changed?.data.changing(in: step) { change?.wait() } }

  func end(_ end: MutationEnd<Output>, in step: EarlyRound) {
    guard let change = change.take(), let changed = changed.take(), let input else { return }
    changed.data.changing(in: step) {
      switch end {
      case .succeeded(let output):
        change.end(as: confirmed.map { confirmed in { confirmed(&$0, input, output) } }, succeeded: true)
      case .failed, .givenUp, .withdrawn: change.end(succeeded: false)
      }
    }
    removed = WeakReference(change.data)
  }

  /// Notes that the input was carried out, although the change had been removed.
  func noteMade() { removed?.object?.noteMade() }
}

extension AsyncMutation {
  /// Displays a change at once, before the answer: an optimistic update.
  ///
  /// ```swift
  /// let like = AsyncMutation { (id: Post.ID) in try await service.like(id) }
  ///   .changing({ [posts] id in posts[id] }) { post, _ in post.likes += 1 }
  /// ```
  ///
  /// The change is visible when ``perform(_:isolation:)`` returns, above all others, also while the input waits for its turn; that of
  /// a ``retry(isolation:)`` lies below those of inputs that wait behind it. Changes follow the rules of
  /// ``AsyncData/mutate(isolation:_:commit:)``: a success keeps this one, a failure removes it alone and marks the resource stale,
  /// and so does a request that was cancelled while it ran. One that was cancelled before it began is removed without that. While
  /// the value of a previous key is displayed, the change is not: a value that is loaded before the
  /// end of the request is marked stale.
  ///
  /// Several changes of one input are one step: an observer of one of the resources never finds another one unchanged.
  ///
  /// With `confirming:` another change takes its place when there is an answer: a temporary row becomes the row of the server.
  ///
  /// ```swift
  /// create = AsyncMutation(overlap: .queue) { draft in
  ///   try await service.create(draft.text)
  /// }.changing({ _ in rows }) { rows, draft in
  ///   rows.append(Row(id: draft.id, text: draft.text))
  /// } confirming: { rows, _, row in
  ///   if !rows.contains(row) { rows.append(row) }
  /// }
  /// ```
  ///
  /// Call it before the first input is performed.
  ///
  /// - Parameters:
  ///   - resource: The resource that an input changes; nil if it changes none. It belongs to the mutation's actor.
  ///   - patch: Makes the change until there is an answer. A pure function: it is applied again when the value below it changes,
  ///     to any value.
  ///   - confirmed: Makes the change with the output, to the value without the first one, in the notification of the
  ///     confirmation; nil: the first one stays. A pure function, too; it may be applied to a value that has the change already.
  /// - Returns: The mutation.
  @discardableResult
  public func changing<Value>(
    _ resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void,
    confirming confirmed: ((inout Value, Input, Output) -> Void)? = nil
  ) -> AsyncMutation {
    effects.addChange(of: resource, patch, confirmed: confirmed)
    return self
  }

  /// Invalidates tags when an input was performed: everything with one of them is then out of date, and is requested again if
  /// it is held. From now on the mutation ends with ``AsyncTagBoard/resetMutations()``, as at a log-out.
  ///
  /// That happens after a success, and after a request that was cancelled, superseded or timed out while it ran, because
  /// the server may have done it. A failure invalidates nothing, nor does an input that was never sent. While other inputs
  /// are being sent that may invalidate a tag, by this mutation or others of the board, the request waits for their end, or for
  /// the pause of one in an outbox.
  ///
  /// Call it before the first input is performed.
  ///
  /// - Parameters:
  ///   - board: The board on which the tags are invalidated.
  ///   - tags: Returns the tags of an input and its output; the output is nil if it is not known.
  /// - Returns: The mutation.
  @discardableResult
  public func invalidating(
    _ board: AsyncTagBoard, _ tags: @escaping (Input, Output?) -> Set<AsyncTag>
  ) -> AsyncMutation {
    effects.addInvalidation(on: board, tags)
    board.add(self)
    return self
  }
}

extension AsyncMutation: BoardCommand {}
