// SPDX-License-Identifier: MIT
import AsyncAlgorithms

/// A channel that a task reads from, which only swaps the children. Each change waits until it is taken.
final class AsyncAlgorithmsScreen: Work {
  private let swap: ChildSwap

  init(_ stage: Stage) {
    swap = ChildSwap(stage)
  }

  func run(_ count: Int, on home: isolated any Actor) async {
    let channel = AsyncChannel<PlainData>()
    let reader = Task {
      _ = home
      for await screen in channel.map(PlainData.screen).removeDuplicates() { swap.show(screen) }
    }
    for turn in 0..<(count / 2) {
      await channel.send(.data(turn))
      await channel.send(.loading)
    }
    channel.finish()
    await reader.value
  }
}
