// SPDX-License-Identifier: MIT

/// A mutation without an outbox as section 16 of the contract describes it, in plain values.
struct MutationModel {
  enum Overlap: CaseIterable { case join, queue, latest }

  enum End {
    case open, success, failure, cancelled, superseded
  }

  let overlap: Overlap
  /// An input's remainder by it is its lane.
  let laneCount: Int
  /// The input of each request that was performed, by its number.
  private(set) var inputs: [Int: Int] = [:]
  private(set) var ends: [Int: End] = [:]
  /// By lane.
  private(set) var waiting: [Int: [Int]] = [:]
  /// The requests that run, in the order in which they began. The last one is displayed.
  private(set) var running: [Int] = []
  private let hasDelay: Bool
  /// Those of them that wait for the delay.
  private(set) var delayed: Set<Int> = []
  /// The requests whose operation was called.
  private(set) var begun: Set<Int> = []
  /// The same, and those that repeat one that has ended without an answer.
  private var mayBeDone: Set<Int> = []
  /// By lane, the input that was sent last, if it has ended without an answer.
  private(set) var unanswered: [Int: Int] = [:]
  /// What was sent, what was invalidated, and whose changes are displayed, in order.
  private(set) var sent: [Int] = []
  private(set) var invalidated: [Int] = []
  private(set) var displayed: [Int] = []
  /// The status while nothing runs.
  private(set) var last = "idle"
  private(set) var failedInput: Int?

  init(_ overlap: Overlap, laneCount: Int, hasDelay: Bool) {
    self.overlap = overlap
    self.laneCount = laneCount
    self.hasDelay = hasDelay
  }

  private func lane(of number: Int) -> Int { inputs[number]! % laneCount }
  private func running(in lane: Int) -> Int? { running.first { self.lane(of: $0) == lane } }

  /// - Parameter isRetry: True if it was sent before.
  /// - Returns: The request that the call gets the end of.
  mutating func perform(_ input: Int, as number: Int, isRetry: Bool = false) -> Int {
    if let other = pending(with: input) { return other }
    inputs[number] = input
    ends[number] = .open
    let lane = lane(of: number)
    let isUnanswered = overlap != .queue && unanswered[lane] == input && running(in: lane) == nil
    if isRetry || isUnanswered { mayBeDone.insert(number) }
    if overlap == .latest, let former = popReplaceable(lane) {
      ends[former] = .superseded
      displayed.removeAll { $0 == former }
    }
    displayed.append(number)
    if running(in: lane) != nil { waiting[lane, default: []].append(number) } else { begin(number) }
    return number
  }

  /// Removes the newest request of a lane that was not sent.
  private mutating func popReplaceable(_ lane: Int) -> Int? {
    if let former = waiting[lane]?.popLast() { return former }
    guard let former = running(in: lane), delayed.remove(former) != nil else { return nil }
    running.removeAll { $0 == former }
    return former
  }

  /// What was sent before is not delayed again.
  private mutating func begin(_ number: Int) {
    running.append(number)
    if hasDelay, !mayBeDone.contains(number) { delayed.insert(number) }
  }

  /// The requests whose answer can arrive.
  var answerable: [Int] { running.filter { !delayed.contains($0) } }

  mutating func endDelays() { delayed = [] }

  /// The last request of its lane, if it has this input: another call joins it.
  func pending(with input: Int) -> Int? {
    guard overlap != .queue else { return nil }
    let lane = input % laneCount
    guard let last = waiting[lane]?.last ?? running(in: lane), inputs[last] == input else { return nil }
    return last
  }

  /// An input without an answer that has its key still, because its lane is free.
  var unansweredInput: Int? {
    unanswered.sorted { $0.key < $1.key }.first { running(in: $0.key) == nil }?.value
  }

  /// What can happen without another cause has happened.
  mutating func settle() {
    for number in answerable where begun.insert(number).inserted {
      sent.append(inputs[number]!)
      mayBeDone.insert(number)
      unanswered[lane(of: number)] = nil
    }
  }

  /// - Parameter observer: What an observer of the end performs, and its number.
  mutating func answer(_ number: Int, success: Bool, observer: (input: Int, number: Int)? = nil) {
    guard let input = inputs[number] else { return }
    let lane = lane(of: number)
    running.removeAll { $0 == number }
    ends[number] = success ? .success : .failure
    last = success ? "succeeded: \(input)" : "failed: \(input)"
    failedInput = success ? nil : input
    if success { invalidated.append(input) } else { displayed.removeAll { $0 == number } }
    if let observer {
      if observer.input % laneCount == lane, overlap != .latest {
        // Behind those that wait.
        inputs[observer.number] = observer.input
        ends[observer.number] = .open
        displayed.append(observer.number)
        waiting[lane, default: []].append(observer.number)
      } else {
        _ = perform(observer.input, as: observer.number)
      }
    }
    startNext(lane)
  }

  /// The server has done what was given up.
  mutating func succeedLate(_ input: Int) { invalidated.append(input) }

  mutating func cancel(_ number: Int) {
    let lane = lane(of: number)
    if running.contains(number) {
      giveUp(number, .cancelled)
      startNext(lane)
    } else if let place = waiting[lane]?.firstIndex(of: number) {
      waiting[lane]?.remove(at: place)
      displayed.removeAll { $0 == number }
      ends[number] = .cancelled
    }
  }

  mutating func cancelAll() {
    for number in waiting.values.flatMap(\.self) { cancel(number) }
    for number in running { cancel(number) }
  }

  mutating func reset() {
    cancelAll()
    unanswered = [:]
    last = "idle"
    failedInput = nil
  }

  private mutating func startNext(_ lane: Int) {
    if running(in: lane) == nil, waiting[lane]?.isEmpty == false { begin(waiting[lane]!.removeFirst()) }
  }

  private mutating func giveUp(_ number: Int, _ end: End) {
    running.removeAll { $0 == number }
    delayed.remove(number)
    ends[number] = end
    displayed.removeAll { $0 == number }
    // The server may have done it.
    guard mayBeDone.contains(number), let input = inputs[number] else { return }
    invalidated.append(input)
    unanswered[lane(of: number)] = input
  }
}
