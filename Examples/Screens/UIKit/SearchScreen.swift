// SPDX-License-Identifier: MIT
// A search field: requests 300 ms after the last key, the latest text wins, former results stay until the new ones are
// there.

import AsyncStateLists
import AsyncState
import AsyncStateUI
import UIKit

protocol Catalogue: Sendable {
  func entries(matching text: String) async throws -> [String]
}

final class SearchViewController: UIViewController {
  let field = UITextField()
  let results: AsyncResource<[String]>
  private let text = Input<String?>(nil)
  private var screen: AsyncViewController<[String]>?

  init(catalogue: any Catalogue, clock: any Clock<Duration> = ContinuousClock()) {
    results = AsyncResource(
      following: text, delay: .milliseconds(300), previous: .untilAnswered, options: LoadOptions(clock: clock)
    ) { text in
      try await catalogue.entries(matching: text)
    }
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    field.addAction(
      UIAction { [weak self] _ in
        let typed = self?.field.text ?? ""
        self?.text.write(typed.isEmpty ? nil : typed)
      }, for: .editingChanged)

    // Nothing typed is no data and no loading; nothing found is no data, too.
    let screen = AsyncViewController(results, policy: .emptyIsNoData(idle: .idle)) { ResultsViewController() }
    self.screen = screen
    addChild(screen)
    screen.view.frame = view.bounds
    screen.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    view.addSubview(screen.view)
    screen.didMove(toParent: self)
    view.addSubview(field)
  }
}

/// Displays results. It stays for all values, which it gets by `apply`; the message that there are none lies over it.
final class ResultsViewController: UIViewController, @MainActor AsyncContent {
  private let results = Input<[String]>([])
  let tableView = UITableView()
  private var rows: TableRows<String>?

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.frame = view.bounds
    tableView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "result")
    view.addSubview(tableView)
    let source = ListDataSource<String, UITableViewCell>(
      items: results,
      dequeue: { [tableView] in
        tableView.dequeueReusableCell(withIdentifier: "result", for: IndexPath(row: $0, section: 0))
      },
      configure: { cell, result in
        var content = cell.defaultContentConfiguration()
        content.text = result
        cell.contentConfiguration = content
      })
    rows = TableRows(source, in: tableView)
  }

  func apply(_ results: [String], animated: Bool) { self.results.write(results) }
}
