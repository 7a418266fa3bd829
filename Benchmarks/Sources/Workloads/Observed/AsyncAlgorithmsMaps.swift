// SPDX-License-Identifier: MIT
import AsyncAlgorithms

/// A channel, two maps, and a task that reads behind the second. Each write waits until it is taken.
final class AsyncAlgorithmsMaps: Work {
  private let tally = Tally()

  func run(_ count: Int, on home: isolated any Actor) async {
    let channel = AsyncChannel<Int>()
    let reader = Task {
      _ = home
      for await value in channel.map({ $0 &* 3 }).map({ $0 &+ 1 }) { tally.add(value) }
    }
    for value in 0..<count { await channel.send(value) }
    channel.finish()
    await reader.value
  }
}
