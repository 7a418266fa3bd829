// SPDX-License-Identifier: MIT

/// A mutation without an outbox as section 16 of the contract describes it, in plain values.
struct MutationModel {
  enum Overlap: String, CaseIterable, CustomStringConvertible {
    case join, queue, replace

    var description: String { rawValue }
  }

  enum End {
    case open, success, failure, cancelled, superseded
  }

  let overlap: Overlap
  /// The input of each request that was performed, by its number.
  private(set) var inputs: [Int: Int] = [:]
  private(set) var ends: [Int: End] = [:]
  private(set) var waiting: [Int] = []
  private(set) var running: Int?
  /// The operation of the running request was called.
  private(set) var hasBegun = false
  /// What was sent, what was invalidated, and whose changes are displayed, in order.
  private(set) var sent: [Int] = []
  private(set) var invalidated: [Int] = []
  private(set) var displayed: [Int] = []
  /// The status while nothing runs.
  private(set) var last = "idle"
  private(set) var failedInput: Int?

  init(_ overlap: Overlap) {
    self.overlap = overlap
  }

  /// - Returns: The request that the call gets the end of.
  mutating func perform(_ input: Int, as number: Int) -> Int {
    if overlap == .join, let other = pending(with: input) { return other }
    inputs[number] = input
    ends[number] = .open
    displayed.append(number)
    if overlap != .replace, running != nil {
      waiting.append(number)
    } else {
      if let running { giveUp(running, .superseded) }
      start(number)
    }
    return number
  }

  /// The request with this input that runs or waits.
  func pending(with input: Int) -> Int? {
    ((running.map { [$0] } ?? []) + waiting).last { inputs[$0] == input }
  }

  /// What can happen without another cause has happened.
  mutating func settle() {
    guard let running, !hasBegun else { return }
    hasBegun = true
    sent.append(inputs[running]!)
  }

  /// - Parameter observer: What an observer of the end performs, and its number.
  mutating func answer(success: Bool, observer: (input: Int, number: Int)? = nil) {
    guard let number = running, let input = inputs[number] else { return }
    running = nil
    ends[number] = success ? .success : .failure
    last = success ? "succeeded: \(input)" : "failed: \(input)"
    failedInput = success ? nil : input
    if success { invalidated.append(input) } else { displayed.removeAll { $0 == number } }
    if let observer {
      inputs[observer.number] = observer.input
      ends[observer.number] = .open
      displayed.append(observer.number)
      waiting.append(observer.number)
    }
    startNext()
  }

  mutating func cancel(_ number: Int) {
    if running == number {
      giveUp(number, .cancelled)
      running = nil
      startNext()
    } else if let place = waiting.firstIndex(of: number) {
      waiting.remove(at: place)
      displayed.removeAll { $0 == number }
      ends[number] = .cancelled
    }
  }

  mutating func cancelAll() {
    for number in waiting { cancel(number) }
    if let running { cancel(running) }
  }

  mutating func reset() {
    cancelAll()
    last = "idle"
    failedInput = nil
  }

  private mutating func start(_ number: Int) {
    running = number
    hasBegun = false
  }

  private mutating func startNext() {
    if !waiting.isEmpty { start(waiting.removeFirst()) }
  }

  private mutating func giveUp(_ number: Int, _ end: End) {
    ends[number] = end
    displayed.removeAll { $0 == number }
    // The server may have done it.
    if hasBegun, let input = inputs[number] { invalidated.append(input) }
  }
}
