// SPDX-License-Identifier: MIT
import AsyncState

/// The library's way: a visible host, whose transitions are animated in no time.
final class HostScreen: FlippingWork {
  // Kept because a container holds its delegate weakly.
  private let stage: Stage

  let host: AsyncHost<Int>
  private var hasBegun = false

  init(_ stage: Stage) {
    self.stage = stage
    let waiting = [stage.spinner]
    let showing = [stage.list]
    host = AsyncHost(request: { _, _ in }) { status in
      switch status {
      case .loading: waiting
      case .data: showing
      case .error, .noData, .idle, .waiting: []
      }
    }
    host.container.delegate = stage.delegate
  }

  func begin(on home: isolated any Actor) {
    guard !hasBegun else { return }
    hasBegun = true
    host.start(isolation: home)
    host.appear(animated: false)
  }

  func show(_ value: Int) {
    host.data.value = value
  }

  func hide() {
    host.data.reset()
  }
}
