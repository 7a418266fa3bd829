// SPDX-License-Identifier: MIT
// A status board whose content is a view on the main actor.

import AsyncState

@MainActor
final class ArticleList {
  private(set) var titles: [String] = []
}

extension ArticleList: @MainActor AsyncContent {
  var statusMessages: StatusMessages { StatusMessages(noData: "No articles") }
  var canReload: Bool { true }

  func apply(_ value: [String], animated: Bool) {
    titles = value
  }
}

@MainActor
final class Screen {
  private let list = ArticleList()
  private let board: StatusBoard<[String]>
  private let host: AsyncHost<[String]>

  init() {
    let data = AsyncData<[String]>()
    board = StatusBoard(content: list, data: data)
    host = AsyncHost(data: data, policy: .emptyIsNoData()) { data, mode in data.start(mode) { ["News"] } }
    host.presenter = board
  }

  func appear() {
    host.start()
  }

  var message: String {
    switch board.visiblePart {
    case .nothing: ""
    case .indicator: "…"
    case .error(let message, _), .noData(let message, _): message
    case .content: list.titles.joined(separator: ", ")
    }
  }
}
