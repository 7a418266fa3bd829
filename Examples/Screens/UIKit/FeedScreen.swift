// SPDX-License-Identifier: MIT
// An endless feed: the next page is requested before its end is reached, and each row loads its picture while it is
// visible.

import AsyncStateLists
import AsyncState
import AsyncStateUI
import UIKit

struct Post: Identifiable, Equatable, Sendable {
  var id: Int
  var text: String

  init(id: Int, text: String) {
    self.id = id
    self.text = text
  }
}

protocol FeedBackend: Sendable {
  func posts(from start: Int) async throws -> (posts: [Post], next: Int?)
  func picture(of post: Int) async throws -> String
}

final class FeedViewController: UIViewController {
  let feed: AsyncResource<Paged<Post, Int>>
  let tableView = UITableView()
  private let backend: any FeedBackend
  private let select: @MainActor (Int) -> Void
  private var rows: TableRows<Post>?

  /// - Parameter select: Called with the id of a post that was selected.
  init(backend: any FeedBackend, select: @escaping @MainActor (Int) -> Void = { _ in }) {
    self.backend = backend
    self.select = select
    feed = AsyncResource(
      .pages { page in
        let answer = try await backend.posts(from: page.cursor ?? 0)
        return Paged.Page(items: answer.posts, next: answer.next)
      })
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.frame = view.bounds
    tableView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    view.addSubview(tableView)
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "post")
    let source = ListDataSource<Post, UITableViewCell>(
      items: feed.observed.map { $0.value?.items ?? [] },
      dequeue: { [tableView] in
        tableView.dequeueReusableCell(withIdentifier: "post", for: IndexPath(row: $0, section: 0))
      },
      configure: { [weak self, backend] cell, post in
        guard let self else { return }
        cell.contentConfiguration = ControllerConfiguration(post, in: self, cancelsLoadWhenHidden: true) {
          PostViewController(backend)
        }
      })
    rows = TableRows(source, in: tableView)
    rows?.requestPages(of: feed)
    rows?.onSelect = { [feed, select] path in
      if let post = feed.value?.items[path.row] { select(post.id) }
    }
    feed.start()
  }
}

/// A row: displays one post after another, and loads its picture while it is visible.
final class PostViewController: UIViewController, @MainActor ReusableController {
  private let backend: any FeedBackend
  let picture = AsyncData<String>()
  private var post: Post?
  private var drawing: ObservedToken?
  let label = UILabel()

  init(_ backend: any FeedBackend) {
    self.backend = backend
    super.init(nibName: nil, bundle: nil)
    drawing = picture.observed.observe { [weak self] _ in self?.draw() }
  }

  required init?(coder: NSCoder) { nil }

  override func loadView() { view = label }

  func configure(with post: Post) {
    self.post = post
    draw()
  }

  func willAppear(animated: Bool) {
    guard let post, picture.isStale else { return }
    picture.start(.refresh) { [backend] in try await backend.picture(of: post.id) }
  }

  // The row is not visible any more: the picture is not needed.
  func cancelLoad() { picture.cancel() }

  func prepareForReuse() {
    post = nil
    picture.forget()
  }

  private func draw() { label.text = post.map { "\($0.text) \(picture.value ?? "…")" } }
}
