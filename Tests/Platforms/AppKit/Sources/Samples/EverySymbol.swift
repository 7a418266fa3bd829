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

nonisolated enum Part { case rows }

final class EveryStateController: StateViewController<Page> {
  override func children(for state: Page) -> [NSViewController] { super.children(for: state) }
  override func layout(_ child: NSViewController) { super.layout(child) }
  override func willTransition(to state: Page, animated: Bool) { super.willTransition(to: state, animated: animated) }
  override func didTransition(from former: Page?, animated: Bool) {
    super.didTransition(from: former, animated: animated)
  }
  override func loadView() { super.loadView() }
  override func viewDidLoad() { super.viewDidLoad() }
  override func viewWillAppear() { super.viewWillAppear() }
  override func viewDidAppear() { super.viewDidAppear() }
  override func viewWillDisappear() { super.viewWillDisappear() }
  override func viewDidDisappear() { super.viewDidDisappear() }
  override func preferredContentSizeDidChange(for viewController: NSViewController) {
    super.preferredContentSizeDidChange(for: viewController)
  }

  func open(_ page: Page) {
    if container.currentState != page { setNeedsTransition(to: page, animated: true) }
  }

  // The container calls these.
  func replay(_ page: Page) {
    container(container, willTransitionTo: page, animated: false)
    container(container, didArrange: [])
    container(container, didTransitionFrom: page, animated: false)
  }
}

final class EveryAsyncController: AsyncViewController<[String]> {
  override func message(for status: AsyncStatus<[String]>) -> String? { super.message(for: status) }
  override var canReload: Bool { super.canReload }
  override var showsFailedRefresh: Bool { super.showsFailedRefresh }
  override func viewWillAppear() {
    super.viewWillAppear()
    if case .idle = host.status { host.start() }
  }

  // The host calls these.
  func replay(_ status: AsyncStatus<[String]>) {
    transitionToNothing(animated: false)
    switch status {
    case .loading: transitionToLoading(animated: false)
    case .error(let error): transitionToError(error, animated: false)
    case .noData: transitionToNoData(animated: false)
    case .idle: transitionToIdle(animated: false)
    case .waiting: transitionToWaiting(animated: false)
    case .data(let articles): transitionToData(articles, animated: false)
    }
  }
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

/// A data source of an app's own that follows rows.
@MainActor
final class OwnRows: SnapshotDataSource {
  typealias SectionIdentifierType = Part
  typealias ItemIdentifierType = Int
  private(set) var count = 0

  func display(_ snapshot: NSDiffableDataSourceSnapshot<Part, Int>, animated: Bool) { count += 1 }
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

final class TextController: NSViewController, @MainActor AsyncContent {
  private(set) var text = ""
  init() { super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }
  func apply(_ text: String, animated: Bool) { self.text = text }
}

@MainActor
func makeTextScreen(_ text: AsyncResource<String>) -> AsyncViewController<String> {
  AsyncViewController(text) { TextController() }
}

@MainActor
func prefetch(_ family: AsyncFamily<Int, String>) {
  let prefetch = RowPrefetch(family)
  prefetch.begin([1, 2])
  prefetch.end([2])
}

@MainActor
func inspect(_ journal: StateJournal, in context: JournalView.Context) -> JournalView {
  let view = JournalView(journal, title: "Feed")
  view.updateNSView(view.makeNSView(context: context), context: context)
  return view
}
