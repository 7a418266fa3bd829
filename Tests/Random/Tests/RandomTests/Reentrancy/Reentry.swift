// SPDX-License-Identifier: MIT
import Foundation
import Observation
import Testing

/// What is called inside callbacks.
enum ReentryPlan<Callback: Hashable, Method: CaseIterable> {
  case nothing
  /// One method inside the n-th call of one callback.
  case once(ReentryCase<Callback, Method>)
  /// Any methods inside any calls, also of callbacks that they cause.
  case random(seed: UInt64)

  func reentry(_ call: @escaping (Method) -> Void) -> Reentry<Callback> {
    let reentry = Reentry<Callback>()
    let methods = Array(Method.allCases)
    switch self {
    case .nothing: break
    case .once(let entry):
      reentry.onReach = { [weak reentry] callback, number in
        guard callback == entry.callback, number == entry.number else { return }
        reentry?.hasFired = true
        call(entry.method)
      }
    case .random(let seed):
      var generator = SeededGenerator(seed: seed)
      var callsLeft = Int.random(in: 1...8, using: &generator)
      let rarity = Int.random(in: 1...12, using: &generator)
      reentry.onReach = { _, _ in
        guard callsLeft > 0, Int.random(in: 0..<rarity, using: &generator) == 0 else { return }
        callsLeft -= 1
        call(methods.randomElement(using: &generator) ?? methods[0])
      }
    }
    return reentry
  }
}

/// Counts the calls of callbacks, and lets a plan do something inside.
///
/// Sendable, because a retry policy and a clock have to be: everything here is called on one actor.
final class Reentry<Callback: Hashable>: @unchecked Sendable {
  private(set) var counts: [Callback: Int] = [:]
  fileprivate(set) var hasFired = false
  fileprivate var onReach: (Callback, Int) -> Void = { _, _ in }
  /// True while a callback computes something from data, which it must not write.
  private(set) var isComputing = false

  /// From here on nothing is called inside.
  func end() {
    onReach = { _, _ in }
  }

  /// A callback of the library is being called.
  func reached(_ callback: Callback) {
    let number = counts[callback, default: 0] + 1
    counts[callback] = number
    onReach(callback, number)
  }
}

extension Reentry {
  /// A callback of the library that computes something from data is being called.
  func computing<Result>(_ callback: Callback, _ body: () -> Result) -> Result {
    let wasComputing = isComputing
    isComputing = true
    defer { isComputing = wasComputing }
    reached(callback)
    return body()
  }

  /// Reads as a view does that is drawn again for each change: the callback is called after each.
  ///
  /// - Parameter read: Must not keep what it reads.
  func track(_ callback: Callback, _ read: @escaping () -> Void) {
    nonisolated(unsafe) let willChange = { [weak self] in
      guard let self else { return }
      track(callback, read)
      reached(callback)
    }
    withObservationTracking(read) { willChange() }
  }
}

/// Something of the library that never waits, in use, with user code wherever the library takes any.
protocol ReentryRig {
  associatedtype Callback: Hashable
  associatedtype Method: CaseIterable

  var reentry: Reentry<Callback> { get }

  /// The scenario: reaches every callback.
  func run()

  /// Checks the laws, after the scenario.
  func expectAllIsWell(_ what: String)
}

extension ReentryRig {
  /// Calls every method inside every call of a callback, each in a rig of its own.
  static func checkTable(
    _ callback: Callback, _ note: String = "", make: (ReentryPlan<Callback, Method>) -> Self
  ) {
    let plain = make(.nothing)
    plain.run()
    let counts = plain.reentry.counts
    plain.expectAllIsWell("nothing called inside\(note)")
    for entry in reentryCases(callback, Method.self, counts: counts) {
      announce(entry)
      let rig = make(.once(entry))
      rig.run()
      #expect(rig.reentry.hasFired, "\(entry)\(note)")
      rig.expectAllIsWell("\(entry)\(note)")
    }
  }

  /// Calls any methods inside any callbacks, by a seed.
  static func checkSeeds(make: (UInt64, ReentryPlan<Callback, Method>) -> Self) {
    for seed in reentrySeeds {
      announce("seed \(seed)")
      let rig = make(seed, .random(seed: seed))
      rig.run()
      rig.expectAllIsWell("seed \(seed)")
    }
  }
}

extension Array {
  /// Empties the variable, and gives what was in it: what its release calls finds the variable empty, and free.
  mutating func takeAll() -> [Element] {
    defer { self = [] }
    return self
  }
}

/// One cell of a table: this method, inside this call of this callback.
struct ReentryCase<Callback, Method>: CustomStringConvertible {
  let callback: Callback
  let number: Int
  let method: Method

  var description: String { "\(method) inside call \(number) of \(callback)" }
}

/// Every method inside every call of every callback.
///
/// - Parameter counts: How often each callback is called when nothing is called inside.
func reentryCases<Callback: Hashable, Method: CaseIterable>(
  _ callback: Callback, _ method: Method.Type, counts: [Callback: Int]
) -> [ReentryCase<Callback, Method>] {
  // Of one callback the first calls are enough, unless there is time for all.
  let limit = Soak.isOn ? Int.max : 3
  let count = counts[callback] ?? 0
  #expect(count > 0, "the scenario never reaches \(callback)")
  return (0..<min(count, limit)).flatMap { index in
    Method.allCases.map { ReentryCase(callback: callback, number: index + 1, method: $0) }
  }
}

/// Seeds of random plans: as many as there is time for.
var reentrySeeds: Range<UInt64> { Soak.seeds(150) }

/// Prints what is next, if that is wanted: after a crash, the last line names the case.
///
/// `ASYNCSTATE_REENTRY=1 swift test --package-path Tests/Random --filter Reentry`
func announce(_ entry: some CustomStringConvertible) {
  guard isTalkative else { return }
  FileHandle.standardError.write(Data("\(entry)\n".utf8))
}

private let isTalkative = ProcessInfo.processInfo.environment["ASYNCSTATE_REENTRY"] != nil
