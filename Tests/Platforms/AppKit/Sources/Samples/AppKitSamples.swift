// SPDX-License-Identifier: MIT
// The samples of the documentation that use AppKit, word for word, with what they need around them. Documentation/check
// finds them here; the package compiles this folder in every mode that a client may have.

import AsyncStateLists
import AppKit
import AsyncState
import AsyncStateUI
import SwiftUI

enum Page { case articles, settings }

final class SettingsViewController: NSViewController {
  init() { super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }
}

final class PostViewController: NSViewController, @MainActor ReusableController {
  func configure(with post: String) {}
  func prepareForReuse() {}
}

@MainActor
func browser(_ articles: AsyncResource<String>) -> NSViewController {
  let browser = StateViewController(initialState: Page.articles) { page in
    switch page {
    case .articles: [NSHostingController(rootView: AsyncView(articles) { Text($0) })]
    case .settings: [SettingsViewController()]
    }
  }
  return browser
}

final class FeedViewController: NSViewController {
  private let tableView = NSTableView()
  private var rows: TableRows<String>?

  func display(_ source: ListDataSource<String, NSView>) {
    rows = TableRows(source, in: tableView)
  }

  func cell(of table: NSTableView, for post: String) -> NSView {
    let identifier = NSUserInterfaceItemIdentifier("post")
    let cell = table.makeView(withIdentifier: identifier, owner: nil) as? ControllerCell<PostViewController>
    cell?.show(post, in: self) { PostViewController(nibName: nil, bundle: nil) }
    return cell ?? NSView()
  }
}

@MainActor
func makeFooter(_ feed: AsyncResource<Paged<String, Int>>) -> NSView {
  let footer = NSHostingView(rootView: AsyncPageFooter(feed, requestsPages: false))
  return footer
}

final class ArticlesViewController: NSViewController {
  init(_ articles: [String]) { super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }
}

@MainActor
func articles(_ articles: AsyncResource<[String]>) -> NSViewController {
  let screen = AsyncViewController(articles) { ArticlesViewController($0) }
  return screen
}
