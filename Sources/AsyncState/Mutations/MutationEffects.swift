// SPDX-License-Identifier: MIT
// The effects of an input, while it waits and at its end.

extension AsyncMutation {
  /// The effects that begin when an input is performed, and how they end.
  typealias Effect = (Input) -> (MutationEnd<Output>) -> Void

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
  /// began is removed without that. A change of a resource that displays the value of a former key is not made.
  ///
  /// Call it before the first input is performed.
  ///
  /// - Parameters:
  ///   - resource: The resource that an input changes; nil if it changes none. It belongs to the mutation's actor.
  ///   - patch: Makes the change. A pure function: it is applied again when the value below it changes.
  /// - Returns: The mutation.
  @discardableResult
  public func changing<Value>(
    _ resource: @escaping (Input) -> AsyncResource<Value>?, _ patch: @escaping (inout Value, Input) -> Void
  ) -> AsyncMutation {
    add(isDisplayed: true) { input in
      guard let resource = resource(input), !resource.data.state.core.record.isOfFormerKey else { return { _ in } }
      let change = resource.data.display { patch(&$0, input) }
      return { end in
        // A family keeps the entry as long as the change is not decided.
        defer { withExtendedLifetime(resource) {} }
        switch end {
        case .succeeded: change.settle(.confirmed(nil))
        case .failed, .unknown, .withdrawn: change.settle(.removed)
        }
      }
    }
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
    add(isDisplayed: false) { input in
      { end in
        switch end {
        case .succeeded(let output): board.invalidate(tags(input, output))
        case .unknown: board.invalidate(tags(input, nil))
        case .failed, .withdrawn: break
        }
      }
    }
    return self
  }
}
