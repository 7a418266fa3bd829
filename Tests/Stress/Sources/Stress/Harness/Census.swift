// SPDX-License-Identifier: MIT
import Foundation

/// Counts what is alive: whatever is to be counted holds a life.
final class Census: Sendable {
  /// Held by one that is counted, for as long as it is there.
  final class Life: Sendable {
    private let census: Census
    private let kind: String

    fileprivate init(_ census: Census, _ kind: String) {
      self.census = census
      self.kind = kind
    }

    deinit { census.end(kind) }
  }

  private struct State {
    var counts: [String: Int] = [:]
    var waiter: (kind: String?, CheckedContinuation<Void, Never>)?

    func isEmpty(_ kind: String?) -> Bool { kind.map { counts[$0] == nil } ?? counts.isEmpty }
  }

  private let state = Locked(State())

  func life(_ kind: String) -> Life {
    state.withLock { $0.counts[kind, default: 0] += 1 }
    return Life(self, kind)
  }

  private func end(_ kind: String) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.counts[kind, default: 0] -= 1
      if state.counts[kind] == 0 { state.counts[kind] = nil }
      guard let waiter = state.waiter, state.isEmpty(waiter.kind) else { return nil }
      state.waiter = nil
      return waiter.1
    }
    waiter?.resume()
  }

  func count(_ kind: String) -> Int {
    state.withLock { $0.counts[kind] ?? 0 }
  }

  /// Suspends until nothing is left, or nothing of a kind. What is still there after a while is named, and ends the process.
  func isEmpty(_ kind: String? = nil, isolation: isolated (any Actor)? = #isolation) async {
    let watchdog = Watchdog("left behind") { "\(self.state.withLock(\.counts))" }
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        let isEmpty = state.isEmpty(kind)
        if !isEmpty { state.waiter = (kind, continuation) }
        return isEmpty
      }
      if isEmpty { continuation.resume() }
    }
    watchdog.end()
  }
}

/// Ends the process when something takes far too long. It decides nothing else: no program waits for a time to pass.
final class Watchdog: Sendable {
  private let isOver = Locked(false)

  init(_ what: String, _ detail: @escaping @Sendable () -> String) {
    let isOver = isOver
    DispatchQueue.global().asyncAfter(deadline: .now() + 20) {
      if !isOver.withLock({ $0 }) { fail("\(what): \(detail())") }
    }
  }

  func end() {
    isOver.withLock { $0 = true }
  }
}

/// A value behind a lock.
///
/// Sendable because the value is used only with the lock. `NSLock`, because the thread sanitizer does not see that
/// `Synchronization.Mutex` orders accesses on Linux, and reports races that there are not.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}
