// SPDX-License-Identifier: MIT
// The samples of the article "AsyncStateUI" that use SwiftUI, word for word.

import AsyncState
import AsyncStateUI
import SwiftUI

struct UnreadBadge: View {
  @ResourceValue var unread: Int?

  init(_ unread: AsyncResource<Int>) { _unread = ResourceValue(unread) }

  var body: some View {
    Button("Unread: \(unread ?? 0)") { $unread.refresh() }
  }
}

struct PatientPlaceholder: View {
  let article: AsyncResource<Article>

  var body: some View {
    AsyncView(article, placeholder: .sample, pacer: DisplayPacer()) { Text($0.title) }
  }
}

struct AllArticlesPreviews: PreviewProvider {
  static var previews: some View {
    AllArticles(articles: .preview(.loading)).previewDisplayName("Loading")
    AllArticles(articles: .preview(.value([.sample]))).previewDisplayName("Content")
    AllArticles(articles: .preview(.value([]))).previewDisplayName("Empty list")
    AllArticles(articles: .preview(.failed(Offline()))).previewDisplayName("Failed")
  }
}

struct ArticlesOnTV: View {
  let articles: AsyncResource<[Article]>

  var body: some View {
    AsyncView(status: articles, isRefreshable: false) { status, actions in
      VStack {
        Button("Refresh") { Task { await actions.refresh() } }
        AsyncStatusView(status, actions: actions) { List($0) { Text($0.title) } }
      }
    }
  }
}
