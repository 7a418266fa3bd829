// SPDX-License-Identifier: MIT
/// Calls closures at given times, on the actor that it was made for.
///
/// It belongs to that actor. Closures that are due at the same time are called in the order in which they were scheduled,
/// whichever sleep ends first: each sleep that ends calls all that is due.
final class Scheduler {
  /// A closure that is to be called.
  final class Entry {
    fileprivate let time: Duration
    fileprivate let body: () -> Void
    /// The purpose of the closure, so that all of them can be cancelled together.
    fileprivate let owner: ObjectIdentifier?
    fileprivate var sleep: Task<Void, Never>?

    fileprivate init(time: Duration, owner: ObjectIdentifier?, body: @escaping () -> Void) {
      self.time = time
      self.owner = owner
      self.body = body
    }
  }

  private let timeline: Timeline
  /// Weak, because the object that has the scheduler is often a property of the actor.
  private(set) weak var home: (any Actor)?

  /// The calls to make, in the order in which they are due.
  private var entries: [Entry] = []

  /// A scheduler on `clock` that calls back on `home`.
  init(clock: any Clock<Duration>, home: any Actor) {
    timeline = Timeline(clock)
    self.home = home
  }

  /// The time by the clock, since the scheduler was made.
  var now: Duration { timeline.now }

  /// Calls `body` when the clock has reached `time`, and keeps it until then.
  @discardableResult
  func schedule(at time: Duration, for owner: AnyObject? = nil, _ body: @escaping () -> Void) -> Entry {
    let entry = Entry(time: time, owner: owner.map { ObjectIdentifier($0) }, body: body)
    entries.insert(entry, at: entries.firstIndex { $0.time > time } ?? entries.endIndex)
    entry.sleep = home.map { sleep(until: time, on: $0) }
    return entry
  }

  /// A sleep that begins on the actor itself, so that it is under way when the actor is free. It keeps the scheduler and
  /// the actor until it ends.
  private func sleep<Home: Actor>(until time: Duration, on home: Home) -> Task<Void, Never> {
    let scheduler = ActorBound(self, to: home)
    // Justified: a scheduler is used on its actor only. Noticed: `IsolationTests`; elsewhere the process stops.
    return home.assumeIsolated { [timeline] home in
      Task {
        _ = home
        guard (try? await timeline.sleep(until: time)) != nil else { return }
        await scheduler.call { $0.callDue() }
      }
    }
  }

  /// Removes the closure, which is not called any more, and its sleeper in the clock.
  func cancel(_ entry: Entry) {
    entry.sleep?.cancel()
    guard let index = entries.firstIndex(where: { $0 === entry }) else { return }
    // Released when this returns, and not while the list changes: an object that the closure captures may have a `deinit`.
    let removed = entries.remove(at: index)
    withExtendedLifetime(removed) {}
  }

  /// Cancels all closures of `owner`.
  func cancelAll(for owner: AnyObject) {
    let owner = ObjectIdentifier(owner)
    while let entry = entries.first(where: { $0.owner == owner }) { cancel(entry) }
  }

  private func callDue() {
    let now = timeline.now
    while let first = entries.first, first.time <= now {
      entries.removeFirst()
      first.body()
    }
  }
}
