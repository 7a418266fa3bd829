// SPDX-License-Identifier: MIT
/// A task on the same actor, that is awaited and nothing else.
final class BareTask: Work {
  private let tally = Tally()

  func run(_ count: Int, on home: isolated any Actor) async {
    for turn in 0..<count {
      let task = Task {
        // On the actor, as the operation of a load is.
        _ = home
        return turn
      }
      tally.add(await task.value)
    }
  }
}
