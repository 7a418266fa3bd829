// SPDX-License-Identifier: MIT
import AsyncState

extension Work {
  /// Keys that are requested together, beside a request of each.
  static let batches = [
    Work("n keys of a family, a request each", 500) { n in
      let family = AsyncFamily<Int, Int>(keepUnused: .max) { key in key }
      return { await request((0..<n).map { family[$0] }) }
    },
    Work("n keys of a family, requested together in fifties", 500) { n in
      let batcher = KeyBatcher<Int, Int>(limit: 50) { keys in values(of: keys) }
      let family = AsyncFamily<Int, Int>(keepUnused: .max) { key in try await batcher.value(for: key) }
      return { await request((0..<n).map { family[$0] }) }
    },
    Work("n keys of a family that wait for one batch, each cancelled", 500) { n in
      let batcher = KeyBatcher<Int, Int> { keys in
        try await Task.sleep(for: .seconds(3_600))
        return values(of: keys)
      }
      let family = AsyncFamily<Int, Int>(keepUnused: .max) { key in try await batcher.value(for: key) }
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

  private static func values(of keys: [Int]) -> [Int: Result<Int, any Error>] {
    Dictionary(uniqueKeysWithValues: keys.map { ($0, .success($0)) })
  }
}
