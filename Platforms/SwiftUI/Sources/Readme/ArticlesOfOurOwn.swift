// SPDX-License-Identifier: MIT
import AsyncState
import SwiftUI

struct ArticlesOfOurOwn: View {
  let articles: AsyncResource<[String]>

  var body: some View {
    VStack {
      switch articles.status(policy: .emptyIsNoData()) {
      case .loading: ProgressView()
      case .data(let titles): List { ForEach(titles, id: \.self) { Text($0) } }  // `articles.error`: not refreshed.
      case .noData: Text("Nothing here yet.")
      case .error: Button("Not loaded. Try again") { articles.reload() }
      case .idle: Button("Load") { articles.start() }  // Cancelled, or without a key.
      case .waiting: Text("Waiting for a network.")  // Only with a gate.
      }
    }
    .onAppear { articles.start(when: .stale) }
  }
}
