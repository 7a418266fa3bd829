// SPDX-License-Identifier: MIT
// A row of the chat: who wrote, and a portrait that loads while the row is visible.

import AsyncStateLists
import AsyncState

struct Message: Identifiable, Equatable, Sendable {
  let id: Int
  let author: String
}

protocol ChatService: Sendable {
  func page(at cursor: Int) async throws -> Paged<Message, Int>.Page
  func portrait(of author: String) async throws -> String
}

@MainActor
final class MessageCell {
  private let service: any ChatService
  private var shown: String?

  private(set) lazy var host = CellHost(cancelsLoadWhenHidden: true) { [weak self, service] in
    LoadingRow { (message: Message) in
      let portrait = try await service.portrait(of: message.author)
      self?.shown = portrait
      return portrait
    }
  }

  init(service: any ChatService) { self.service = service }

  var line: String {
    guard let row = host.controller, let message = row.model else { return "" }
    let portrait = Mistake.rowShowsFormerPortrait.isMade ? shown : row.data.value
    return "\(message.author): \(portrait ?? "…")"
  }
}
