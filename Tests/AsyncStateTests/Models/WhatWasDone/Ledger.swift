// SPDX-License-Identifier: MIT
/// What was done, and what became of it: the only thing that the app is compared with, beside the server.
struct Ledger {
  enum End: Equatable {
    case success
    case failure(String)
    case givenUp
  }

  /// How an input was performed, which says what may become of it.
  enum Keeper: Equatable {
    /// Others have done it.
    case server
    /// The memory of a process, which is lost when that is killed.
    case memory(process: Int)
    case outbox
  }

  struct Entry {
    let input: SentInput
    let keeper: Keeper
    /// What is performed in one lane is done in this order; nil: in any.
    var lane: String?
    var place: Int
    /// How its handle has ended; nil: it has not.
    var end: End?
    /// The store has it: it is lost with no process any more.
    var isAccepted = false
    /// A person has taken it back.
    var isTakenBack = false
    /// It must not be sent any more.
    var isOver = false
    /// Its process was killed, or its outbox was released, and its handle with it.
    var isForgotten = false
  }

  private(set) var entries: [Int: Entry] = [:]
  private(set) var fault: String?
  private var count = 0
  private var lastDone: [String: Int] = [:]

  subscript(number: Int) -> Entry? { entries[number] }

  mutating func nextInput(in room: Int, lane: Int) -> SentInput {
    count += 1
    return SentInput(number: count, room: room, lane: lane)
  }

  mutating func enter(_ input: SentInput, _ keeper: Keeper, lane: String?) {
    entries[input.number] = Entry(input: input, keeper: keeper, lane: lane, place: count)
  }

  /// It is performed again, behind all others.
  mutating func enterAgain(_ number: Int, ordered: Bool) {
    count += 1
    entries[number]?.place = count
    entries[number]?.end = nil
    entries[number]?.isTakenBack = false
    entries[number]?.isOver = false
    entries[number]?.isForgotten = false
    if !ordered { entries[number]?.lane = nil }
  }

  mutating func takeBack(_ number: Int, forGood: Bool) {
    entries[number]?.isTakenBack = true
    if forGood { entries[number]?.isOver = true }
  }

  /// The process was killed before the store had removed it, so the next one sends it.
  mutating func isLeft(_ number: Int) { entries[number]?.isOver = false }

  mutating func accepted(_ number: Int) { entries[number]?.isAccepted = true }

  mutating func forget(_ number: Int) { entries[number]?.isForgotten = true }

  /// The server is sent an input.
  mutating func arrives(_ input: SentInput) {
    guard let entry = entries[input.number] else { return note("\(input.number) was never performed") }
    if entry.isOver { note("\(input.number) is sent though it was taken back") }
    if entry.keeper != .outbox, entry.end != nil { note("\(input.number) is sent after its end") }
  }

  /// The server is about to do an input.
  mutating func isDone(_ input: SentInput) {
    guard let entry = entries[input.number], let lane = entry.lane else { return }
    if let last = lastDone[lane], last > entry.place { note("\(input.number) is done out of order in \(lane)") }
    lastDone[lane] = entry.place
  }

  /// A handle has ended.
  ///
  /// - Parameter answer: What the server has said last.
  mutating func ended(_ number: Int, _ end: End, told answer: End?, isStored: Bool) {
    guard let entry = entries[number], !entry.isForgotten else { return }
    if let former = entry.end, former != end { note("handles of \(number) end as \(former) and \(end)") }
    entries[number]?.end = end
    switch end {
    case .givenUp: if !entry.isTakenBack { note("\(number) is given up, and was not taken back") }
    case .failure("notStored"): entries[number]?.isOver = isStored == false
    case .success, .failure:
      if answer != end { note("\(number) ends as \(end), and the server said \(answer.map { "\($0)" } ?? "nothing")") }
    }
  }

  /// A handle has ended, because the server did not answer in time: it may have done it, or not.
  mutating func timedOut(_ number: Int) {
    if entries[number]?.isForgotten == false { entries[number]?.end = .failure("time") }
  }

  mutating func note(_ fault: String) { self.fault = self.fault ?? fault }

  /// What of this is not true at rest.
  ///
  /// - Parameter aside: What the outbox has set aside.
  func differenceAtRest(_ done: [SentInput], aside: [SentInput]) -> String? {
    if let fault { return fault }
    for entry in entries.values.sorted(by: { $0.place < $1.place }) {
      let count = done.count { $0 == entry.input }
      let number = entry.input.number
      if count > 1 { return "\(number) is done \(count) times" }
      if !entry.isForgotten, entry.end == nil, entry.keeper != .server {
        return "the handle of \(number) has not ended"
      }
      if count == 0, mustBeDone(entry), !aside.contains(entry.input) { return "\(number) is lost, \(entry)" }
    }
    return nil
  }

  private func mustBeDone(_ entry: Entry) -> Bool {
    guard !entry.isTakenBack else { return false }
    if case .failure = entry.end { return false }
    if case .memory = entry.keeper, entry.isForgotten { return false }
    if entry.keeper == .outbox, entry.isForgotten, !entry.isAccepted { return false }
    return true
  }
}
