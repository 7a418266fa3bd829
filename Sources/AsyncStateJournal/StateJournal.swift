// SPDX-License-Identifier: MIT
public import AsyncState

/// Records what happens to data, hosts, containers, inputs and families, in order, and what led to it.
///
/// ```swift
/// let journal = StateJournal()
/// journal.attach(query, name: "query")
/// journal.attach(results, name: "results")
/// // Later, for instance in a debugger:
/// print(journal.timeline)
/// ```
///
/// An entry has a number, a time, a subject, an event, and the entry that led to it. The journal keeps the last
/// 1,000 entries, or another number of them, as text and numbers: no value, error or key. It keeps none of its subjects alive, and
/// releasing it changes nothing for them. Without a journal, a change takes one comparison longer.
///
/// A journal belongs to the actor of its subjects. A subject has one journal: attaching it to another replaces the first.
public final class StateJournal {
  /// The largest number of entries that are kept.
  package let capacity: Int

  /// When the journal adds a warning.
  package let limits: Limits

  private let line: Timeline
  private let origin: Duration

  /// The entry with number `n` is at `(n - 1) % capacity`.
  private var ring: [Entry] = []
  /// The number of the last entry.
  private var last = 0
  /// The entries up to this one have a time and their texts.
  private var completed = 0
  private var isCompleting = false
  /// Errors whose descriptions are not taken yet: those are user code, which must not run in the middle of a change.
  private var errors: [(number: Int, error: any Error)] = []

  /// The entries whose notifications are under way, the innermost last.
  private var open: [Int] = []

  /// The chains that were warned of, by subject.
  var loops: [String: Loop] = [:]

  /// Where observers are; nil before the first.
  private var feed: Input<Entry?>?

  /// An empty journal.
  ///
  /// - Parameters:
  ///   - capacity: The largest number of entries to keep; less than one is one.
  ///   - clock: Measures the times of the entries.
  public convenience init(capacity: Int = 1_000, clock: any Clock<Duration> = ContinuousClock()) {
    self.init(capacity: capacity, clock: clock, limits: Limits())
  }

  package init(capacity: Int, clock: any Clock<Duration>, limits: Limits) {
    self.capacity = max(capacity, 1)
    self.limits = limits
    line = Timeline(clock)
    origin = line.now
  }

  // MARK: Reading

  /// The last entries, at most as many as its capacity, in order.
  ///
  /// - Complexity: O(*n*) for *n* entries that are kept.
  public var entries: [Entry] {
    complete()
    guard last > capacity else { return ring }
    let start = last % capacity
    return Array(ring[start...] + ring[..<start])
  }

  /// How many entries were removed because of the capacity. The first entry that is left has the next number.
  public var dropped: Int { max(0, last - capacity) }

  /// The entry with this number; nil if it was removed, or is not written yet.
  package subscript(number: Int) -> Entry? {
    complete()
    return entry(number)
  }

  /// The causes of an entry, each the cause of the one before it, as far as they are kept.
  ///
  /// - Complexity: O(*n*) for *n* causes.
  package func causes(of number: Int) -> [Entry] {
    complete()
    var causes: [Entry] = []
    var next = entry(number)?.cause
    // A cause has a lower number, so this ends.
    while let number = next, let cause = entry(number) {
      causes.append(cause)
      next = cause.cause
    }
    return causes
  }

  /// Calls `body` with each entry from now on, in order, before the observers of its subject are notified.
  ///
  /// What `body` does to the subjects is recorded, and `body` is called with it afterwards. Of a change that makes more
  /// entries than the capacity, it is called with the last ones.
  ///
  /// - Returns: A token that keeps the observation, and not the journal, alive.
  public func observe(_ body: @escaping (Entry) -> Void) -> ObservedToken {
    complete()
    let feed = feed ?? Input<Entry?>(nil, isEqual: { _, _ in false })
    self.feed = feed
    // The last entry is none of those from now on.
    feed.write(nil)
    return feed.observe { if let entry = $0 { body(entry) } }
  }

  // MARK: Recording

  /// The cause of a notification that is under way; zero outside of notifications.
  var currentCause: Int { open.last ?? 0 }

  /// The number of the last entry.
  package var lastNumber: Int { last }

  /// How many notifications are under way.
  var openCount: Int { open.count }

  /// Adds an entry. Calls no user code: ``complete()`` follows when everything is consistent.
  ///
  /// - Parameters:
  ///   - ends: The number of the entry that began what this one ends.
  ///   - origin: The cause, if no notification is under way.
  ///   - cause: The cause, whatever is under way.
  ///   - error: Its description belongs to the event.
  /// - Returns: The number of the entry.
  @discardableResult
  func record(
    _ event: Event, of subject: String, ends: Int = 0, origin: Int = 0, because cause: Int? = nil,
    error: (any Error)? = nil
  ) -> Int {
    last += 1
    // A subject that is attached between a change and its notification brings the number of an entry of its previous
    // journal.
    let led = cause ?? open.last ?? origin
    let entry = Entry(
      number: last, subject: subject, event: event, causeNumber: led < last ? led : 0, depth: open.count,
      endedNumber: ends)
    assert(ends < last, "What ends has begun in the same journal.")
    if ring.count < capacity { ring.append(entry) } else { ring[(last - 1) % capacity] = entry }
    if let error { errors.append((last, error)) }
    return last
  }

  /// Calls `body`, which notifies of an entry: what is recorded meanwhile has it as its cause.
  package func notifying(of number: Int, _ body: () -> Void) {
    let height = beginNotifying(of: number)
    complete()
    body()
    endNotifying(to: height)
  }

  /// - Returns: What ``endNotifying(to:)`` is to be called with.
  func beginNotifying(of number: Int) -> Int {
    open.append(number)
    return open.count - 1
  }

  func endNotifying(to height: Int) {
    open.removeLast(open.count - height)
  }

  /// Gives new entries their time and their texts, and notifies observers of the journal. All of that is user code.
  func complete() {
    guard completed < last, !isCompleting else { return }
    isCompleting = true
    while completed < last {
      let new = max(completed, last - capacity) + 1...last
      let time = line.now - origin
      for number in new { update(number) { $0.time = time } }
      var errors: [(number: Int, error: any Error)] = []
      swap(&errors, &self.errors)
      for (number, error) in errors {
        let text = Self.text(of: error)
        update(number) { $0.event.describe(error: text) }
      }
      completed = new.upperBound
      for number in new { warnOfLoop(at: number) }
      guard let feed else { continue }
      for number in new {
        guard let entry = entry(number) else { continue }
        let height = beginNotifying(of: number)
        feed.write(entry)
        endNotifying(to: height)
      }
    }
    isCompleting = false
  }

  func entry(_ number: Int) -> Entry? {
    guard number > 0, number <= last, number > last - capacity else { return nil }
    return ring[(number - 1) % capacity]
  }

  private func update(_ number: Int, _ body: (inout Entry) -> Void) {
    guard number > last - capacity else { return }
    body(&ring[(number - 1) % capacity])
  }
}
