// SPDX-License-Identifier: MIT
// The order in which the store of a family is used: for each key one write or removal after another, and the removal of
// everything between the uses that were requested before it and after it.

/// The uses of a store for one key.
///
/// A write that waits is replaced by a newer one, and dropped by a removal. A mark replaces nothing. A removal is never
/// dropped. A read waits for the uses that were requested before it, and no use waits for a read.
final class StoreLane {
  enum Use {
    case read
    case write
    /// The stored value is marked stale. This replaces no use that waits.
    case mark
    case removal
  }

  private struct Waiting {
    let use: Use
    /// The number of removals of everything that were requested before.
    let epoch: Int
    /// Called once: with true when it has its turn, with false when it is dropped.
    let begin: (Bool) -> Void
  }

  private let gate: StoreGate
  /// The epoch of the write or removal that runs; nil if none does.
  private var running: Int?
  private var waiting: [Waiting] = []
  /// True if the gate continues it later.
  fileprivate var isHeld = false

  init(_ gate: StoreGate) {
    self.gate = gate
  }

  /// True if a write or removal runs or waits.
  var isBusy: Bool { running != nil || !waiting.isEmpty }

  /// Requests a use, to be awaited. After the turn of a write or a removal ``leave()`` must be called.
  func turn(to use: Use) -> StoreTurn {
    let turn = StoreTurn(gate)
    request(use) { turn.begin($0) }
    return turn
  }

  /// - Parameter begin: Called once: with true at its turn, with false when it is dropped.
  func request(_ use: Use, begin: @escaping (Bool) -> Void) {
    switch use {
    case .read: break
    case .write, .removal: dropWaitingWrite()
    case .mark:
      // A mark behind the last write that waits is as good as this one.
      if waiting.last(where: { $0.use != .read })?.use == .mark { return begin(false) }
    }
    if use != .read { gate.count(1, in: gate.requested) }
    waiting.append(Waiting(use: use, epoch: gate.requested, begin: begin))
    advance()
  }

  /// Ends the turn of the running write or removal.
  func leave() {
    guard let epoch = running else { return assertionFailure("Each turn ends once.") }
    running = nil
    advance()
    gate.count(-1, in: epoch)
  }

  var hasWaitingWrite: Bool { waiting.contains { $0.use == .write } }

  /// Drops the write that waits. Of two marks that have nothing between them then, one is enough.
  func dropWaitingWrite() {
    guard let index = waiting.firstIndex(where: { $0.use == .write }) else { return }
    drop(at: index)
    guard waiting[..<index].last(where: { $0.use != .read })?.use == .mark,
      let next = waiting[index...].firstIndex(where: { $0.use != .read }), waiting[next].use == .mark
    else { return }
    drop(at: next)
  }

  private func drop(at index: Int) {
    let dropped = waiting.remove(at: index)
    dropped.begin(false)
    gate.count(-1, in: dropped.epoch)
  }

  fileprivate func advance() {
    while running == nil, let next = waiting.first {
      guard gate.completed >= next.epoch else { return gate.hold(self) }
      waiting.removeFirst()
      if next.use != .read { running = next.epoch }
      next.begin(true)
    }
  }
}

/// A use of a store that is awaited.
final class StoreTurn {
  private let gate: StoreGate
  private var isTurn: Bool?
  private var continuation: CheckedContinuation<Bool, Never>?

  fileprivate init(_ gate: StoreGate) {
    self.gate = gate
  }

  fileprivate func begin(_ isTurn: Bool) {
    self.isTurn = isTurn
    guard let continuation = continuation.take() else { return }
    gate.willResume()
    continuation.resume(returning: isTurn)
  }

  /// Suspends until it is this use's turn.
  ///
  /// - Returns: False for a write that was dropped.
  func wait(isolation: isolated (any Actor)?) async -> Bool {
    if let isTurn { return isTurn }
    let isTurn = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      // Checked again: in a task that prefers an executor, others have a turn on the way here.
      guard let isTurn = self.isTurn else { return self.continuation = continuation }
      gate.willResume()
      continuation.resume(returning: isTurn)
    }
    gate.hasResumed()
    return isTurn
  }
}

/// A read of a store, which several loads share.
final class StoreReading {
  /// The number of confirmations when the read began: its result is ignored if a value was confirmed since.
  let confirmations: UInt32
  /// The error that it has failed with.
  var error: (any Error)?
  private var hasEnded = false
  private var waiting: [StoreTurn] = []

  init(_ confirmations: UInt32) {
    self.confirmations = confirmations
  }

  /// Suspends until it has ended.
  func wait(_ gate: StoreGate, isolation: isolated (any Actor)?) async {
    guard !hasEnded else { return }
    let turn = StoreTurn(gate)
    waiting.append(turn)
    _ = await turn.wait(isolation: isolation)
  }

  func end() {
    hasEnded = true
    for turn in waiting { turn.begin(true) }
    waiting = []
  }
}

/// Lets the removal of everything pass between the uses that were requested before it and after it.
final class StoreGate {
  /// The numbers of removals of everything that were requested, and that are over.
  private(set) var requested = 0
  private(set) var completed = 0

  /// The writes and removals that run or wait, by epoch.
  private var counts: [Int: Int] = [:]
  /// The lanes that wait for a removal of everything.
  private var held: [StoreLane] = []
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

  /// The number of uses that have their turn and have not continued yet, and a callback for the last of them: for tests,
  /// because a task that is resumed may take a way of its own back to its actor.
  private(set) var resumingCount = 0
  var didResume: () -> Void = {}

  /// True if no removal of everything runs or waits.
  var isOpen: Bool { requested == completed }

  /// Makes all uses that are requested from now on wait for this removal of everything.
  ///
  /// - Returns: Its number.
  func request() -> Int {
    requested += 1
    return requested
  }

  /// Suspends until all uses that were requested before are over.
  func turn(_ number: Int, isolation: isolated (any Actor)?) async {
    await withCheckedContinuation {
      waiting[number] = $0
      advance()
    }
    hasResumed()
  }

  func leave() {
    completed += 1
    let lanes = held
    held = []
    for lane in lanes {
      lane.isHeld = false
      lane.advance()
    }
    advance()
  }

  fileprivate func hold(_ lane: StoreLane) {
    if !lane.isHeld { held.append(lane) }
    lane.isHeld = true
  }

  fileprivate func count(_ difference: Int, in epoch: Int) {
    let count = counts[epoch, default: 0] + difference
    assert(count >= 0, "Each use of the store ends once.")
    counts[epoch] = count == 0 ? nil : count
    if count == 0 { advance() }
  }

  private func advance() {
    // No use of this epoch can begin before it is completed, so the rest of it was requested before the removal.
    guard counts[completed] == nil else { return }
    guard let removal = waiting.removeValue(forKey: completed + 1) else { return }
    willResume()
    removal.resume()
  }

  fileprivate func willResume() {
    resumingCount += 1
  }

  fileprivate func hasResumed() {
    resumingCount -= 1
    if resumingCount == 0 { didResume() }
  }
}
