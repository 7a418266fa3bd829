// SPDX-License-Identifier: MIT
// Conformances that name no actor, in modules that infer it.
// swiftc: -enable-upcoming-feature InferIsolatedConformances
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature ExistentialAny
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature MemberImportVisibility

import AsyncState

final class Spinner: ChildController {
  private(set) var isTurning = false

  func willAppear(animated: Bool) { isTurning = true }
  func didDisappear(animated: Bool) { isTurning = false }
}

@MainActor
final class Screen: AsyncDataDelegate {
  private let title = AsyncData<String>(options: LoadOptions(retry: 3, timeout: .seconds(10)))
  private lazy var subtitle = AsyncResource { [unowned self] in try await fetchTitle() }
  private let spinner = Spinner()
  private lazy var host = AsyncHost(subtitle, pacer: DisplayPacer()) { [spinner] status in
    status.kind == .loading ? [spinner] : []
  }
  private(set) var text = ""

  func appear() async {
    title.delegate = self
    title.start { try await self.fetchTitle() }
    host.start()
    await title.load { [weak self] in try await self?.fetchTitle() }
  }

  func asyncDataDidChange(_ data: AsyncData<String>, forced: Bool) { text = data.value ?? "" }

  private func fetchTitle() async throws -> String { "Feed" }
}
