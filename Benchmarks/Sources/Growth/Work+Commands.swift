// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

extension Work {
  /// Commands.
  static let mutations = [
    Work("n inputs of one mutation, each unlike the others", 250) { n in
      let mutation = AsyncMutation<Int, Int> { $0 }
      return {
        let tasks = (0..<n).map { mutation.perform($0) }
        for task in tasks { await task.outcome() }
      }
    },
    Work("n equal inputs of one mutation, which join", 500) { n in
      let mutation = AsyncMutation<Int, Int> { $0 }
      return {
        let tasks = (0..<n).map { _ in mutation.perform(1) }
        for task in tasks { await task.outcome() }
      }
    },
    Work("n inputs of one mutation, cancelled together", 250) { n in
      let mutation = AsyncMutation<Int, Int> { $0 }
      return {
        for input in 0..<n { mutation.perform(input) }
        mutation.cancel()
      }
    },
    Work("n lanes of one mutation", 100) { n in
      let mutation = AsyncMutation<Int, Int>(lane: { $0 }) { $0 }
      return {
        let tasks = (0..<n).map { mutation.perform($0) }
        for task in tasks { await task.outcome() }
      }
    },
    Work("n inputs of one mutation, each with a tag of its own", 250) { n in
      let board = AsyncTagBoard()
      let mutation = AsyncMutation<Int, Int> { $0 }.invalidating(board) { input, _ in [AsyncTag(input)] }
      return {
        let tasks = (0..<n).map { mutation.perform($0) }
        for task in tasks { await task.outcome() }
      }
    },
    Work("n lanes of one mutation, each with a tag of its own", 100) { n in
      let board = AsyncTagBoard()
      let mutation = AsyncMutation<Int, Int>(lane: { $0 }) { $0 }.invalidating(board) { input, _ in [AsyncTag(input)] }
      return {
        let tasks = (0..<n).map { mutation.perform($0) }
        for task in tasks { await task.outcome() }
      }
    },
    Work("n inputs of one mutation, each displayed at once", 100) { n in
      let list = AsyncResource<Int> { 0 }
      list.data.value = 0
      let mutation = AsyncMutation<Int, Int> { $0 }.changing({ _ in list }) { $0 += $1 }
      return {
        let tasks = (0..<n).map { mutation.perform($0) }
        for task in tasks { await task.outcome() }
      }
    },
  ]

  /// Commands that are stored.
  static let outboxes = [
    Work("n inputs of an outbox, in one lane", 100) { n in
      let outbox = outbox(MemoryOutboxStore())
      return {
        let tasks = (0..<n).map { outbox.perform($0) }
        for task in tasks { await task.outcome() }
      }
    },
    Work("n inputs of an outbox, in n lanes", 100) { n in
      let outbox = outbox(MemoryOutboxStore(), lane: { "\($0)" })
      return {
        let tasks = (0..<n).map { outbox.perform($0) }
        for task in tasks { await task.outcome() }
      }
    },
    Work("n inputs of an outbox, refused and set aside", 100) { n in
      let outbox = outbox(MemoryOutboxStore(), isRefused: true)
      return {
        let tasks = (0..<n).map { outbox.perform($0) }
        for task in tasks { await task.outcome() }
        tally += outbox.state.failedCount
      }
    },
    Work("n inputs of an outbox, set aside and retried", 100) { n in
      let outbox = await refusedOutbox(n)
      return {
        let tasks = outbox.entries.filter { $0.phase == .failed }.map { outbox.retry($0) }
        for task in tasks { await task?.outcome() }
      }
    },
    Work("n inputs of an outbox, set aside and discarded, the last one first", 250) { n in
      let outbox = await refusedOutbox(n)
      return {
        for entry in outbox.entries.reversed() { outbox.discard(entry) }
        await outbox.settled()
      }
    },
    Work("n inputs of an outbox, left by a former launch", 100) { n in
      let store = MemoryOutboxStore<Int>()
      for input in 0..<n { store.put(input, key: "\(input)") }
      return {
        let outbox = outbox(store)
        outbox.resume()
        await outbox.settled()
      }
    },
  ]

  @MainActor
  private static func outbox(
    _ store: MemoryOutboxStore<Int>, lane: @escaping (Int) -> String = { _ in "" }, isRefused: Bool = false
  ) -> AsyncOutbox<Int, Int> {
    AsyncOutbox(store: store, lane: lane, isPermanent: { _, _ in true }) { (input: Int, _: MutationReporter) in
      if isRefused { throw Refusal() }
      return input
    }
  }

  /// One with so many inputs that were set aside.
  @MainActor
  private static func refusedOutbox(_ count: Int) async -> AsyncOutbox<Int, Int> {
    let store = MemoryOutboxStore<Int>()
    for input in 0..<count { store.put(input, key: "\(input)", failure: "refused") }
    let outbox = outbox(store)
    await outbox.resume().restored()
    return outbox
  }

  private struct Refusal: Error {}
}
