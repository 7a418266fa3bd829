// SPDX-License-Identifier: MIT
/// Finds the entries of a family that have been idle for long.
///
/// A resource that is released calls nothing, so the timer checks all entries: that long after the first use of one, and again
/// when the time of an idle one is over. While none is idle or has been used, no timer runs.
final class IdleTimer {
  private let lifetime: Duration
  private let timeline: Timeline
  private let callback: ActorCallback
  /// For each entry that was found idle, the time since then, and its last use before.
  private var idle: [ObjectIdentifier: (since: Duration, lastUse: UInt64)] = [:]
  private var sleep: Task<Void, Never>?

  /// - Parameter look: Called on the actor when it is time to check the entries, as long as this is held.
  init(_ lifetime: Duration, on timeline: Timeline, _ home: any Actor, look: @escaping () -> Void) {
    self.lifetime = max(lifetime, .zero)
    self.timeline = timeline
    callback = ActorCallback(on: home, look)
  }

  deinit {
    sleep?.cancel()
  }

  /// Notes that an entry was used, so that it may become idle.
  func start() {
    if sleep == nil { set(at: timeline.now + lifetime.bounded) }
  }

  /// Checks all entries.
  ///
  /// - Returns: Those that have been idle for the time, the most recently used at the end.
  func takeExpired(of all: [EntryRecord]) -> [EntryRecord] {
    let now = timeline.now
    let former = idle
    idle = [:]
    sleep = nil
    var expired: [EntryRecord] = []
    for entry in all where entry.isIdle {
      let mark = former[ObjectIdentifier(entry)]
      let since = mark?.lastUse == entry.lastUse ? mark?.since ?? now : now
      if since + lifetime.bounded <= now {
        expired.append(entry)
      } else {
        idle[ObjectIdentifier(entry)] = (since, entry.lastUse)
      }
    }
    if let earliest = idle.values.map(\.since).min() { set(at: earliest + lifetime.bounded) }
    return expired.sorted { $0.lastUse < $1.lastUse }
  }

  /// In a task of no actor, which keeps neither the family nor its actor.
  private func set(at time: Duration) {
    sleep = Task.detached { [timeline, weak callback] in
      guard (try? await timeline.sleep(until: time)) != nil else { return }
      callback?.call(from: nil)
    }
  }
}
