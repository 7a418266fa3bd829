// SPDX-License-Identifier: MIT
import AsyncState

/// A load that is started, and whose end is awaited.
final class StartedLoad: Work {
  private let data = AsyncData<Int>()
  private let tally = Tally()

  func run(_ count: Int, on home: isolated any Actor) async {
    for turn in 0..<count {
      let outcome = await data.start { turn }.outcome()
      if case .success(let value?) = outcome { tally.add(value) }
    }
  }
}
