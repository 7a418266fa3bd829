// SPDX-License-Identifier: MIT
import AsyncState

/// A container with one child that appears and disappears over and over.
final class AppearingContainer: SynchronousWork {
  private let stage: Stage
  private let container: StateContainer<AsyncStatus<Int>>

  init(_ stage: Stage) {
    self.stage = stage
    let children = [stage.spinner]
    container = StateContainer(initialState: .loading) { _ in children }
    container.delegate = stage.delegate
    run(1)
  }

  func run(_ count: Int) {
    for _ in 0..<count {
      container.willAppear(animated: false)
      container.didAppear(animated: false)
      container.willDisappear(animated: false)
      container.didDisappear(animated: false)
    }
  }
}

/// The same calls on the same objects, as one would write them for this one screen.
final class HandWrittenAppearance: SynchronousWork {
  private enum Phase {
    case gone, appearing, visible, disappearing
  }

  private let stage: Stage
  private weak var delegate: Stage.Delegate?
  private let container = StateContainer<AsyncStatus<Int>>(initialState: .loading) { _ in [] }
  private var phase = Phase.gone

  init(_ stage: Stage) {
    self.stage = stage
    delegate = stage.delegate
  }

  func run(_ count: Int) {
    for _ in 0..<count {
      willAppear()
      didAppear()
      willDisappear()
      didDisappear()
    }
  }

  private func willAppear() {
    guard phase == .gone else { return }
    phase = .appearing
    delegate?.container(container, childWillAppear: stage.spinner, animated: false)
    stage.spinner.willAppear(animated: false)
  }

  private func didAppear() {
    guard phase == .appearing else { return }
    phase = .visible
    stage.spinner.didAppear(animated: false)
    delegate?.container(container, childDidAppear: stage.spinner, animated: false)
  }

  private func willDisappear() {
    guard phase == .visible else { return }
    phase = .disappearing
    delegate?.container(container, childWillDisappear: stage.spinner, animated: false)
    stage.spinner.willDisappear(animated: false)
  }

  private func didDisappear() {
    guard phase == .disappearing else { return }
    phase = .gone
    stage.spinner.didDisappear(animated: false)
    delegate?.container(container, childDidDisappear: stage.spinner, animated: false)
  }
}
