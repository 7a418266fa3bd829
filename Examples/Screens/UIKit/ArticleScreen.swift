// SPDX-License-Identifier: MIT
// An article: a loading indicator, an error with a retry button, pull to refresh, and a like that is visible at once.

import AsyncState
import AsyncStateUI
import UIKit

@MainActor
func makeArticleScreen(
  article: AsyncResource<Article>, like: @escaping @MainActor () async -> Void = {}
) -> AsyncViewController<Article> {
  // An error beside an article that is there does not hide it.
  AsyncViewController(article, policy: DisplayPolicy(errors: .never)) {
    ArticleViewController(article: article, like: like)
  }
}

/// Displays an article. It stays for all values, which it gets by `apply` when its view is loaded. Its title and its button are
/// those of the screen around it, in a navigation bar.
final class ArticleViewController: UIViewController, @MainActor AsyncContent {
  private let article: AsyncResource<Article>
  private let like: @MainActor () async -> Void
  private let scrollView = UIScrollView()
  private let refreshControl = UIRefreshControl()
  let label = UILabel()
  let likeButton = UIButton(configuration: .bordered(), primaryAction: nil)
  private var refreshing: ObservedToken?

  init(article: AsyncResource<Article>, like: @escaping @MainActor () async -> Void) {
    self.article = article
    self.like = like
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Article"
    scrollView.frame = view.bounds
    scrollView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    scrollView.refreshControl = refreshControl
    scrollView.addSubview(label)
    scrollView.addSubview(likeButton)
    view.addSubview(scrollView)
    refreshing = refreshControl.bind(to: article)
    let tap = UIAction { [weak self] _ in
      guard let like = self?.like else { return }
      Task { await like() }
    }
    likeButton.addAction(tap, for: .primaryActionTriggered)
  }

  func apply(_ value: Article, animated: Bool) {
    label.text = value.text
    likeButton.configuration?.title = "♥ \(value.likes)"
  }
}
