// SPDX-License-Identifier: MIT
import AsyncState

/// A load that ends when no caller waits for it any more.
final class AwaitedLoad: Work {
  private let data = AsyncData<Int>()
  private let tally = Tally()

  func run(_ count: Int, on home: isolated any Actor) async {
    for turn in 0..<count {
      let outcome = await data.load { turn }
      if case .success(let value?) = outcome { tally.add(value) }
    }
  }
}
