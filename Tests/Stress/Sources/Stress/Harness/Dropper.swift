// SPDX-License-Identifier: MIT
import Foundation

/// Drops last references where their owner's actor is not: in detached tasks, on plain threads, and on the main actor.
final class Dropper: Sendable {
  private struct State {
    var pending: [any Sendable] = []
  }

  private let state = Locked(State())
  private let arrived = DispatchSemaphore(value: 0)
  private let turns = Locked(0)

  static let shared = Dropper()

  private init() {
    for _ in 0..<2 {
      Thread { [self] in
        while true {
          arrived.wait()
          _ = state.withLock { $0.pending.popLast() }
        }
      }.start()
    }
  }

  /// Takes the references, and returns before they are dropped.
  func drop<Object: AnyObject & Sendable>(_ objects: inout [Object]) {
    var taken: [Object] = []
    swap(&taken, &objects)
    while let object = taken.popLast() {
      let way = turns.withLock { turns in
        turns += 1
        return turns % 4
      }
      switch way {
      case 0: Task.detached { [object] in _ = object }
      case 1: DispatchQueue.global().async { [object] in _ = object }
      default:
        state.withLock { $0.pending.append(object) }
        arrived.signal()
      }
    }
  }
}
