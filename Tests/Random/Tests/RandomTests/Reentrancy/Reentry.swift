// SPDX-License-Identifier: MIT
import Foundation
import Observation
import Testing

/// Something of the library in use, with user code wherever the library takes any, which may call anything.
@MainActor
protocol ReentryRig: AnyObject {
  associatedtype Callback: Hashable & CaseIterable & Sendable
  associatedtype Method: CaseIterable & Sendable
  /// The ways to use it.
  associatedtype Kind: CaseIterable = OneKind

  init(_ kind: Kind, _ reentry: Reentry<Self>)

  /// The scenario: each callback is reached in one kind at least.
  func run() async

  func call(_ method: Method)

  /// Checks the laws, after the scenario.
  func expectAllIsWell(_ what: String) async
}

enum OneKind: CaseIterable { case only }

/// What is called inside callbacks.
enum ReentryPlan<Rig: ReentryRig> {
  case nothing
  /// One method inside the n-th call of one callback.
  case once(Rig.Method, inside: Rig.Callback, number: Int)
  /// Any methods inside any calls, also of callbacks that they cause.
  case random(seed: UInt64)
}

extension ReentryRig {
  /// Calls every method inside every call of each callback, each in a rig of its own, and any methods inside any callbacks.
  static func checkAll() async {
    for callback in Callback.allCases { await checkTable(callback) }
    let kinds = Array(Kind.allCases)
    for seed in Soak.seeds(150) { _ = await use(kinds[Int(seed) % kinds.count], .random(seed: seed)) }
  }

  private static func checkTable(_ callback: Callback) async {
    var isReached = false
    for kind in Kind.allCases {
      // Of one callback the first calls are enough, unless there is time for all.
      let count = min(await use(kind, .nothing).counts[callback] ?? 0, Soak.isOn ? .max : 3)
      isReached = isReached || count > 0
      for number in 0..<count {
        for method in Method.allCases {
          let plan = ReentryPlan<Self>.once(method, inside: callback, number: number + 1)
          if await !use(kind, plan).hasFired { Issue.record("\(kind), \(plan): the callback was not called") }
        }
      }
    }
    #expect(isReached, "the scenario never reaches \(callback)")
  }

  private static func use(_ kind: Kind, _ plan: ReentryPlan<Self>) async -> Reentry<Self> {
    announce("\(kind), \(plan)")
    let reentry = Reentry<Self>(plan)
    let rig = Self(kind, reentry)
    reentry.rig = rig
    await rig.run()
    await rig.expectAllIsWell("\(kind), \(plan)")
    return reentry
  }
}

/// Counts the calls of callbacks, and lets a plan do something inside.
///
/// Sendable, because a retry policy and a clock have to be: everything here is called on the main actor.
final class Reentry<Rig: ReentryRig>: @unchecked Sendable {
  weak var rig: Rig?
  let plan: ReentryPlan<Rig>
  private(set) var counts: [Rig.Callback: Int] = [:]
  private(set) var hasFired = false
  /// True while a callback computes something from data, which it must not write.
  private(set) var isComputing = false
  private var isOver = false
  private var generator = SeededGenerator(seed: 0)
  private var (callsLeft, rarity) = (0, 1)

  init(_ plan: ReentryPlan<Rig>) {
    self.plan = plan
    guard case .random(let seed) = plan else { return }
    generator = SeededGenerator(seed: seed)
    callsLeft = Int.random(in: 1...8, using: &generator)
    rarity = Int.random(in: 1...12, using: &generator)
  }

  /// From here on nothing is called inside.
  func end() { isOver = true }

  /// A callback of the library is being called.
  func reached(_ callback: Rig.Callback) {
    if isOver { return }
    counts[callback, default: 0] += 1
    guard let method = method(inside: callback) else { return }
    hasFired = true
    MainActor.assumeIsolated { rig?.call(method) }
  }

  private func method(inside callback: Rig.Callback) -> Rig.Method? {
    switch plan {
    case .nothing: return nil
    case .once(let method, callback, counts[callback]!): return method
    case .once: return nil
    case .random:
      guard callsLeft > 0, Int.random(in: 0..<rarity, using: &generator) == 0 else { return nil }
      callsLeft -= 1
      return Array(Rig.Method.allCases).randomElement(using: &generator)
    }
  }

  /// A callback of the library that computes something from data is being called.
  func computing<Result>(_ callback: Rig.Callback, _ body: () -> Result) -> Result {
    let wasComputing = isComputing
    isComputing = true
    defer { isComputing = wasComputing }
    reached(callback)
    return body()
  }

  /// Reads as a view does that is drawn again for each change: the callback is called after each.
  ///
  /// - Parameter read: Must not keep what it reads.
  func track(_ callback: Rig.Callback, _ read: @escaping () -> Void) {
    nonisolated(unsafe) let willChange = { [weak self] in
      guard let self else { return }
      track(callback, read)
      reached(callback)
    }
    withObservationTracking(read) { willChange() }
  }
}

extension Array {
  /// Empties the variable, and gives what was in it: what its release calls finds the variable empty, and free.
  mutating func takeAll() -> [Element] {
    defer { self = [] }
    return self
  }
}

/// Suspends until what waited for the main actor has had its turn.
@MainActor
func turnOfTheMainActor() async {
  await Task { @MainActor in }.value
}

/// Prints what is next, if that is wanted: after a crash, the last line names the case.
///
/// `ASYNCSTATE_REENTRY=1 swift test --package-path Tests/Random --filter Reentry`
private func announce(_ entry: String) {
  if isTalkative { FileHandle.standardError.write(Data("\(entry)\n".utf8)) }
}

private let isTalkative = ProcessInfo.processInfo.environment["ASYNCSTATE_REENTRY"] != nil
