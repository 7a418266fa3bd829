// SPDX-License-Identifier: MIT
import AsyncState

/// The library's parts joined by hand, so that nothing is animated: data, `determineState` and container, no host.
final class JoinedScreen: FlippingWork, AsyncDataDelegate {
  // Kept because a container holds its delegate weakly.
  private let stage: Stage

  private let data = AsyncData<Int>()
  private let container: StateContainer<AsyncStatus<Int>>

  init(_ stage: Stage) {
    self.stage = stage
    let waiting = [stage.spinner]
    let showing = [stage.list]
    container = StateContainer(initialState: .loading) { status in
      switch status {
      case .loading: waiting
      case .data: showing
      case .error, .noData, .idle, .waiting: []
      }
    }
    container.delegate = stage.delegate
    container.willAppear(animated: false)
    container.didAppear(animated: false)
    data.delegate = self
  }

  func show(_ value: Int) {
    data.value = value
  }

  func hide() {
    data.reset()
  }

  func asyncDataDidChange(_ data: AsyncData<Int>, forced: Bool) {
    container.setNeedsTransition(to: determineState(data.snapshot), animated: false)
  }
}
