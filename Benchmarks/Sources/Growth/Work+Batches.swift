// SPDX-License-Identifier: MIT
import AsyncState

extension Work {
  /// Keys that are requested together, beside a request of each.
  static let batches = [
    Work("n keys of a family, a request each", 500) { n in
      let family = AsyncFamily<Int, Int>(keepIdle: .all) { key in key }
      return { await request((0..<n).map { family[$0] }) }
    },
    Work("n keys of a family, requested together in fifties", 500) { n in
      let family = AsyncFamily<Int, Int>(keepIdle: .all, batching: 50) { keys in values(of: keys) }
      return { await request((0..<n).map { family[$0] }) }
    },
    Work("n keys of a family, requested together in fifties, at a gate with a width of two", 500) { n in
      let options = LoadOptions(gate: LoadGate(width: 2))
      let family = AsyncFamily<Int, Int>(options: options, keepIdle: .all, batching: 50) { keys in values(of: keys) }
      return { await request((0..<n).map { family[$0] }) }
    },
    Work("n keys of a family that wait for one batch, each cancelled", 500) { n in
      let options = LoadOptions(gate: LoadGate(isOpen: false))
      let family = AsyncFamily<Int, Int>(options: options, keepIdle: .all, batching: 50) { keys in values(of: keys) }
      let entries = (0..<n).map { family[$0] }
      return {
        for entry in entries { entry.start() }
        await settle()
        for entry in entries { entry.cancel() }
      }
    },
  ]

  @MainActor private static func request(_ entries: [AsyncResource<Int>]) async {
    for entry in entries { entry.start() }
    for entry in entries { await entry.load(when: .stale) }
  }

  private static func values(of keys: [Int]) -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) })
  }
}
