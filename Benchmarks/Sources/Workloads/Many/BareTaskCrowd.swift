// SPDX-License-Identifier: MIT
/// Actors that await a bare task each, all at once.
final class BareTaskCrowd: Work {
  private actor Owner {
    private var value: Int?

    func drive(_ turn: Int) async -> Int {
      let task = Task {
        // On the actor, as the operation of a load is.
        _ = self
        return turn
      }
      value = await task.value
      return value ?? 0
    }
  }

  private let tally = Tally()

  func run(_ count: Int, on home: isolated any Actor) async {
    let actors = (0..<count).map { _ in Owner() }
    await withTaskGroup(of: Int.self) { group in
      for (turn, owner) in actors.enumerated() { group.addTask { await owner.drive(turn) } }
      for await value in group { tally.add(value) }
    }
  }
}
