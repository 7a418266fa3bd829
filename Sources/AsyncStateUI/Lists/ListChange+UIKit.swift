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
    /// Applies a change of a data source as differences, or, while the table is in no window, by loading it anew. Rows
    /// that stay and have changed keep their cells. A change that is made inside a call of the table follows when that is
    /// over, several as one.
    public func apply(_ change: ListChange, with animation: RowAnimation = .automatic) {
      ListCall.whenOver(change) { [weak self] in self?.carryOut(change, with: animation) }
    }

    private func carryOut(_ change: ListChange, with animation: RowAnimation) {
      guard window != nil else {
        change.apply()
        return reloadData()
      }
      var updated: [ListPath] = []
      performBatchUpdates { [self] in
        guard change.apply() else { return }
        deleteSections(IndexSet(change.removedSections), with: animation)
        insertSections(IndexSet(change.insertedSections), with: animation)
        deleteRows(at: change.removals.map(\.indexPath), with: animation)
        insertRows(at: change.insertions.map(\.indexPath), with: animation)
        for move in change.moves { moveRow(at: move.from.indexPath, to: move.to.indexPath) }
        updated = change.updates.map(\.to)
      }
      reconfigureRows(at: updated.map(\.indexPath))
    }
  }

  extension UICollectionView {
    /// Applies a change of a data source as differences, or, while the collection is in no window, by loading it anew.
    /// Items that stay and have changed keep their cells. A change that is made inside a call of the collection follows when
    /// that is over, several as one.
    public func apply(_ change: ListChange) {
      ListCall.whenOver(change) { [weak self] in self?.carryOut(change) }
    }

    private func carryOut(_ change: ListChange) {
      guard window != nil else {
        change.apply()
        return reloadData()
      }
      var updated: [ListPath] = []
      performBatchUpdates { [self] in
        guard change.apply() else { return }
        deleteSections(IndexSet(change.removedSections))
        insertSections(IndexSet(change.insertedSections))
        deleteItems(at: change.removals.map(\.indexPath))
        insertItems(at: change.insertions.map(\.indexPath))
        for move in change.moves { moveItem(at: move.from.indexPath, to: move.to.indexPath) }
        updated = change.updates.map(\.to)
      }
      reconfigureItems(at: updated.map(\.indexPath))
    }
  }
#endif
