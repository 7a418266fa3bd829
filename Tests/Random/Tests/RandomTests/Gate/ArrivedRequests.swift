// SPDX-License-Identifier: MIT
/// The requests that have passed a gate, in the order in which they have.
@ModelActor
final class ArrivedRequests<Request: Hashable & Sendable> {
  private(set) var all: [Request] = []
  private var arrival: CheckedContinuation<Void, Never>?

  nonisolated init() {}

  func add(_ request: Request) {
    all.append(request)
    look()
  }

  /// Another number of them is to be reached.
  func look() { arrival.take()?.resume() }

  /// Suspends until there are so many, or the time limit of the test cancels it. What waited returns by a way of its own.
  func reach(_ count: @autoclosure () -> Int) async {
    while all.count < count(), !Task.isCancelled {
      await withTaskCancellationHandler {
        await withCheckedContinuation {
          // Here, and not before: others may have a turn on the way here.
          if all.count < count(), !Task.isCancelled { arrival = $0 } else { $0.resume() }
        }
      } onCancel: {
        Task { await self.look() }
      }
    }
  }

  /// Those that are let in together return by ways of their own, in any order.
  func areSame(as others: [Request]) -> Bool { Self.counted(all) == Self.counted(others) }

  private static func counted(_ requests: [Request]) -> [Request: Int] {
    Dictionary(requests.map { ($0, 1) }, uniquingKeysWith: +)
  }
}
