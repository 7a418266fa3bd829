// SPDX-License-Identifier: MIT
import OpenCombine

/// A pipeline that only swaps the children: there is no delegate to tell.
final class OpenCombineScreen: FlippingWork {
  private let facts = CurrentValueSubject<PlainFacts, Never>(.loading)
  private let subscription: AnyCancellable

  init(_ stage: Stage) {
    let swap = ChildSwap(stage)
    subscription = facts.map(PlainFacts.screen).removeDuplicates().sink { swap.show($0) }
  }

  func show(_ value: Int) {
    facts.send(.data(value))
  }

  func hide() {
    facts.send(.loading)
  }
}
