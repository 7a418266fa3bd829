// SPDX-License-Identifier: MIT
// The app: five screens, one at a time, which are fresh again when the app returns to the foreground.

import AsyncState
import AsyncStateUI
import SwiftUI

struct AppScreen: View {
  private let model: AppModel
  private let feed: FeedModel
  private let search: SearchModel
  private let isOnline: Observed<Bool>
  @State private var screen = StateContainer(initialState: AppModel.Screen.feed) { _ in [] }

  init(
    model: AppModel, feed: FeedModel, search: SearchModel, isOnline: Observed<Bool> = LoadGate.isOnline
  ) {
    self.model = model
    self.feed = feed
    self.search = search
    self.isOnline = isOnline
  }

  var body: some View {
    VStack {
      HStack {
        button("Feed", .feed)
        button("Search", .search)
        button("Sign up now", .signUp)
        button("Settings", .settings)
      }
      StateView(screen) { current in
        switch current {
        case .feed: FeedScreen(model: feed) { show(.article($0)) }
        case .article(let id): ArticleScreen(article: model.articles[id]) { await model.like(id) }
        case .search: SearchScreen(model: search)
        case .signUp: SignUpScreen(signUp: model.signUp)
        case .settings: SettingsScreen(model: model)
        }
      }
    }
    .asyncFreshness(model.board, isOnline: isOnline)
  }

  private func button(_ title: String, _ next: AppModel.Screen) -> some View { Button(title) { show(next) } }

  private func show(_ next: AppModel.Screen) { screen.setNeedsTransition(to: next, animated: false) }
}
