// SPDX-License-Identifier: MIT
// Observers are called on the actor that writes; the label lives on another.

import AsyncState

@MainActor
final class Label {
  var text = ""
}

actor Session {
  private let name = Input("")
  private var tokens: [ObservedToken] = []

  func show(in label: Label) {
    // expected-error: main actor-isolated property 'text' can not be mutated from a nonisolated context
    tokens.append(name.observe { label.text = $0 })
  }
}
