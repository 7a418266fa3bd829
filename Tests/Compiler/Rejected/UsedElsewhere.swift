// SPDX-License-Identifier: MIT
// What belongs to one actor is used on another.

import AsyncState

final class Document {
  var title = ""
}

@MainActor
final class Screen {
  let user = AsyncData<String>()
  let input = Input(0)
  let family = AsyncFamily<Int, Int> { key in key }

  /// A main-actor screen may be released anywhere; what it has may be touched on the main actor only.
  func close() {
    Task.detached {
      // expected-error: main actor-isolated property 'user' cannot be accessed from outside of the actor
      // expected-error: property 'user' cannot exit main actor-isolated context
      self.user.cancel()
      // expected-error: main actor-isolated property 'input' cannot be accessed from outside of the actor
      // expected-error: property 'input' cannot exit main actor-isolated context
      self.input.write(1)
    }
  }
}

func read(_ screen: Screen) async -> Bool {
  // expected-error: non-Sendable type 'AsyncFamily<Int, Int>' of property 'family' cannot exit main actor-isolated context
  await screen.family.entries.isEmpty
}

actor Library {
  let document = AsyncData<Document>()
}

/// What is not `Sendable` is read on the actor of its data.
@MainActor
func title(in library: Library) async -> String? {
  // expected-error: non-Sendable type 'AsyncData<Document>' of property 'document' cannot exit actor-isolated context
  await library.document.value?.title
}

/// A handle is awaited on the actor of its load.
@MainActor
func open(_ page: AsyncData<String>) -> Task<Void, Never> {
  let load = page.start { "page" }
  return Task.detached {
    // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
    _ = await load.outcome()
  }
}

/// A transition is requested on the container's actor, and not in the name of another one.
@MainActor
func open(_ container: StateContainer<Int>, for library: Library) {
  // expected-error: actor-isolated
  container.setNeedsTransition(to: 1, animated: true, isolation: library)
}
