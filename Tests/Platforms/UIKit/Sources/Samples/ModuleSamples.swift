// SPDX-License-Identifier: MIT
// The samples of the article "AsyncStateUI" that use UIKit, word for word.

import AsyncState
import AsyncStateUI
import SwiftUI
import UIKit

final class SkeletonViewController: UIViewController {}

final class ArticleScreen: AsyncViewController<Article> {
  private let skeleton = SkeletonViewController()

  override func children(for status: AsyncStatus<Article>) -> [UIViewController] {
    if case .loading = status { return [skeleton] }
    return super.children(for: status)
  }
}

final class ArticleViewController: UIViewController {
  private let article: AsyncResource<Article>
  private let label = UILabel()

  init(_ article: AsyncResource<Article>) {
    self.article = article
    super.init(nibName: nil, bundle: nil)
  }
  required init?(coder: NSCoder) { nil }

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    article.start(when: .stale)
  }

  override func viewWillLayoutSubviews() {
    super.viewWillLayoutSubviews()
    label.text = article.value?.title
  }
}

@MainActor
func configure(_ cell: UITableViewCell, for id: Int, in articles: AsyncFamily<Int, Article>) {
  cell.contentConfiguration = UIHostingConfiguration { AsyncView(articles[id]) { Text($0.title) } }
}

struct CheckoutView: View {
  let step: Step

  var body: some View {
    StateControllerView(step) { step in
      switch step {
      case .address: [AddressViewController()]
      case .payment: [PaymentViewController()]
      }
    }
  }
}

@MainActor
func previewOfScreen() -> UIViewController {
  AsyncViewController(AsyncResource<[Article]>.preview(.loading)) { ArticlesViewController($0) }
}
