// SPDX-License-Identifier: MIT
// Handed to another actor or task, and used here all the same.

import AsyncState

final class Document {
  var title = ""
}

actor Session {
  private let document = AsyncData<Document>()
  private var user: AsyncData<String>?
  private var family: AsyncFamily<Int, Int>?

  init() {}
  init(user: sending AsyncData<String>) { self.user = user }

  func adopt(_ user: AsyncData<String>) { self.user = user }
  func adopt(_ family: AsyncFamily<Int, Int>) { self.family = family }
  func warmUp(_ container: StateContainer<Int>) { container.setNeedsTransition(to: 1, animated: false) }
  func note(_ entries: [FamilyEntry<Int, Document>]) {}
  func note(_ snapshot: AsyncSnapshot<Document>) {}
  func open() async -> AsyncOutcome<Document?> { await document.load { Document() } }
}

func open(in session: Session) async {
  let container = StateContainer(initialState: 0) { _ in [] }
  // expected-error: sending 'container' risks causing data races
  await session.warmUp(container)
  container.setNeedsTransition(to: 2, animated: true)
}

func signIn(to session: Session) async {
  let user = AsyncData<String>()
  // expected-error: sending 'user' risks causing data races
  await session.adopt(user)
  user.value = "Ann"
}

@MainActor
final class Screen {
  private let user = AsyncData<String>()
  private let family = AsyncFamily<Int, Int> { key in key }
  private let documents = AsyncFamily<Int, Document> { _ in Document() }
  private let container = StateContainer(initialState: 0) { _ in [] }
  private var session: Session?

  func signIn() {
    // expected-error: sending 'self.user' risks causing data races
    session = Session(user: user)
  }

  func share(_ session: Session) async {
    // expected-error: sending 'self.family' risks causing data races
    await session.adopt(family)
  }

  /// The entries of a family have its values, which may belong to its actor.
  func report(_ session: Session) async {
    // expected-error: sending 'self.documents.entries' risks causing data races
    await session.note(documents.entries)
  }

  func searchLater() {
    let container = container
    // expected-error: passing closure as a 'sending' parameter risks causing data races
    Task.detached {
      container.setNeedsTransition(to: 1, animated: true)
    }
  }
}

/// A snapshot is `Sendable` only where its value is.
@MainActor
func note(_ document: AsyncData<Document>, in session: Session) async {
  // expected-error: sending value of non-Sendable type 'AsyncSnapshot<Document>' risks causing data races
  await session.note(document.snapshot)
}

/// So is an outcome.
@MainActor
func show(_ session: Session) async throws -> String? {
  // expected-error: non-Sendable 'AsyncOutcome<Document?>'-typed result can not be returned from actor-isolated
  try await session.open().get()?.title
}

/// A derived value is sent with its input: a write elsewhere would race with a read here.
@MainActor
func shareAnInput() -> Observed<Int> {
  let input = Input(0)
  let doubled = input.map { $0 * 2 }
  // expected-error: passing closure as a 'sending' parameter risks causing data races
  Task.detached { input.write(1) }
  return doubled
}

/// A reporter is used where the load runs.
@MainActor
func download(_ file: AsyncData<String>) {
  file.start { (reporter: LoadReporter<String>) in
    // expected-error: passing closure as a 'sending' parameter risks causing data races
    Task.detached {
      reporter.report(progress: 0.5)
    }
    return "file"
  }
}
