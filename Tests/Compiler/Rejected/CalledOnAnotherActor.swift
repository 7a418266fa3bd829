// SPDX-License-Identifier: MIT
// Operations, observers and delegates are called on one actor, and may touch only what that has.

import AsyncState

@MainActor
final class Label {
  var text = ""
}

final class Cookies {
  var count = 0
}

@MainActor let shared = Cookies()

actor Session {
  private let hits = AsyncData<Int>()
  private let texts = AsyncData<String>()
  private let name = Input("")
  private var tokens: [ObservedToken] = []
  private var count = 0
  private let cookies = Cookies()

  /// Without `isolation:` an operation runs on the main actor.
  func open() {
    let number = AsyncResource<Int> {
      // expected-error: actor-isolated property 'count' cannot be accessed from outside of the actor
      self.count
    }
    number.start()
    let numbers = AsyncFamily<Int, Int> { key in
      // expected-error: actor-isolated property 'count' cannot be accessed from outside of the actor
      self.count + key
    }
    _ = numbers.entries
  }

  /// What lives on the main actor is reached with `await`.
  func run(_ label: Label) {
    // expected-error: main actor-isolated property 'text' cannot be accessed from outside of the actor
    texts.start { label.text }
    hits.start(isolation: self) {
      // expected-error: main actor-isolated let 'shared' cannot be accessed from outside of the actor
      // expected-error: let 'shared' cannot exit main actor-isolated context
      shared.count += 1
      return 1
    }
  }

  /// Observers are called on the actor that writes.
  func show(in label: Label) {
    // expected-error: main actor-isolated property 'text' can not be mutated from a nonisolated context
    tokens.append(name.observe { label.text = $0 })
  }

  /// The operation runs on the main actor, with the page.
  @MainActor
  func show(in page: AsyncData<Int>) async {
    // expected-error: non-Sendable type 'Cookies' of property 'cookies' cannot exit actor-isolated context
    // expected-error: actor-isolated property 'cookies' cannot be accessed from outside of the actor
    page.start { self.cookies.count }
  }
}

@MainActor
final class Screen {
  private(set) var title = ""
}

extension Screen: @MainActor AsyncDataDelegate {
  func asyncDataDidChange(_ data: AsyncData<String>, forced: Bool) {
    title = data.value ?? ""
  }
}

actor Account {
  private let user = AsyncData<String>()

  func show(in screen: Screen) {
    // expected-error: main actor-isolated conformance of 'Screen' to 'AsyncDataDelegate'
    user.delegate = screen
  }
}

@MainActor
final class OtherScreen {
  private var title = ""
}

// It lacks its isolation: `extension OtherScreen: @MainActor AsyncDataDelegate`.
// expected-error: conformance of 'OtherScreen' to protocol 'AsyncDataDelegate' crosses into main actor-isolated code
extension OtherScreen: AsyncDataDelegate {
  func asyncDataDidChange(_ data: AsyncData<String>, forced: Bool) {
    title = data.value ?? ""
  }
}
