// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// Families with a board and a store, and entries of a family that others share: in the middle of loads, reloads and
/// writes, while the family is used.
final class FamilyWorld: World {
  private let scene: Scene
  private let clock = ManualClock()
  private let board = AsyncTagBoard(gate: LoadGate(width: 2))
  private let store = MemoryStore<Int, Int>()
  private let shared: AsyncFamily<Int, Int>
  private let gate = ManualServer<Int>()
  private var made = Int.random(in: 0..<4)

  init(_ scene: Scene, isolation: isolated any Actor) {
    self.scene = scene
    let gate = gate
    scene.atEnd { for call in 1...1_000 { gate.answer(call: call, with: .success(1)) } }
    shared = AsyncFamily(
      isolation: isolation, options: LoadOptions(clock: clock), keepUnused: 2, board: board,
      tags: { key, _ in ["all", AsyncTag(key)] }, store: store
    ) { key in
      .value {
        scene.called("operation", outlives: true)
        return key.isMultiple(of: 2) ? key : try await gate.wait()
      }
    }
  }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    made += 1
    let scene = scene
    guard made.isMultiple(of: 2) else {
      // What one screen has of a family that others share.
      let resource = shared[made % 5]
      resource.start(when: .stale, isolation: isolation)
      let token = resource.observed.observe { [scene] _ in scene.called("observer", outlives: true) }
      return [resource, resource.data, token]
    }
    let life = scene.census.life("operation")
    let gate = ManualServer<Int>()
    scene.atEnd { for call in 1...100 { gate.answer(call: call, with: .success(1)) } }
    let family = AsyncFamily<Int, Int>(
      isolation: isolation, options: LoadOptions(clock: clock), keepUnused: made % 4, board: board,
      tags: { key, _ in ["all", AsyncTag(key)] }, store: store
    ) { key in
      .value {
        _ = life
        scene.called("operation", outlives: true)
        return key.isMultiple(of: 2) ? key : try await gate.wait()
      }
    }
    let resources = (0..<4).map { family[$0] }
    let listener = Listener<Int>(scene)
    resources[1].data.delegate = listener
    for resource in resources { resource.start(isolation: isolation) }
    family.prefetch(10, isolation: isolation)
    resources[2].data.value = 5
    return [family, resources, listener]
  }

  func write(_ number: Int, isolation: isolated any Actor) {
    switch number % 6 {
    case 0: board.invalidate("all")
    case 1: _ = shared.entries
    case 2: _ = shared[number % 7]
    case 3: shared.invalidate(where: { $0 == number % 5 })
    case 4: _ = shared.entries.count
    default: if number.isMultiple(of: 4) { board.gate.open() } else { board.gate.close() }
    }
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    scene.answer()
    await scene.census.isEmpty("operation")
    await scene.census.isEmpty("delegate")
  }
}
