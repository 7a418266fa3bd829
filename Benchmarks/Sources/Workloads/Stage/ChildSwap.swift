// SPDX-License-Identifier: MIT
import AsyncState

/// Swaps one child for another and calls both, and nothing else: the least that a pipeline has to end in.
final class ChildSwap {
  private let spinner: any ChildController
  private let list: any ChildController
  private var shown: any ChildController

  init(_ stage: Stage) {
    spinner = stage.spinner
    list = stage.list
    shown = stage.spinner
  }

  func show(_ screen: PlainScreen) {
    switch screen {
    case .loading: show(spinner)
    case .data: show(list)
    case .failed, .empty: break
    }
  }

  private func show(_ next: any ChildController) {
    let former = shown
    guard next !== former else { return }
    shown = next
    former.willDetach()
    former.willDisappear(animated: true)
    next.willAttach()
    next.willAppear(animated: true)
    next.didAppear(animated: true)
    next.didAttach()
    former.didDisappear(animated: true)
    former.didDetach()
  }
}
