// SPDX-License-Identifier: MIT
// An endless list in both directions, whose rows load a portrait while they are visible.

import AsyncStateLists
import AsyncState

@MainActor
final class ChatScreen {
  let messages: AsyncResource<Paged<Message, Int>>
  private let service: any ChatService
  private(set) lazy var list = ListDataSource(
    items: messages.observed.map { $0.value?.items ?? [] },
    dequeue: { [service] _ in MessageCell(service: service) },
    configure: { cell, message in cell.host.configure(with: message) })

  init(service: any ChatService) {
    self.service = service
    messages = AsyncResource(.pages { page in try await service.page(at: page.cursor ?? 0) })
  }

  func viewDidLoad() async { await messages.load() }

  func willDisplay(row: Int) async {
    guard let pages = messages.value else { return }
    if row >= pages.items.count - 3 { await loadNewer() }
    if row < 3 { await loadOlder() }
  }

  private func loadNewer() async {
    let outcome = await messages.loadNext()
    if Mistake.failedPageHidesList.isMade, case .failure(let error) = outcome { messages.data.error = error }
  }

  private func loadOlder() async {
    if Mistake.edgesAreMixedUp.isMade { return await loadNewer() }
    await messages.loadPrevious()
  }
}
