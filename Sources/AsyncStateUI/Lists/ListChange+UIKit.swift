// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  public import AsyncStateLists
  public import UIKit

  // The differences of a list as the updates of a view.

  extension ListPath {
    /// The place that UIKit names like this.
    public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, row: indexPath.item) }
    /// The place as UIKit names it.
    public var indexPath: IndexPath { IndexPath(item: row, section: section) }
  }

  extension UITableView {
    /// Applies a change of a data source as differences. Rows that stay keep their cells, also where they have changed, or their
    /// section has moved.
    ///
    /// A change that is made inside a call of the table follows when that is over, and one that is made while a table has left
    /// its window follows when it is back, not animated, several as one. A table that was never in a window has no cells,
    /// and is loaded anew.
    public func apply(_ change: ListChange, with animation: RowAnimation = .automatic) {
      follow(change, with: animation) {}
    }

    func follow(
      _ change: ListChange, with animation: RowAnimation = .automatic, then: @escaping @MainActor () -> Void
    ) {
      follow(change, then: then) { table, change in
        table.deleteSections(IndexSet(change.removedSections), with: animation)
        table.insertSections(IndexSet(change.insertedSections), with: animation)
        table.deleteRows(at: change.removals.map(\.indexPath), with: animation)
        table.insertRows(at: change.insertions.map(\.indexPath), with: animation)
        for move in change.moves { table.moveRow(at: move.from.indexPath, to: move.to.indexPath) }
      }
    }
  }

  extension UICollectionView {
    /// Applies a change of a data source as differences. Items that stay keep their cells, also where they have changed, or their
    /// section has moved.
    ///
    /// A change that is made inside a call of the collection follows when that is over, and one that is made while a collection
    /// has left its window follows when it is back, not animated, several as one. A collection that was never in a
    /// window has no cells, and is loaded anew.
    public func apply(_ change: ListChange) { follow(change) {} }

    func follow(_ change: ListChange, then: @escaping @MainActor () -> Void) {
      follow(change, then: then) { collection, change in
        collection.deleteSections(IndexSet(change.removedSections))
        collection.insertSections(IndexSet(change.insertedSections))
        collection.deleteItems(at: change.removals.map(\.indexPath))
        collection.insertItems(at: change.insertions.map(\.indexPath))
        for move in change.moves { collection.moveItem(at: move.from.indexPath, to: move.to.indexPath) }
      }
    }
  }

  /// What a table and a collection have in common when their rows change.
  @MainActor
  protocol ChangingList: UIScrollView {
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?)
    func moveSection(_ section: Int, toSection newSection: Int)
    func reloadData()
    func configureAgain(_ paths: [IndexPath])
  }

  extension UITableView: ChangingList {
    func configureAgain(_ paths: [IndexPath]) { reconfigureRows(at: paths) }
  }

  extension UICollectionView: ChangingList {
    func configureAgain(_ paths: [IndexPath]) { reconfigureItems(at: paths) }
  }

  extension ChangingList {
    /// Displays a change as soon as the list can be updated.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - then: Called when the list displays the change.
    ///   - note: Names what leaves, enters and moves.
    fileprivate func follow(
      _ change: ListChange, then: @escaping @MainActor () -> Void, note: @escaping @MainActor (Self, ListChange) -> Void
    ) {
      ListCall.whenOver(change) { [weak self] in
        guard let self else { return }
        switch WindowStay.of(self).phase {
        case .notYet:
          change.apply()
          reloadData()
          then()
        case .inWindow: carryOut(change, note, then)
        case .covered(let stay): stay.atReturn { [weak self] in self?.carryOut(change, note, then) }
        }
      }
    }

    /// Sections that move do so in an update of their own: UIKit does not carry out other changes of their rows in the same one.
    private func carryOut(
      _ whole: ListChange, _ note: @escaping @MainActor (Self, ListChange) -> Void, _ then: () -> Void
    ) {
      let sections = whole.sectionMoves
      if let sections {
        performBatchUpdates(
          {
            guard sections.apply() else { return }
            for move in sections.moves { self.moveSection(move.from, toSection: move.to) }
          }, completion: nil)
      }
      let change = sections?.rest ?? whole
      var updated: [ListPath] = []
      performBatchUpdates(
        {
          guard change.apply() else { return }
          note(self, change)
          updated = change.updates.map(\.to)
        }, completion: nil)
      if !updated.isEmpty { configureAgain(updated.map(\.indexPath)) }
      then()
    }
  }

  /// Knows whether its list is in a window, as a view in it that is not drawn.
  ///
  /// UIKit lays out a list that is updated outside of a window with sizes that are not its own, and one that is loaded anew makes
  /// all its cells again. So a list whose screen is covered is updated when the screen is back.
  final class WindowStay: UIView {
    enum Phase {
      /// The list was never in a window.
      case notYet
      case inWindow
      /// The list has left its window with the cells that it has.
      case covered(WindowStay)
    }

    private var hasBegun = false
    private var update: (@MainActor () -> Void)?

    /// The view of a list, which is added at the first call.
    static func of(_ list: UIScrollView) -> WindowStay {
      if let stay = list.subviews.lazy.compactMap({ $0 as? WindowStay }).first { return stay }
      let stay = WindowStay(frame: .zero)
      stay.isHidden = true
      stay.isUserInteractionEnabled = false
      list.insertSubview(stay, at: 0)
      return stay
    }

    var phase: Phase {
      if window != nil { return .inWindow }
      return hasBegun ? .covered(self) : .notYet
    }

    /// The last update is the one that is carried out: it contains those before.
    func atReturn(_ update: @escaping @MainActor () -> Void) { self.update = update }

    override func didMoveToWindow() {
      super.didMoveToWindow()
      guard window != nil else { return }
      hasBegun = true
      guard let update else { return }
      self.update = nil
      UIView.performWithoutAnimation(update)
    }
  }
#endif
