// What a debugger prints of data: the value, the load that runs, and what is wrong. Nothing is changed by it, and
// Observation does not track it. The descriptions of values and errors are their own, bounded in length.

extension AsyncSnapshot: CustomStringConvertible {
  /// The value and the load that runs, as in `3 items, refreshing, attempt 2`.
  public var description: String {
    var words = [value.map { brief(valueOf: $0) } ?? (isValueSet ? "no data" : "nothing known")]
    if isProvisional { words.append("provisional") }
    if isInvalidated { words.append("invalidated") }
    if let error { words.append("error: \(brief(error))") }
    if let activity { words.append("\(activity)") }
    for (edge, name) in [(PageEdge.next, "next"), (.previous, "previous")] where context[page: edge].isRunning {
      words.append("\(name) page loading")
    }
    return words.joined(separator: ", ")
  }
}

extension LoadActivity: CustomStringConvertible {
  /// What the load does to the content, how far it is, and which attempt it is, as in `refreshing, 40 %, attempt 2`.
  public var description: String {
    var words = [mode == .reload ? "loading" : "refreshing"]
    if let progress { words.append("\(Int((progress * 100).rounded())) %") }
    if failures > 0 { words.append("attempt \(failures + 1)") }
    return words.joined(separator: ", ")
  }
}

extension AsyncData: CustomStringConvertible, CustomReflectable {
  /// The type, the value and the load that runs, as in `AsyncData<Array<Article>>: 3 items, refreshing`.
  ///
  /// Call it on the actor of the data.
  public var description: String { "\(Self.self): \(facts)" }

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

/// The number of items of a list, and the bounded description of anything else.
private func brief(valueOf value: Any) -> String {
  if let list = value as? any Collection, !(value is any StringProtocol) {
    return list.count == 1 ? "1 item" : "\(list.count) items"
  }
  return brief(value)
}

/// The description of something, bounded in length.
private func brief(_ subject: Any) -> String {
  let text = String(describing: subject)
  return text.count > 80 ? text.prefix(79) + "…" : text
}
