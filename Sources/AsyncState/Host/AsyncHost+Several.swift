// SPDX-License-Identifier: MIT
extension AsyncHost {
  /// A host that displays several resources together: content when all have a value, loading while one is missing.
  ///
  /// ```swift
  /// let host = AsyncHost(articles, weather) { status in
  ///   switch status {
  ///   case .loading: [spinner]
  ///   case .error(let error): [Message("\(error)")]
  ///   case .data((let articles, let weather)): [List(articles), Sky(weather)]
  ///   case .noData: [Message("Nothing here")]
  ///   case .idle: [Retry()]
  ///   case .waiting: [Message("Waiting for a network")]
  ///   }
  /// }
  /// ```
  ///
  /// ``start(when:isolation:)``, ``refresh(isolation:)`` and ``reload(isolation:)`` request all resources, and the handle ends
  /// when all requests have ended. The host displays the snapshots combined by `zip`. The host's ``data`` only follows the
  /// resources: to cancel, reset, forget or invalidate it does so to each of them. It is not written: what is written is
  /// replaced at the next change. Values, errors and delegates are set on the resources.
  ///
  /// - Parameters:
  ///   - first: A resource to display.
  ///   - second: Another one.
  ///   - others: All others.
  ///   - policy: Decides about the status if there is a choice.
  ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once.
  ///   - animator: Runs the container's animations.
  ///   - children: The children of a status, from bottom to top. Leave it out if a ``presenter`` displays everything.
  public convenience init<First, Second, each Other>(
    _ first: AsyncResource<First>, _ second: AsyncResource<Second>, _ others: repeat AsyncResource<each Other>,
    policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    animator: any TransitionAnimator = ImmediateAnimator.shared,
    children: ((AsyncStatus<Value>) -> [any ChildController])? = nil
  ) where Value == (First, Second, repeat each Other) {
    let combination = Combination(of: first, second, repeat each others)
    self.init(combination.data, .combination(combination), policy, pacer, animator, children)
  }
}
