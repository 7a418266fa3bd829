// SPDX-License-Identifier: MIT
// A client of the public symbols for AppKit that no sample uses, so that each compiles in every mode that a client may have.
// Those for SwiftUI are in that package.

import AppKit
import AsyncState
import AsyncStateJournal
import AsyncStateLists
import AsyncStateUI
import SwiftUI

struct Row: Identifiable, Equatable, Sendable {
  var id: Int
}

final class EveryAppKitController: EveryStateController {
  override func loadView() { super.loadView() }
  override func viewDidLoad() { super.viewDidLoad() }
  override func viewWillAppear() { super.viewWillAppear() }
  override func viewDidAppear() { super.viewDidAppear() }
  override func viewWillDisappear() { super.viewWillDisappear() }
  override func viewDidDisappear() { super.viewDidDisappear() }
  override func preferredContentSizeDidChange(for viewController: NSViewController) {
    super.preferredContentSizeDidChange(for: viewController)
  }
}

final class EveryAppKitScreen: EveryAsyncController {
  override func viewWillAppear() { super.viewWillAppear() }
}

@MainActor
final class EveryList {
  private let rows: TableRows<Row>
  private var binding: ObservedToken?

  init(_ source: ListDataSource<Row, NSView>, in table: NSTableView) {
    rows = TableRows(source, in: table)
    rows.onDisplay = { row in print(row) }
  }

  func request(_ feed: AsyncResource<Paged<Row, Int>>) { rows.requestPages(of: feed, threshold: 5) }

  // The view calls this.
  func replay(_ rowView: NSTableRowView, in table: NSTableView) {
    rows.tableView(table, didRemove: rowView, forRow: -1)
  }

  func follow(_ source: ListDataSource<Row, NSView>, in dataSource: NSTableViewDiffableDataSource<Part, Int>) {
    binding = dataSource.bind(to: source) { _ in Part.rows }
  }

  func display(_ sections: [ListSection<Row>], in dataSource: NSCollectionViewDiffableDataSource<Part, Int>) {
    dataSource.display(NSDiffableDataSourceSnapshot(sections) { _ in Part.rows }, animated: true)
  }

  func open(_ path: IndexPath) -> IndexPath { ListPath(path).indexPath }

  // The table calls these.
  func replay(_ row: Int, in table: NSTableView) -> NSView? {
    row < rows.numberOfRows(in: table) ? rows.tableView(table, viewFor: nil, row: row) : nil
  }

  func controller(in cell: ControllerCell<PostViewController>) -> PostViewController? {
    cell.viewDidMoveToWindow()
    cell.prepareForReuse()
    return cell.controller
  }
}

@MainActor
func animated(_ animation: TransitionAnimation) -> NSViewController {
  let animator = ViewAnimator()
  animator.animate(animation)
  return StateViewController(initialState: Page.settings, animator: animator) { _ in [SettingsViewController()] }
}

struct PageView: View {
  let page: Page

  var body: some View { StateControllerView(page) { _ in [SettingsViewController()] } }
}

@MainActor
func update(
  _ view: StateControllerView<Page>, _ controller: StateViewController<Page>,
  in context: StateControllerView<Page>.Context
) -> StateControllerView<Page>.Coordinator {
  view.updateNSViewController(controller, context: context)
  view.updateNSViewController(view.makeNSViewController(context: context), context: context)
  return view.makeCoordinator()
}

@MainActor
func inspect(_ journal: StateJournal, in context: JournalView.Context) -> JournalView {
  let view = JournalView(journal, title: "Feed")
  view.updateNSView(view.makeNSView(context: context), context: context)
  return view
}
