// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

extension Work {
  /// Resources, and their callers.
  static let resources = [
    Work("n callers of one resource, answered", 500) { n in
      let resource = AsyncResource<Int> { 1 }
      return { await ended((0..<n).map { _ in Task { @MainActor in _ = await resource.load() } }) }
    } byHand: { n in
      let task = Task { @MainActor in 1 }
      return { await ended((0..<n).map { _ in Task { @MainActor in _ = await task.value } }) }
    },
    Work("n callers of one resource, cancelled together", 500) { n in
      let resource = AsyncResource<Int> { try await forever() }
      return {
        let tasks = (0..<n).map { _ in Task { @MainActor in _ = await resource.load() } }
        await settle()
        resource.cancel()
        await ended(tasks)
      }
    },
    Work("n callers of one resource, each cancelled", 500) { n in
      let resource = AsyncResource<Int> { try await forever() }
      return {
        let tasks = (0..<n).map { _ in Task { @MainActor in _ = await resource.load() } }
        await settle()
        for task in tasks { task.cancel() }
        await ended(tasks)
      }
    },
    Work("n callers that wait for the next load of one resource, each cancelled", 500) { n in
      let resource = AsyncResource<Int> { try await forever() }
      resource.start()
      resource.invalidate()
      return {
        let tasks = (0..<n).map { _ in Task { @MainActor in _ = await resource.load() } }
        await settle()
        for task in tasks.reversed() { task.cancel() }
        await ended(tasks)
        resource.cancel()
      }
    },
    Work("n resources that follow one key, one write", 100) { n in
      let key = Input<Int?>(1)
      let resources = (0..<n).map { _ in AsyncResource<Int>(following: key) { $0 } }
      for resource in resources { resource.start() }
      return {
        key.write(2)
        withExtendedLifetime(resources) {}
      }
    } byHand: { n in
      {
        var tasks = (0..<n).map { _ in Task { @MainActor in tally += 1 } }
        for index in tasks.indices {
          tasks[index].cancel()
          tasks[index] = Task { @MainActor in tally += 1 }
        }
      }
    },
    Work("a chain of n resources that follow one another, one write", 100) { n in
      let key = Input<Int?>(1)
      var resources = [AsyncResource<Int>(following: key) { $0 }]
      for _ in 1..<n {
        resources.append(AsyncResource<Int>(following: resources[resources.count - 1].observed.map { $0.value }) { $0 })
      }
      for resource in resources {
        resource.start()
        resource.data.value = 1
      }
      return {
        key.write(2)
        withExtendedLifetime(resources) {}
      }
    },
    Work("n resources that are made of one, one change", 100) { n in
      let source = AsyncResource<Int> { 1 }
      let watchers = (0..<n).map { _ in
        AsyncResource<Int>(.of(source) { $0 })
      }
      await ended(watchers.map { watcher in Task { @MainActor in _ = await watcher.load() } })
      return {
        source.data.value = tally
        tally += 1
        await ended(watchers.map { watcher in Task { @MainActor in _ = await watcher.load(when: .stale) } })
      }
    },
    Work("a chain of n resources that are made of one another, one change", 50) { n in
      var resources = [AsyncResource<Int> { 1 }]
      for _ in 1..<n {
        let former = resources[resources.count - 1]
        resources.append(AsyncResource<Int>(.of(former) { $0 }))
      }
      await resources[n - 1].load()
      return {
        resources[0].data.value = tally + 2
        tally += 1
        await resources[resources.count - 1].load(when: .stale)
      }
    },
    Work("n loads with retry and timeout, one after another", 250) { n in
      let resource = AsyncResource<Int>(options: LoadOptions(retry: .exponential(), timeout: .seconds(100))) { 1 }
      return { for _ in 0..<n { await resource.load() } }
    },
    Work("n loads with a timeout at once, answered", 100) { n in
      let resources = (0..<n).map { _ in AsyncResource<Int>(options: LoadOptions(timeout: .seconds(100))) { 1 } }
      return { await ended(resources.map { resource in Task { @MainActor in _ = await resource.load() } }) }
    },
  ]

  /// Families and their boards.
  static let families = [
    Work("n families made on one board", 500) { n in
      let board = AsyncTagBoard()
      return {
        let families = (0..<n).map { _ in AsyncFamily<Int, Int>(board: board) { $0 } }
        board.invalidate("tag")
        withExtendedLifetime(families) {}
      }
    },
    Work("n families made on one board, each with a gate of its own", 500) { n in
      let board = AsyncTagBoard()
      return {
        let families = (0..<n).map { _ in
          AsyncFamily<Int, Int>(options: LoadOptions(gate: LoadGate()), board: board) { $0 }
        }
        board.invalidate("tag")
        withExtendedLifetime(families) {}
      }
    },
    Work("n keys, made and held", 1_000) { n in
      let family = AsyncFamily<Int, Int> { $0 }
      return {
        let held = (0..<n).map { family[$0] }
        tally += held.count
      }
    } byHand: { n in
      final class Entry {}
      return {
        var entries: [Int: Entry] = [:]
        for key in 0..<n { entries[key] = Entry() }
        tally += entries.count
      }
    },
    Work("n look-ups of one idle key beside n held", 500) { n in
      let family = AsyncFamily<Int, Int>(keepUnused: 100) { $0 }
      let held = (0..<n).map { family[$0] }
      return {
        for _ in 0..<n { tally += family[-1].value ?? 0 }
        withExtendedLifetime(held) {}
      }
    } byHand: { n in
      let entries = Dictionary(uniqueKeysWithValues: (-1..<n).map { ($0, 0) })
      return { for _ in 0..<n { tally += entries[-1] ?? 0 } }
    },
    Work("n keys used once, with 100 idle entries", 1_000) { n in
      let family = AsyncFamily<Int, Int>(keepUnused: 100) { $0 }
      return { for key in 0..<n { family[key].data.value = key } }
    },
    Work("each of n held keys forgotten", 250) { n in
      let family = AsyncFamily<Int, Int> { $0 }
      let held = (0..<n).map { family[$0] }
      return {
        for key in 0..<n { try? await family.forget(key) }
        withExtendedLifetime(held) {}
      }
    },
    Work("all of n held keys forgotten at once", 250) { n in
      let family = AsyncFamily<Int, Int> { $0 }
      let held = (0..<n).map { family[$0] }
      return {
        try? await family.forgetAll()
        withExtendedLifetime(held) {}
      }
    },
    Work("one tag that n held entries have, invalidated", 500) { n in
      let board = AsyncTagBoard()
      let family = AsyncFamily<Int, Int>(board: board, tags: { _, _ in ["all"] }) { $0 }
      let held = (0..<n).map { family[$0] }
      return {
        board.invalidate("all")
        withExtendedLifetime((family, held)) {}
      }
    },
    Work("n tags of n held entries, invalidated one after another", 500) { n in
      let board = AsyncTagBoard()
      let family = AsyncFamily<Int, Int>(board: board, tags: { key, _ in [AsyncTag(key)] }) { $0 }
      let held = (0..<n).map { family[$0] }
      return {
        for key in 0..<n { board.invalidate(AsyncTag(key)) }
        withExtendedLifetime((family, held)) {}
      }
    },
    Work("n requested entries reloaded by a board", 100) { n in
      let board = AsyncTagBoard()
      let family = AsyncFamily<Int, Int>(board: board, tags: { _, _ in ["all"] }) { $0 }
      let held = (0..<n).map { family[$0] }
      for resource in held { await resource.load() }
      return {
        board.invalidate("all")
        await board.settled()
        withExtendedLifetime((family, held)) {}
      }
    },
  ]

  /// Gates, and what waits at them.
  static let gates = [
    Work("n loads at a closed gate of width 6, which opens", 250) { n in
      let gate = LoadGate(isOpen: false, width: 6)
      let resources = (0..<n).map { _ in AsyncResource<Int>(options: LoadOptions(gate: gate)) { 1 } }
      return {
        let loads = resources.map { $0.start() }
        gate.open()
        for load in loads { await load.outcome() }
      }
    },
    Work("n loads at a full gate, cancelled one after another", 250) { n in
      let gate = LoadGate(width: 1)
      let resources = (0..<n).map { _ in AsyncResource<Int>(options: LoadOptions(gate: gate), operation: forever) }
      return {
        for resource in resources { resource.start() }
        await settle()
        for resource in resources { resource.cancel() }
      }
    },
    Work("n held entries requested again when a gate of width 6 opens", 100) { n in
      let (gate, board) = (LoadGate(width: 6), AsyncTagBoard())
      let family = AsyncFamily<Int, Int>(options: LoadOptions(gate: gate), board: board, tags: { _, _ in ["all"] }) {
        $0
      }
      let held = (0..<n).map { family[$0] }
      for resource in held { await resource.load() }
      gate.close()
      board.invalidate("all")
      return {
        gate.open()
        await board.settled()
        withExtendedLifetime((family, held)) {}
      }
    },
  ]

  private static func forever() async throws -> Int? {
    try await Task.sleep(for: .seconds(1_000))
    return nil
  }

  private static func ended(_ tasks: [Task<Void, Never>]) async {
    for task in tasks { await task.value }
  }
}
