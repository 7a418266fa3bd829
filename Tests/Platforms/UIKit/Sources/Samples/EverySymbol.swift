// SPDX-License-Identifier: MIT
// A client of the public symbols for UIKit that no sample uses, so that each compiles in every mode that a client may have.
// Those for SwiftUI are in that package.

import AsyncState
import AsyncStateJournal
import AsyncStateLists
import AsyncStateUI
import SwiftUI
import UIKit

final class EveryUIKitController: EveryStateController {
  override func viewDidAppear(_ animated: Bool) { super.viewDidAppear(animated) }
  override func viewWillDisappear(_ animated: Bool) { super.viewWillDisappear(animated) }
  override func viewDidDisappear(_ animated: Bool) { super.viewDidDisappear(animated) }
  override func preferredContentSizeDidChange(forChildContentContainer container: any UIContentContainer) {
    super.preferredContentSizeDidChange(forChildContentContainer: container)
  }
  override func contentScrollView(for edge: NSDirectionalRectEdge) -> UIScrollView? {
    super.contentScrollView(for: edge)
  }
  override var childForStatusBarStyle: UIViewController? { super.childForStatusBarStyle }
  override var childForStatusBarHidden: UIViewController? { super.childForStatusBarHidden }
  override var childForHomeIndicatorAutoHidden: UIViewController? { topChild }
  override var childForScreenEdgesDeferringSystemGestures: UIViewController? { topChild }
  override var preferredFocusEnvironments: [any UIFocusEnvironment] { super.preferredFocusEnvironments }

  var isLeftToTheSystem: Bool { shouldAutomaticallyForwardAppearanceMethods }
  var pages: [Int] { container.hasDeterminedState ? [container.currentState] : [] }

  func lend(_ child: UIViewController, to parent: UIViewController) {
    giveUp(child)
    parent.addChild(child)
  }
}

final class EveryUIKitScreen: EveryAsyncController {
  override func configuration(for status: AsyncStatus<[String]>) -> UIContentUnavailableConfiguration? {
    super.configuration(for: status)
  }
  override func viewWillAppear(_ animated: Bool) { super.viewWillAppear(animated) }
}

@MainActor
final class EveryList {
  private let items: CollectionItems<Post>
  private let adapters: [ListAdapter<Post, UICollectionViewCell>]

  init(_ source: ListDataSource<Post, UICollectionViewCell>, in view: UICollectionView) {
    items = CollectionItems(source, in: view)
    items.onSelect = { path in print(path.row) }
    items.onDisplay = { path in print(path.row) }
    adapters = [items]
  }

  func request(_ feed: AsyncResource<Paged<Post, Int>>) { items.requestPages(of: feed, threshold: 5) }

  // The view calls these.
  func replay(_ cell: UICollectionViewCell, at path: IndexPath, in view: UICollectionView) {
    guard path.section < items.numberOfSections(in: view) else { return }
    guard path.row < items.collectionView(view, numberOfItemsInSection: path.section) else { return }
    _ = items.collectionView(view, cellForItemAt: path)
    items.collectionView(view, willDisplay: cell, forItemAt: path)
    items.collectionView(view, didSelectItemAt: path)
    items.collectionView(view, didEndDisplaying: cell, forItemAt: path)
  }

  func replay(_ rows: TableRows<Post>, _ cell: UITableViewCell, at path: IndexPath, in table: UITableView) {
    guard path.section < rows.numberOfSections(in: table) else { return }
    guard path.row < rows.tableView(table, numberOfRowsInSection: path.section) else { return }
    _ = rows.tableView(table, cellForRowAt: path)
    rows.tableView(table, willDisplay: cell, forRowAt: path)
    rows.tableView(table, didSelectRowAt: path)
    rows.tableView(table, didEndDisplaying: cell, forRowAt: path)
  }

  func apply(_ change: ListChange, to table: UITableView, and items: UICollectionView) {
    table.apply(change, with: .automatic)
    items.apply(change)
  }

  func makeCell(
    for post: Post, in parent: UIViewController, _ state: any UIConfigurationState
  ) -> any UIView & UIContentView {
    let configuration = ControllerConfiguration(post, in: parent) { PostViewController() }
    return configuration.updated(for: state).makeContentView()
  }

  func controller(in cell: ControllerCell<PostViewController>) -> PostViewController? {
    cell.didMoveToWindow()
    cell.didEndDisplaying(animated: false)
    return cell.controller
  }
}

@MainActor
func everyLook() {
  var style = AsyncStyle()
  let former = style
  style.loading = { former.loading() }
  style.waiting = { former.waiting() }
  style.empty = { former.empty() }
  style.idle = { former.idle() }
  style.failure = { error in former.failure(error) }
  AsyncStyle.app = style
}

@MainActor
func animated() -> UIViewController {
  let animator = ViewAnimator(duration: .milliseconds(200), options: [.curveEaseInOut], isInterruptible: true)
  defer { animator.finishAll() }
  let steps = StateViewController(initialState: Step.address, animator: animator) { _ in [AddressViewController()] }
  steps.hidesBottomBarWhenPushed = !steps.hidesBottomBarWhenPushed
  return steps
}

@MainActor
func animate(_ animation: TransitionAnimation, with animator: ViewAnimator) -> UIViewController? {
  if animator.duration > .zero { animator.animate(animation) }
  return animation.viewController
}

@MainActor
func update(
  _ view: StateControllerView<Step>, _ controller: StateViewController<Step>,
  in context: StateControllerView<Step>.Context
) -> StateControllerView<Step>.Coordinator {
  view.updateUIViewController(controller, context: context)
  view.updateUIViewController(view.makeUIViewController(context: context), context: context)
  return view.makeCoordinator()
}

@MainActor
func inspect(_ journal: StateJournal, in context: JournalView.Context) -> JournalView {
  let view = JournalView(journal, title: "Feed")
  view.updateUIView(view.makeUIView(context: context), context: context)
  return view
}
