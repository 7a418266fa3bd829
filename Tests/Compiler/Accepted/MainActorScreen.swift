// SPDX-License-Identifier: MIT
// A screen in an app that does without the host: it observes its data itself.

import AsyncState

@MainActor
final class Screen {
  private let title = AsyncData<String>()
  private(set) var text = ""

  init() {
    title.delegate = self
  }

  func appear() {
    title.start { try await self.fetchTitle() }
  }

  private func fetchTitle() async throws -> String {
    "Feed"
  }
}

extension Screen: @MainActor AsyncDataDelegate {
  func asyncDataDidChange(_ data: AsyncData<String>, forced: Bool) {
    switch determineState(data.snapshot) {
    case .loading: text = "Loading"
    case .error(let error): text = "\(error)"
    case .data(let title): text = title
    case .noData: text = "Untitled"
    case .idle, .waiting: text = "Not loaded"
    }
  }
}
