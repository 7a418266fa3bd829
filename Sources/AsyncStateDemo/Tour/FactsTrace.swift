#if os(macOS) || os(Linux)
import AsyncState

/// Puts into words what has changed between two readings of facts.
struct FactsTrace<Value: Equatable> {
  private var former = AsyncSnapshot<Value>()
  private let describe: (Value) -> String

  /// - Parameter describe: What is said of a value.
  init(describe: @escaping (Value) -> String) {
    self.describe = describe
  }

  /// What has changed since the last reading; nil: nothing.
  mutating func change(to next: AsyncSnapshot<Value>) -> String? {
    defer { former = next }
    if next.isIdle && !former.isIdle { return "all is forgotten" }
    let changes = [begin(of: next), retry(in: next), progress(in: next), value(in: next), error(in: next)]
      .compactMap(\.self)
    if changes.isEmpty && former.isRunning && !next.isRunning { return "the load is over; all else is as it was" }
    return changes.isEmpty ? nil : changes.joined(separator: "; ")
  }

  private func begin(of next: AsyncSnapshot<Value>) -> String? {
    guard let activity = next.activity else { return nil }
    let mode = activity.mode == .reload ? "reload" : "refresh"
    guard let before = former.activity else { return "a \(mode) runs" }
    return before.id == activity.id ? nil : "another \(mode) runs instead"
  }

  private func retry(in next: AsyncSnapshot<Value>) -> String? {
    guard let activity = next.activity, let failure = activity.lastFailure,
      activity.failures > former.activity?.failures ?? 0
    else { return nil }
    return "attempt \(activity.failures) has failed: \(failure)"
  }

  private func progress(in next: AsyncSnapshot<Value>) -> String? {
    guard let progress = next.activity?.progress, progress != former.activity?.progress else { return nil }
    return "progress \(Int((progress * 100).rounded())) %"
  }

  private func value(in next: AsyncSnapshot<Value>) -> String? {
    guard next.value != former.value || next.isValueSet != former.isValueSet else {
      return former.isProvisional && !next.isProvisional ? "the value is complete" : nil
    }
    return "value: " + (next.value.map(describe) ?? "none") + (next.isProvisional ? ", so far" : "")
  }

  private func error(in next: AsyncSnapshot<Value>) -> String? {
    let (before, after) = (former.error.map { "\($0)" }, next.error.map { "\($0)" })
    guard before != after else { return nil }
    guard let after else { return "no error" }
    return "error: \(after)" + (next.value == nil ? "" : "; the value is still known")
  }
}
#endif
