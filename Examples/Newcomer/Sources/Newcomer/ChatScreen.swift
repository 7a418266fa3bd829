// SPDX-License-Identifier: MIT
// An endless list in both directions, whose rows load a portrait while they are visible.

import AsyncStateLists
import AsyncState

@MainActor
final class ChatScreen {
  let messages = AsyncData<Paged<Message, Int>>()
  private let service: any ChatService
  private(set) lazy var list = ListDataSource(
    items: messages.observed.map { $0.value?.items ?? [] },
    dequeue: { [service] _ in MessageCell(service: service) },
    configure: { cell, message in cell.host.configure(with: message) })

  init(service: any ChatService) { self.service = service }

  func viewDidLoad() async { await messages.loadFirst { [service] _ in try await service.page(at: 0) } }

  func willDisplay(row: Int) async {
    guard let pages = messages.value else { return }
    if pages.wantsNextPage(displaying: row) { await loadNewer() }
    if pages.wantsPreviousPage(displaying: row) { await loadOlder() }
  }

  private func loadNewer() async {
    let outcome = await messages.loadNext { [service] in try await service.page(at: $0) }
    if Mistake.failedPageHidesList.isMade, case .failure(let error) = outcome { messages.error = error }
  }

  private func loadOlder() async {
    if Mistake.edgesAreMixedUp.isMade { return await loadNewer() }
    await messages.loadPrevious { [service] in try await service.page(at: $0) }
  }
}
