// SPDX-License-Identifier: MIT
// An article: a loading indicator, an error with a retry button, pull to refresh, a banner beside an article that could
// not be refreshed, and a like that is visible at once.

import AsyncState
import AsyncStateUI
import SwiftUI

struct ArticleScreen: View {
  private let article: AsyncResource<Article>
  private let like: @MainActor () async -> Void

  init(article: AsyncResource<Article>, like: @escaping @MainActor () async -> Void = {}) {
    self.article = article
    self.like = like
  }

  var body: some View {
    AsyncView(article, policy: DisplayPolicy(errors: .never)) { article in
      ScrollView {
        Text(article.text)
        Button("♥ \(article.likes)") { Task { await like() } }
      }
    }
  }
}
