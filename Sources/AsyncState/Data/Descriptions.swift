// SPDX-License-Identifier: MIT
// The description of data in a debugger: the value, the running load, and its problems. It changes nothing, and Observation
// does not track it. The descriptions of values and errors are their own, bounded in length.

extension AsyncSnapshot: CustomStringConvertible {
  /// The value and the running load, as in `3 items, refreshing, attempt 2`.
  public var description: String { description(runningFor: nil) }

  /// - Parameter duration: The time since the load began; nil: unknown.
  fileprivate func description(runningFor duration: Duration?) -> String {
    var words = [value.map { brief(valueOf: $0) } ?? (isValueSet ? "no data" : "nothing known")]
    if isProvisional { words.append("provisional") }
    if isInvalidated { words.append("invalidated") }
    if let error { words.append("error: \(brief(error))") }
    if let activity = context.load {
      words.append(activity.description(runningFor: duration, keeps: isSettled || value != nil))
    }
    for (edge, name) in [(PageEdge.next, "next"), (.previous, "previous")] where context[page: edge].isRunning {
      words.append("\(name) page loading")
    }
    return words.joined(separator: ", ")
  }
}

extension LoadActivity: CustomStringConvertible {
  /// The effect of the load on the content, its progress, and its attempt, as in `refreshing, 40 %, attempt 2`.
  public var description: String { description(runningFor: nil, keeps: true) }

  /// - Parameter keepsContent: True if there is content to keep, so that a refresh is one.
  fileprivate func description(runningFor duration: Duration?, keeps keepsContent: Bool) -> String {
    let since = duration.map { " since \($0.inTenths) s" } ?? ""
    var words = [(mode == .refresh && keepsContent ? "refreshing" : "loading") + since]
    if isWaiting { words.append("waiting") }
    if let progress { words.append("\(Int((progress * 100).rounded())) %") }
    if failures > 0 { words.append("attempt \(failures + 1)") }
    return words.joined(separator: ", ")
  }
}

extension AsyncData: CustomStringConvertible, CustomReflectable {
  /// The type, the value and the running load, as in `AsyncData<Array<Article>>: 3 items, refreshing since 1.2 s, attempt 2`.
  ///
  /// Call it on the actor of the data. The time since a load began is there for resources, and for data that was created with a
  /// clock, a seed or an age limit.
  public var description: String { "\(Self.self): \(content)" }

  /// The part of a description of this data after its type.
  package var content: String {
    facts.description(runningFor: state.core.order.whole?.state.startedAt.map { now - $0 })
  }

  /// The value, the error and the running load.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["value": facts.value as Any, "error": facts.error as Any, "activity": facts.activity as Any],
      displayStyle: .class)
  }
}

extension Duration {
  /// Seconds with one decimal place, rounded down.
  fileprivate var inTenths: String {
    let (seconds, attoseconds) = max(self, .zero).components
    return "\(seconds).\(attoseconds / 100_000_000_000_000_000)"
  }
}
