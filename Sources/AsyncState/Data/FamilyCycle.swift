// SPDX-License-Identifier: MIT
// Operations that await each other. A load of a family that is awaited inside the operation of another one is noted, on
// whatever actors the two are, and a wait that could never end fails instead.

import Synchronization

/// Thrown when operations of families, or operations that watch resources, would await each other for ever.
public struct FamilyCycle: Error, Hashable, Sendable, CustomStringConvertible {
  /// The keys, each of which awaits the next one. The last one is the first again. A resource without a key is named by
  /// the type of its value.
  public let path: [String]

  /// Says which keys await each other.
  public var description: String {
    """
    Operations await each other: \(path.joined(separator: " → ")). None of them could ever end. One of them \
    has to get what it needs without loading the next key.
    """
  }
}

/// An operation of a family, as long as it runs.
final class FamilyOperation: Sendable {
  /// The operation that the current task runs, or was started in.
  @TaskLocal static var current: FamilyOperation?

  /// Stands for a key of a family.
  final class Place: Sendable {}

  let place: Place
  private let isOver = Atomic(false)

  init(at place: Place) {
    self.place = place
  }

  func end() { isOver.store(true, ordering: .relaxed) }

  /// The place of the operation that awaits what is called now; nil outside of operations.
  static var waitingPlace: Place? {
    guard let current, !current.isOver.load(ordering: .relaxed) else { return nil }
    return current.place
  }
}

/// A wait of one operation for the load of another key.
struct NestedWait: Sendable {
  let place: FamilyOperation.Place
  let target: FamilyOperation.Place
  /// Names the target.
  let label: String

  /// The wait begins.
  ///
  /// - Returns: Why it must not.
  // Not inlined: by this name the thread sanitizer knows what it must not report (Tests/thread-suppressions.txt).
  @inline(never)
  func begin() -> FamilyCycle? { Waits.all.withLock { $0.begin(self) } }

  @inline(never)
  func end() { Waits.all.withLock { $0.end(self) } }
}

/// The waits of operations at the moment, and nothing else. One for all families and behind a lock, because operations
/// on different actors may await each other, and a wait begins and ends without a suspension. No code of the user's
/// runs under the lock.
private struct Waits {
  static let all = Mutex(Waits())

  private var waits: [ObjectIdentifier: [NestedWait]] = [:]

  mutating func begin(_ wait: NestedWait) -> FamilyCycle? {
    if let path = path(from: wait.target, to: wait.place) {
      let labels = [wait.label] + path.map(\.label)
      return FamilyCycle(path: [labels[labels.count - 1]] + labels)
    }
    waits[ObjectIdentifier(wait.place), default: []].append(wait)
    return nil
  }

  mutating func end(_ wait: NestedWait) {
    let place = ObjectIdentifier(wait.place)
    guard var others = waits[place], let index = others.firstIndex(where: { $0.target === wait.target }) else { return }
    others.remove(at: index)
    waits[place] = others.isEmpty ? nil : others
  }

  /// The waits that lead from one place to another; nil if none do.
  private func path(from start: FamilyOperation.Place, to end: FamilyOperation.Place) -> [NestedWait]? {
    if start === end { return [] }
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
    _ arrivals: [ObjectIdentifier: NestedWait], from start: FamilyOperation.Place, to end: FamilyOperation.Place
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
