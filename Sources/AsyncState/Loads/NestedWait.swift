// SPDX-License-Identifier: MIT
// Operations that await each other. A load that is awaited inside the operation of another one is noted, on whatever
// actors the two are, and a wait that could never end fails instead.

import Synchronization

/// A wait of one operation for the load of other data.
@usableFromInline
struct NestedWait: Sendable {
  let place: LoadPlace
  let target: LoadPlace
  /// Names the target.
  let label: String
  /// The load whose operation waits. When it has been superseded its operation waits a moment longer, which no one needs.
  private let load: Int

  init(at place: LoadPlace, for target: LoadPlace, label: String) {
    (self.place, self.target, self.label) = (place, target, label)
    load = place.presentLoad
  }

  var isCurrent: Bool { place.isRunning(load) }

  func isSame(as other: NestedWait) -> Bool { target === other.target && load == other.load }

  /// Begins the wait.
  ///
  /// - Returns: The error if the wait could never end.
  // Not inlined: the thread sanitizer knows the access by this name (Tests/thread-suppressions.txt).
  @inline(never)
  func begin() -> LoadCycleError? { Waits.all.withLock { $0.begin(self) } }

  @inline(never)
  func end() { Waits.all.withLock { $0.end(self) } }
}

extension AsyncData {
  /// The wait of a caller for this data, if the caller is the operation of other data; nil outside of operations.
  var nestedWait: NestedWait? {
    guard let waiting = RunningOperation.waitingPlace else { return nil }
    return wait(at: waiting)
  }

  func wait(at place: LoadPlace) -> NestedWait {
    NestedWait(at: place, for: self.place, label: keeper?.label ?? "\(Value.self)")
  }
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
    guard var others = waits[place], let index = others.firstIndex(where: wait.isSame) else { return }
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
        guard wait.target !== start, arrivals[target] == nil, wait.isCurrent else { continue }
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
