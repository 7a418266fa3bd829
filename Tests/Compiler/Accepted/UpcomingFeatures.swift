// SPDX-License-Identifier: MIT
// A module that has turned on what is to come: its async functions run on their caller's actor.
// swiftc: -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances
// swiftc: -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility

import AsyncState

struct Service {
  func titles() async throws -> [String] { ["Feed"] }
}

@MainActor
final class Screen: AsyncDataDelegate {
  private let titles = AsyncData<[String]>(options: LoadOptions(retry: 3, timeout: .seconds(10)))
  private let service = Service()
  private(set) var count = 0

  func appear() async {
    titles.delegate = self
    await titles.load { [service] in
      try await service.titles()
    }
  }

  func asyncDataDidChange(_ data: AsyncData<[String]>, forced: Bool) {
    count = data.value?.count ?? 0
  }
}
