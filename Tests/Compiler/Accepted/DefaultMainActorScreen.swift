// SPDX-License-Identifier: MIT
// A screen in a module whose default isolation is the main actor: there is nothing to write about actors.
// swiftc: -default-isolation MainActor

import AsyncState

final class Spinner: ChildController {
  private(set) var isTurning = false

  func willAppear(animated: Bool) { isTurning = true }
  func didDisappear(animated: Bool) { isTurning = false }
}

final class Screen: AsyncDataDelegate {
  private let title = AsyncData<String>()
  private lazy var subtitle = AsyncResource { [unowned self] in try await fetchTitle() }
  private let spinner = Spinner()
  private let pacer = DisplayPacer()
  private lazy var host = AsyncHost(subtitle, pacer: pacer) { [spinner] status in
    status.kind == .loading ? [spinner] : []
  }
  private(set) var text = ""

  func appear() {
    title.delegate = self
    title.start { try await self.fetchTitle() }
    host.start()
  }

  func asyncDataDidChange(_ data: AsyncData<String>, forced: Bool) {
    text = data.value ?? ""
  }

  private func fetchTitle() async throws -> String {
    "Feed"
  }
}
