// SPDX-License-Identifier: MIT
import Synchronization

// When a stream of values ends
//
// A stream ends when no one can write any more what it depends on. Inputs are released on any thread, where the graph
// must not be walked. So each stream has a lease, which is held by all inputs above that can be written; the last of
// them to be closed releases it, and that ends the stream. When a `flatMap` above follows another value, the stream gets
// a new lease, and the former one means nothing any more. This happens inside the write that changed the choice, which
// holds its input: so not all inputs of the former lease can be closed in between.

/// Whether an input can still be written, and the leases that end when it cannot.
final class Openness {
  private enum Word {
    static let open: UInt = 0
    static let closed: UInt = 1
    // Anything else is the address of the first entry; the input is open.
  }

  private final class Entry {
    let lease: StreamEnd.Lease
    var next: UInt

    init(_ lease: StreamEnd.Lease, before next: UInt) {
      self.lease = lease
      self.next = next
    }
  }

  // The owner's actor adds entries, any thread takes all of them when it closes. The exchange hands over the list.
  private let word = Atomic(Word.open)

  // The owner's actor only.
  private var count: Int32 = 0
  private var limit: Int32 = 8

  /// Records what is written; nil without a journal. The owner's actor only. Here, because each input has an openness,
  /// and other nodes need no room for this.
  var hook: (any InputHook)?

  deinit {
    close()
  }

  var isOpen: Bool { word.load(ordering: .acquiring) != Word.closed }

  /// No one can write any more. Any thread.
  func close() {
    releaseEntries(from: word.exchange(Word.closed, ordering: .acquiringAndReleasing))
  }

  /// Holds a lease until this is closed. The owner's actor only.
  func add(_ lease: StreamEnd.Lease) {
    if count >= limit { prune() }
    let head = word.load(ordering: .relaxed)
    guard head != Word.closed else { return }
    // Justified: a list that threads share without waiting is made of addresses. It owns one count of each entry.
    let address = UInt(bitPattern: Unmanaged.passRetained(Entry(lease, before: head)).toOpaque())
    put(address, insteadOf: head)
    count += 1
  }

  /// Gives up leases that mean nothing any more.
  private func prune() {
    let head = word.load(ordering: .relaxed)
    guard head != Word.closed,
      word.compareExchange(expected: head, desired: Word.open, ordering: .acquiringAndReleasing).exchanged
    else { return }
    var kept = Word.open
    var address = head
    count = 0
    while address != Word.open {
      let entry = Self.taken(from: address)
      address = entry.next
      guard entry.lease.isCurrent else { continue }
      entry.next = kept
      kept = UInt(bitPattern: Unmanaged.passRetained(entry).toOpaque())
      count += 1
    }
    limit = max(8, 2 * count)
    put(kept, insteadOf: Word.open)
  }

  private func put(_ address: UInt, insteadOf head: UInt) {
    let (done, found) = word.compareExchange(expected: head, desired: address, ordering: .acquiringAndReleasing)
    guard !done else { return }
    assert(found == Word.closed, "Only closing changes the list beside its owner.")
    var own = address
    while own != head, own != Word.open {
      let entry = Self.taken(from: own)
      own = entry.next
    }
  }

  private func releaseEntries(from first: UInt) {
    var address = first
    while address > Word.closed { address = Self.taken(from: address).next }
  }

  private static func taken(from address: UInt) -> Entry {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { fatalError("A list ends with a mark, not here.") }
    return Unmanaged<Entry>.fromOpaque(pointer).takeRetainedValue()
  }
}

/// Ends a stream when its lease expires.
final class StreamEnd: Sendable {
  private let generation = Atomic(0)
  private let finish: @Sendable () -> Void

  init(finish: @escaping @Sendable () -> Void) {
    self.finish = finish
  }

  /// A new lease; the former one means nothing any more.
  func renew() -> Lease {
    Lease(of: self, generation: generation.add(1, ordering: .acquiringAndReleasing).newValue)
  }

  /// The stream has ended otherwise.
  func cancel() {
    generation.add(1, ordering: .acquiringAndReleasing)
  }

  final class Lease: Sendable {
    private let end: StreamEnd
    private let generation: Int

    fileprivate init(of end: StreamEnd, generation: Int) {
      self.end = end
      self.generation = generation
    }

    deinit {
      if isCurrent { end.finish() }
    }

    var isCurrent: Bool { end.generation.load(ordering: .acquiring) == generation }
  }
}

extension Observer {
  /// Ends the stream when no input above can be written any more.
  func renewStream() {
    guard isLive, case .stream(let stream) = held.purpose, let node = held.connection?.state.node else { return }
    let lease = stream.renew()
    for openness in node.object.openInputsAbove() { openness.add(lease) }
  }
}

extension Realm {
  /// Keeps the stream that the observer feeds up to date with the choices above.
  func addStream(_ observer: Observer) {
    enter()
    root.owned.hasStreams = true
    observer.renewStream()
    leave()
  }

  /// A number that no walk before had.
  func beginWalk() -> Int {
    let root = root
    root.owned.walk += 1
    return root.owned.walk
  }

  func renewStreams() {
    owned.hasNewChoices = false
    var next: [Connection] = []
    swap(&next, &owned.newChoices)
    let walk = beginWalk()
    while let connection = next.popLast() {
      guard connection.isAlive, connection.state.walk != walk else { continue }
      connection.state.walk = walk
      for index in 0..<connection.state.observers.count { connection.state.observers[index].object.renewStream() }
      for index in 0..<connection.state.dependents.count { next.append(connection.state.dependents[index].object) }
    }
  }
}

extension GraphNode {
  /// The inputs that this depends on and that can be written, each once.
  fileprivate func openInputsAbove() -> [Openness] {
    let walk = realm.beginWalk()
    var inputs: [Openness] = []
    var nodes: [GraphNode] = [self]
    while let node = nodes.popLast() {
      guard node.state.walk != walk else { continue }
      node.state.walk = walk
      if let openness = node.openness, openness.isOpen { inputs.append(openness) }
      if let first = node.state.first { nodes.append(first.object) }
      if let second = node.state.second { nodes.append(second.object) }
    }
    return inputs
  }
}
