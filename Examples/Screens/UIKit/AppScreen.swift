// SPDX-License-Identifier: MIT
// The app: four screens that exchange each other, and articles that are pushed onto the feed. They are fresh again when the
// app returns to the foreground.

import AsyncState
import AsyncStateUI
import UIKit

final class AppViewController: StateViewController<AppModel.Screen> {
  private let model: AppModel
  private let isOnline: Observed<Bool>
  private let search: SearchViewController
  private var freshness: ObservedToken?
  let bar = UIStackView()
  private lazy var feed = UINavigationController(
    rootViewController: FeedViewController(backend: model.server) { [weak self] id in self?.show(.article(id)) })

  init(
    model: AppModel, clock: any Clock<Duration> = ContinuousClock(), isOnline: Observed<Bool> = LoadGate.isOnline
  ) {
    self.model = model
    self.isOnline = isOnline
    search = SearchViewController(catalogue: model.server, clock: clock)
    super.init(initialState: .feed)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    freshness = model.board.followApp(isOnline: isOnline)
    let screens: [(String, AppModel.Screen)] = [
      ("Feed", .feed), ("Search", .search), ("Sign up now", .signUp), ("Settings", .settings),
    ]
    for (title, screen) in screens {
      let button = UIButton(
        configuration: .plain(), primaryAction: UIAction { [weak self] _ in self?.show(screen) })
      button.configuration?.title = title
      bar.addArrangedSubview(button)
    }
    view.addSubview(bar)
  }

  // The feed and the search stay where the user has left them.
  override func children(for screen: AppModel.Screen) -> [UIViewController] {
    switch screen {
    case .feed, .article: [feed]
    case .search: [search]
    case .signUp: [SignUpViewController(signUp: model.signUp)]
    case .settings: [makeSettingsScreen(model: model)]
    }
  }

  func show(_ screen: AppModel.Screen) {
    if case .article(let id) = screen {
      let article = makeArticleScreen(article: model.articles[id]) { [model] in await model.like(id) }
      feed.pushViewController(article, animated: true)
    }
    setNeedsTransition(to: screen, animated: true)
  }
}
