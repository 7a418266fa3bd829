// SPDX-License-Identifier: MIT
// A client of the public symbols that UIKit and AppKit have in common, and that no sample uses, so that each compiles in every
// mode that a client may have; and the samples that are for both.

import AsyncState
import AsyncStateLists
import AsyncStateUI
#if canImport(UIKit)
  import UIKit

  typealias Controller = UIViewController
#else
  import AppKit

  typealias Controller = NSViewController
#endif

class EveryStateController: StateViewController<Int> {
  override func children(for state: Int) -> [Controller] { super.children(for: state) }
  override func layout(_ child: Controller) { super.layout(child) }
  override func willTransition(to state: Int, animated: Bool) { super.willTransition(to: state, animated: animated) }
  override func didTransition(from former: Int?, animated: Bool) {
    super.didTransition(from: former, animated: animated)
  }

  func open(_ page: Int) {
    if container.currentState != page { setNeedsTransition(to: page, animated: true) }
  }

  // The container calls these.
  func replay(_ page: Int) {
    container(container, willTransitionTo: page, animated: false)
    container(container, didArrange: [])
    container(container, didTransitionFrom: page, animated: false)
  }
}

class EveryAsyncController: AsyncViewController<[String]> {
  override func message(for status: AsyncStatus<[String]>) -> String? { super.message(for: status) }
  override var canReload: Bool { super.canReload }
  override var showsFailedRefresh: Bool { super.showsFailedRefresh }

  // The host calls these.
  func replay(_ status: AsyncStatus<[String]>) {
    if case .idle = host.status { host.start() }
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

nonisolated enum Part { case rows }

/// A data source of an app's own that follows rows.
@MainActor
final class OwnRows: SnapshotDataSource {
  typealias SectionIdentifierType = Part
  typealias ItemIdentifierType = Int
  private(set) var count = 0

  func display(_ snapshot: NSDiffableDataSourceSnapshot<Part, Int>, animated: Bool) { count += 1 }
}

final class TextController: Controller, @MainActor AsyncContent {
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
final class AppModel {
  let board = AsyncTagBoard()
  private var freshness: ObservedToken?

  func start() {
    freshness = board.followApp()
  }

  func startWithServer() {
    let isReachable = Input(true)
    freshness = board.followApp(isOnline: isReachable)
  }
}
