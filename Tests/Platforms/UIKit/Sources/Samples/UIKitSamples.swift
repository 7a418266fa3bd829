// SPDX-License-Identifier: MIT
// The samples of the documentation that use UIKit, word for word, with what they need around them. Documentation/check
// finds them here; the package compiles this folder in every mode that a client may have.

import AsyncStateLists
import AsyncState
import AsyncStateUI
import UIKit

struct Post: Identifiable, Equatable, Sendable {
  var id: Int
}

enum Step { case address, payment }

nonisolated enum Section { case posts }

struct Article: Identifiable, Sendable {
  var id: Int
  var title: String
}

final class Service: Sendable {
  static let shared = Service()
  func articles() async throws -> [Article] { [] }
  func signUp(_ name: String) async throws {}
}

final class SignUpViewController: UIViewController {
  private let signUp = AsyncMutation { (name: String) in try await Service.shared.signUp(name) }
  private let name = UITextField()
  private let button = UIButton(configuration: .bordered(), primaryAction: nil)
  private var token: ObservedToken?

  override func viewDidLoad() {
    super.viewDidLoad()
    let tap = UIAction { [weak self] _ in
      guard let self else { return }
      signUp.perform(name.text ?? "")
    }
    button.addAction(tap, for: .primaryActionTriggered)
    token = signUp.observed.map { $0.isRunning }.observe { [weak self] isRunning in
      self?.button.isEnabled = !isRunning
      self?.button.configuration?.title = isRunning ? "Signing up" : "Sign up"
    }
  }
}

final class ArticlesViewController: UIViewController {
  init(_ articles: [Article]) { super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }
}

final class AddressViewController: UIViewController {}

final class PaymentViewController: UIViewController {}

final class DrawerViewController: UIViewController, @MainActor AnimatedTransitioning {
  func transitionWillBegin(isAppearing: Bool) {
    if isAppearing { view.frame.origin.y = view.bounds.height }
  }

  func animateTransition(isAppearing: Bool) {
    view.frame.origin.y = isAppearing ? 0 : view.bounds.height
  }
}

@MainActor
func articlesScreen() -> UIViewController {
  final class ArticlesController: UITableViewController, @MainActor AsyncContent {
    private var articles: [Article] = []

    func apply(_ articles: [Article], animated: Bool) {
      self.articles = articles
      tableView.reloadData()
    }
  }

  let articles = AsyncResource { try await Service.shared.articles() }
  let screen = AsyncViewController(articles) { ArticlesController() }
  return screen
}

@MainActor
func articles(in navigationController: UINavigationController) {
  let articles = AsyncResource { try await Service.shared.articles() }
  let screen = AsyncViewController(articles) { ArticlesViewController($0) }
  navigationController.pushViewController(screen, animated: true)
}

@MainActor
func checkout() -> UIViewController {
  let checkout = StateViewController(initialState: Step.address) { step in
    switch step {
    case .address: [AddressViewController()]
    case .payment: [PaymentViewController()]
    }
  }
  checkout.setNeedsTransition(to: .payment, animated: true)
  return checkout
}

@MainActor
func plainView(_ label: UILabel) -> UIViewController {
  StateViewController(initialState: 0) { _ in [.containing(label)] }
}

@MainActor
func spinning(_ spinner: Box<UIActivityIndicatorView>, with data: AsyncData<String>) {
  spinner.bind(to: data.observed.isRunning) { spinner, isRunning in
    if isRunning { spinner.startAnimating() } else { spinner.stopAnimating() }
  }
}

final class PostViewController: UIViewController, @MainActor ReusableController {
  func configure(with post: Post) {}
  func prepareForReuse() {}
}

final class FeedViewController: UIViewController {
  private let feed: AsyncResource<Paged<Post, Int>>
  private let articles: AsyncResource<[Article]>
  private let tableView = UITableView()
  private var rows: TableRows<Post>?
  private var refreshing: ObservedToken?
  private var token: ObservedToken?

  init(articles: AsyncResource<[Article]>, feed: AsyncResource<Paged<Post, Int>>) {
    self.articles = articles
    self.feed = feed
    super.init(nibName: nil, bundle: nil)
  }
  required init?(coder: NSCoder) { nil }

  private var visibleRows: Range<Int> {
    let rows = (tableView.indexPathsForVisibleRows ?? []).map(\.row)
    return (rows.min() ?? 0)..<(rows.max().map { $0 + 1 } ?? 0)
  }

  func scrollViewDidScroll(_ scrollView: UIScrollView) {
    feed.displaying(visibleRows)
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    let source = ListDataSource<Post, UITableViewCell>(
      items: feed.observed.map { $0.value?.items ?? [] },
      dequeue: { [tableView] in
        tableView.dequeueReusableCell(withIdentifier: "post", for: IndexPath(row: $0, section: 0))
      },
      configure: { [weak self] cell, post in
        guard let self else { return }
        cell.contentConfiguration = ControllerConfiguration(post, in: self) { PostViewController() }
      })
    rows = TableRows(source, in: tableView)
    rows?.requestPages(of: feed)
    let control = UIRefreshControl()
    refreshing = control.bind(to: articles)  // A token: keep it.
    tableView.refreshControl = control
  }

  func apply(_ source: ListDataSource<Post, UITableViewCell>) {
    token = source.observeChanges { [tableView] change in
      tableView.performBatchUpdates {
        guard change.apply() else { return }
        tableView.deleteRows(at: change.removals.map(\.indexPath), with: .automatic)
        tableView.insertRows(at: change.insertions.map(\.indexPath), with: .automatic)
        for move in change.moves { tableView.moveRow(at: move.from.indexPath, to: move.to.indexPath) }
      }
    }
    rows = TableRows(source, in: tableView)
  }

  func configure(_ cell: UITableViewCell, with post: Post) {
    cell.contentConfiguration = ControllerConfiguration(post, in: self) { PostViewController() }
  }

  func display(
    _ sections: [ListSection<Post>], insteadOf former: [ListSection<Post>],
    in dataSource: UITableViewDiffableDataSource<Section, Int>
  ) {
    dataSource.apply(NSDiffableDataSourceSnapshot(sections, replacing: former) { _ in Section.posts })
  }
}

@MainActor
func setLooks() {
  AsyncStyle.app.empty = {
    var configuration = UIContentUnavailableConfiguration.empty()
    configuration.image = UIImage(systemName: "leaf")
    return configuration
  }
}

final class DiffableViewController: UIViewController {
  private let feed: AsyncResource<Paged<Post, Int>>
  private let tableView = UITableView()
  private var rows: UITableViewDiffableDataSource<Section, Int>?
  private var binding: ObservedToken?

  init(feed: AsyncResource<Paged<Post, Int>>) {
    self.feed = feed
    super.init(nibName: nil, bundle: nil)
  }
  required init?(coder: NSCoder) { nil }

  func display(_ source: ListDataSource<Post, UITableViewCell>) {
    let rows: UITableViewDiffableDataSource<Section, Int>
    rows = UITableViewDiffableDataSource<Section, Int>(tableView: tableView) { _, path, id in
      source.cell(of: id, at: ListPath(path))
    }
    binding = rows.bind(to: source) { _ in Section.posts }
    self.rows = rows
    tableView.tableFooterView = PageFooterView(feed)
  }
}
