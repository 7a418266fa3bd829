/// Calls back at given times, on the actor that it was made for.
///
/// It belongs to that actor, as whoever has it does. What is due at the same time is called in the order in which it
/// was scheduled, whichever sleep ends first: each one that ends calls all that is due.
final class Scheduler {
  /// A callback that is to come.
  final class Entry {
    fileprivate let time: Duration
    fileprivate let body: () -> Void
    /// Who it is for. If that is gone nobody asks for it any more.
    fileprivate let owner: ObjectIdentifier?
    fileprivate var sleep: Task<Void, Never>?

    fileprivate init(time: Duration, owner: ObjectIdentifier?, body: @escaping () -> Void) {
      self.time = time
      self.owner = owner
      self.body = body
    }
  }

  private let timeline: Timeline
  /// Weak: whoever has the scheduler is often a property of the actor's own.
  private weak var home: (any Actor)?

  /// What is to come, in the order in which it is due.
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
    let entry = Entry(time: time, owner: owner.map(ObjectIdentifier.init), body: body)
    entries.insert(entry, at: entries.firstIndex { $0.time > time } ?? entries.endIndex)
    entry.sleep = home.map { sleep(until: time, on: $0) }
    return entry
  }

  /// A sleep that begins on the actor itself, so that it is on its way when the actor is free. It keeps the scheduler:
  /// a callback that is to come, comes.
  private func sleep<Home: Actor>(until time: Duration, on home: Home) -> Task<Void, Never> {
    let scheduler = ActorBound(self, to: home)
    return home.assumeIsolated { [timeline] home in
      Task {
        _ = home
        guard (try? await timeline.sleep(until: time)) != nil else { return }
        await scheduler.call { $0.callDue() }
      }
    }
  }

  /// A callback that has not come does not come any more. No sleeper is left in the clock.
  func cancel(_ entry: Entry) {
    entry.sleep?.cancel()
    entries.removeAll { $0 === entry }
  }

  /// Cancels all that is to come for `owner`.
  func cancelAll(for owner: AnyObject) {
    for entry in entries where entry.owner == ObjectIdentifier(owner) { cancel(entry) }
  }

  private func callDue() {
    let now = timeline.now
    while let first = entries.first, first.time <= now {
      entries.removeFirst()
      first.body()
    }
  }
}
