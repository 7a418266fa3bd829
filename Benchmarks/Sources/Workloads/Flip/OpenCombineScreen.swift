// SPDX-License-Identifier: MIT
import OpenCombine

/// A pipeline that only swaps the children: there is no delegate to notify.
final class OpenCombineScreen: FlippingWork {
  private let data = CurrentValueSubject<PlainData, Never>(.loading)
  private let subscription: AnyCancellable

  init(_ stage: Stage) {
    let swap = ChildSwap(stage)
    subscription = data.map(PlainData.screen).removeDuplicates().sink { swap.show($0) }
  }

  func show(_ value: Int) {
    data.send(.data(value))
  }

  func hide() {
    data.send(.loading)
  }
}
