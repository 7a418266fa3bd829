// SPDX-License-Identifier: MIT
// The description of data in a debugger: the value, the load that runs, and what is wrong. Nothing is changed by it,
// and Observation does not track it. The descriptions of values and errors are their own, bounded in length.

extension AsyncSnapshot: CustomStringConvertible {
  /// The value and the load that runs, as in `3 items, refreshing, attempt 2`.
  public var description: String { description(runningFor: nil) }

  /// - Parameter duration: How long the load has been running; nil: unknown.
  fileprivate func description(runningFor duration: Duration?) -> String {
    var words = [value.map { brief(valueOf: $0) } ?? (isValueSet ? "no data" : "nothing known")]
    if isProvisional { words.append("provisional") }
    if isInvalidated { words.append("invalidated") }
    if let error { words.append("error: \(brief(error))") }
    if let activity { words.append(activity.description(runningFor: duration, keeps: isSettled || value != nil)) }
    for (edge, name) in [(PageEdge.next, "next"), (.previous, "previous")] where context[page: edge].isRunning {
      words.append("\(name) page loading")
    }
    return words.joined(separator: ", ")
  }
}

extension LoadActivity: CustomStringConvertible {
  /// The effect of the load on the content, how far it is, and which attempt it is, as in `refreshing, 40 %, attempt 2`.
  public var description: String { description(runningFor: nil, keeps: true) }

  /// - Parameter keepsContent: Whether there is anything to keep, so that a refresh is one.
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
  /// The type, the value and the load that runs, as in
  /// `AsyncData<Array<Article>>: 3 items, refreshing since 1.2 s, attempt 2`.
  ///
  /// Call it on the actor of the data. Since when a load runs is said of resources, and of data that were created with a
  /// clock, a seed or an age limit: it is measured by their clock.
  public var description: String { "\(Self.self): \(content)" }

  /// The part of a description of this data after its type.
  package var content: String {
    facts.description(runningFor: state.core.order.running?.state.startedAt.map { now - $0 })
  }

  /// The value, the error and the running load.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["value": facts.value as Any, "error": facts.error as Any, "activity": facts.activity as Any],
      displayStyle: .class)
  }
}

extension Paged: CustomStringConvertible {
  /// The number of items.
  public var description: String { brief(valueOf: items) }
}

extension LoadTask: CustomStringConvertible {
  /// The type, and how the load ended, as in `LoadTask<Int>: running` or `LoadTask<Int>: value: 7`.
  ///
  /// Call it on the actor of the data.
  public var description: String {
    "\(Self.self): \(state)"
  }

  fileprivate var state: String { load?.isCurrent == true ? "running" : "\(load?.outcome ?? .cancelled)" }
}

extension PendingLoad: CustomStringConvertible {
  /// The type, and how the load ended, as in `PendingLoad<Int>: running`.
  ///
  /// Call it on the actor of the data.
  public var description: String { "\(Self.self): \(task.state)" }
}

extension LoadOutcome: CustomStringConvertible {
  /// The outcome in words, as in `value: 3 items`.
  public var description: String {
    switch self {
    case .success(let value): value.map { "value: \(brief(valueOf: $0))" } ?? "no data"
    case .failure(let error): "failure: \(brief(error))"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .fresh(let value): "fresh: \(value.map { brief(valueOf: $0) } ?? "no data")"
    }
  }
}

extension PageOutcome: CustomStringConvertible {
  /// The outcome in words, as in `value: 20 items`.
  public var description: String {
    switch self {
    case .success(let value): "value: \(brief(valueOf: value))"
    case .failure(let error): "failure: \(brief(error))"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .noFirstPage: "no first page"
    case .noFurtherPage: "no further page"
    case .loadIsRunning: "a load is running"
    }
  }
}

extension PageState: CustomStringConvertible {
  /// The state in words: `loading`, `waiting`, or the error of the last request.
  public var description: String {
    isWaiting ? "waiting" : isRunning ? "loading" : error.map { "error: \(brief($0))" } ?? "idle"
  }
}

extension LoadReporter: CustomStringConvertible {
  /// The type, and whether its load is still the current one.
  ///
  /// Call it on the actor of the data.
  public var description: String { "\(Self.self): \(load.isCurrent ? "running" : "ended")" }
}

extension LoadCondition: CustomStringConvertible {
  /// The condition in words: `always`, `stale`, `older than 5.0 seconds`.
  public var description: String {
    switch kind {
    case .always: "always"
    case .ifOpen: "if open"
    case .stale: "stale"
    case .olderThan(let age): "older than \(age)"
    }
  }
}

extension RetryPolicy: CustomStringConvertible {
  /// Whether it ever retries: a policy is a closure, which has no more to say.
  public var description: String { delay == nil ? "never" : "by a policy" }
}

extension Duration {
  /// Seconds with one decimal place, rounded down.
  fileprivate var inTenths: String {
    let (seconds, attoseconds) = max(self, .zero).components
    return "\(seconds).\(attoseconds / 100_000_000_000_000_000)"
  }
}

/// The number of items of a list, and the bounded description of anything else.
package func brief(valueOf value: Any) -> String {
  if let list = value as? any Collection, !(value is any StringProtocol) {
    return list.count == 1 ? "1 item" : "\(list.count) items"
  }
  return brief(value)
}

/// The description of something, bounded in length.
package func brief(_ subject: Any) -> String {
  let text = String(describing: subject)
  return text.count > 80 ? text.prefix(79) + "…" : text
}
