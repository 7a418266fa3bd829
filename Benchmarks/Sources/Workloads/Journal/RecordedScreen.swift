// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState

/// The screen of a flip, with a journal of its data, its host and its container.
final class RecordedScreen: FlippingWork {
  private let screen: HostScreen
  private let journal = StateJournal()
  private var hasBegun = false

  init(_ stage: Stage) {
    screen = HostScreen(stage)
  }

  func begin(on home: isolated any Actor) {
    guard !hasBegun else { return }
    hasBegun = true
    screen.begin(on: home)
    journal.attach(screen.host, name: "screen", isolation: home)
  }

  func show(_ value: Int) {
    screen.show(value)
  }

  func hide() {
    screen.hide()
  }
}
