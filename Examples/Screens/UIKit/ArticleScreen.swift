// SPDX-License-Identifier: MIT
// An article: a loading indicator, an error with a retry button, pull to refresh.

import AsyncState
import AsyncStateUI
import UIKit

@MainActor
func makeArticleScreen(article: AsyncResource<String>) -> AsyncViewController<String> {
  // An error beside an article that is there does not hide it.
  AsyncViewController(
    article, policy: DisplayPolicy(errors: .never), pacer: DisplayPacer()
  ) { ArticleViewController($0, article: article) }
}

/// Displays an article. It stays for later values, which it gets by `apply`.
final class ArticleViewController: UIViewController, @MainActor AsyncContent {
  private let article: AsyncResource<String>
  private let scrollView = UIScrollView()
  private let refreshControl = UIRefreshControl()
  let label = UILabel()
  private var refreshing: ObservedToken?

  init(_ text: String, article: AsyncResource<String>) {
    self.article = article
    super.init(nibName: nil, bundle: nil)
    label.text = text
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    scrollView.frame = view.bounds
    scrollView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    scrollView.refreshControl = refreshControl
    scrollView.addSubview(label)
    view.addSubview(scrollView)
    refreshing = refreshControl.bind(to: article)
  }

  func apply(_ text: String, animated: Bool) { label.text = text }
}
