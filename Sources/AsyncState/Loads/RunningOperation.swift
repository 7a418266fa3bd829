// SPDX-License-Identifier: MIT
// Operations that await each other. A load that is awaited inside the operation of another one is noted, on whatever
// actors the two are, and a wait that could never end fails instead.

import Synchronization

/// Thrown when the operations of resources would await each other for ever, or an operation its own resource.
public struct LoadCycleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The keys, each of which awaits the next one. The last one is the first again. A resource without a key is named by
  /// the type of its value.
  public let path: [String]

  /// A text with the keys that await each other.
  public var description: String {
    """
    Operations await each other: \(path.joined(separator: " → ")). None of them could ever end. One of them, or an \
    interceptor of its options, has to get what it needs without loading the next one.
    """
  }
}

/// The data's place among operations that await each other.
final class LoadPlace: DataFeature, Sendable {
  /// The number of the running load. It changes when the load has ended.
  // Justified: written on the data's actor alone. Elsewhere a task reads it to find out whether the load that it is part of
  // still runs, which may end at any moment. Noticed: `LoadCycleTests` (9.13).
  private let number = Atomic(0)

  /// Begins the operation of the running load.
  func begin() -> RunningOperation { RunningOperation(place: self, load: number.load(ordering: .relaxed)) }

  var place: FeaturePlace { .cycle }

  /// Counts the end of requests. Observers of the end are not notified yet, and a request that they begin is no part of a load.
  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    if case .nothing = ends { return }
    number.wrappingAdd(1, ordering: .relaxed)
  }

  func isRunning(_ load: Int) -> Bool { number.load(ordering: .relaxed) == load }
}

/// The operation of a load, with its interceptors, as long as the load runs.
@usableFromInline
struct RunningOperation: Sendable {
  /// The operation that the current task runs, or was started in.
  @TaskLocal static var current: RunningOperation?

  let place: LoadPlace
  let load: Int

  /// The place of the operation that awaits the present call; nil outside of operations.
  static var waitingPlace: LoadPlace? {
    guard let current, current.place.isRunning(current.load) else { return nil }
    return current.place
  }

  /// Makes a task that runs this operation.
  @usableFromInline
  func begin(_ makeTask: () -> Void) {
    Self.$current.withValue(self, operation: makeTask)
  }

  /// Calls observers, or begins work for several calls, outside of the operation that runs in this task.
  static func outside(_ body: () -> Void) {
    GateRoom.none { if current == nil { body() } else { $current.withValue(nil, operation: body) } }
  }
}

/// A wait of one operation for the load of other data.
struct NestedWait: Sendable {
  let place: LoadPlace
  let target: LoadPlace
  /// Names the target.
  let label: String

  /// Begins the wait.
  ///
  /// - Returns: The error if the wait could never end.
  // Not inlined: the thread sanitizer knows the access by this name (Tests/thread-suppressions.txt).
  @inline(never)
  func begin() -> LoadCycleError? { Waits.all.withLock { $0.begin(self) } }

  @inline(never)
  func end() { Waits.all.withLock { $0.end(self) } }
}

/// The present waits of operations. One for all data and behind a lock, because operations on different actors may await each
/// other, and a wait begins and ends without a suspension. No code of the user's runs under the lock.
private struct Waits {
  // Justified: as said above. Noticed: `LoadCycleTests` (9.13) under the thread sanitizer.
  static let all = Mutex(Waits())

  private var waits: [ObjectIdentifier: [NestedWait]] = [:]
  /// The number of waits for a place.
  private var waiterCounts: [ObjectIdentifier: Int] = [:]

  mutating func begin(_ wait: NestedWait) -> LoadCycleError? {
    if let path = path(from: wait.target, to: wait.place) {
      let labels = [wait.label] + path.map(\.label)
      return LoadCycleError(path: [labels[labels.count - 1]] + labels)
    }
    waits[ObjectIdentifier(wait.place), default: []].append(wait)
    waiterCounts[ObjectIdentifier(wait.target), default: 0] += 1
    return nil
  }

  mutating func end(_ wait: NestedWait) {
    let place = ObjectIdentifier(wait.place)
    guard var others = waits[place], let index = others.firstIndex(where: { $0.target === wait.target }) else { return }
    others.remove(at: index)
    waits[place] = others.isEmpty ? nil : others
    let target = ObjectIdentifier(wait.target)
    if let count = waiterCounts[target] { waiterCounts[target] = count > 1 ? count - 1 : nil }
  }

  /// The waits that lead from one place to another; nil if none do.
  private func path(from start: LoadPlace, to end: LoadPlace) -> [NestedWait]? {
    if start === end { return [] }
    // Most operations that begin to wait are not awaited yet, so a long chain of waits is not walked for them.
    guard waiterCounts[ObjectIdentifier(end)] != nil else { return nil }
    var arrivals: [ObjectIdentifier: NestedWait] = [:]
    var open = [start]
    while let place = open.popLast() {
      for wait in waits[ObjectIdentifier(place)] ?? [] {
        let target = ObjectIdentifier(wait.target)
        guard wait.target !== start, arrivals[target] == nil else { continue }
        arrivals[target] = wait
        if wait.target !== end { open.append(wait.target) } else { return trace(arrivals, from: start, to: end) }
      }
    }
    return nil
  }

  private func trace(
    _ arrivals: [ObjectIdentifier: NestedWait], from start: LoadPlace, to end: LoadPlace
  ) -> [NestedWait] {
    var path: [NestedWait] = []
    var place = end
    while place !== start, let wait = arrivals[ObjectIdentifier(place)] {
      path.append(wait)
      place = wait.place
    }
    return path.reversed()
  }
}
