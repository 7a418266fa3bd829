// SPDX-License-Identifier: MIT
// A mutation in every position in which one is created, with inputs and outputs that must not leave their actor: without
// any option, in a module whose default isolation is the main actor, and in one whose async functions run on their
// caller's actor.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances
// also with: -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility

import AsyncState

nonisolated struct Service: Sendable {
  func send(_ text: String) async throws -> Int { text.count }
}

/// A value that must not leave its actor.
nonisolated final class Draft {
  var text = ""
}

@MainActor
final class Screen {
  private(set) var count = 0
  let posts = AsyncResource { [1] }

  let stored = AsyncMutation { (text: String) in try await Service().send(text) }
  let drafts = AsyncMutation<Draft, Draft>(overlap: .queue) { draft in draft }
  lazy var own = AsyncMutation<String, Int> { [unowned self] text in
    count += 1
    return try await Service().send(text)
  }.changing({ [posts] _ in posts }) { posts, text in posts.append(text.count) }

  func tapped() async throws -> Int {
    stored.perform("a")
    drafts.perform(Draft())
    _ = try await posts.get()
    return try await own.perform("b").get()
  }
}

actor Session {
  lazy var send = AsyncMutation(isolation: self) { (text: String) in try await Service().send(text) }

  func go() async throws -> Int {
    try await send.perform("a").get()
  }
}
