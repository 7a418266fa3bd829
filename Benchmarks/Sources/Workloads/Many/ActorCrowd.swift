// SPDX-License-Identifier: MIT
import AsyncState

/// Actors with a host each, that load all at once.
final class ActorCrowd: Work {
  private actor Owner {
    private var load: LoadTask<Int>?

    func drive(_ turn: Int) async -> Int {
      let host = AsyncHost<Int>(
        request: { data, mode in self.load = data.start(mode, isolation: self) { turn } },
        children: { _ in [] })
      host.start()
      _ = await load?.outcome()
      return if case .data(let value) = host.status { value } else { 0 }
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
