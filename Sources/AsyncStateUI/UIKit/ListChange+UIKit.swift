#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  extension ListPath {
    /// The place that UIKit names like this.
    public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, row: indexPath.item) }
    /// What UIKit calls this place.
    public var indexPath: IndexPath { IndexPath(item: row, section: section) }
  }

  extension ListChange {
    // A row that moves cannot be reloaded in the same update: it is removed and inserted.
    fileprivate var changedMoves: Set<ListPath> { Set(updates).intersection(moves.map(\.from)) }

    fileprivate var paths: (removed: [IndexPath], inserted: [IndexPath], moved: [Move], reloaded: [IndexPath]) {
      let changed = changedMoves
      let replaced = moves.filter { changed.contains($0.from) }
      return (
        (removals + replaced.map(\.from)).map(\.indexPath), (insertions + replaced.map(\.to)).map(\.indexPath),
        moves.filter { !changed.contains($0.from) }, updates.filter { !changed.contains($0) }.map(\.indexPath)
      )
    }
  }

  extension UITableView {
    /// Applies a change of a data source as differences, or, while the table is in no window, by loading it anew.
    public func apply(_ change: ListChange, with animation: RowAnimation = .automatic) {
      guard window != nil else {
        change.apply()
        return reloadData()
      }
      performBatchUpdates { [self] in
        guard change.apply() else { return }
        let paths = change.paths
        deleteSections(IndexSet(change.removedSections), with: animation)
        insertSections(IndexSet(change.insertedSections), with: animation)
        deleteRows(at: paths.removed, with: animation)
        insertRows(at: paths.inserted, with: animation)
        for move in paths.moved { moveRow(at: move.from.indexPath, to: move.to.indexPath) }
        reloadRows(at: paths.reloaded, with: .none)
      }
    }
  }

  extension UICollectionView {
    /// Applies a change of a data source as differences, or, while the collection is in no window, by loading it anew.
    public func apply(_ change: ListChange) {
      guard window != nil else {
        change.apply()
        return reloadData()
      }
      performBatchUpdates { [self] in
        guard change.apply() else { return }
        let paths = change.paths
        deleteSections(IndexSet(change.removedSections))
        insertSections(IndexSet(change.insertedSections))
        deleteItems(at: paths.removed)
        insertItems(at: paths.inserted)
        for move in paths.moved { moveItem(at: move.from.indexPath, to: move.to.indexPath) }
        reloadItems(at: paths.reloaded)
      }
    }
  }

  extension NSDiffableDataSourceSnapshot {
    /// The snapshot of sections, by the identity of their items.
    ///
    /// - Parameters:
    ///   - sections: What is to be displayed.
    ///   - sectionID: The identifier of a section.
    ///   - former: What is displayed. Items with the same identity that are not equal are configured again.
    public init<Item: Identifiable & Equatable>(
      _ sections: [ListSection<Item>], replacing former: [ListSection<Item>] = [],
      sectionID: (ListSection<Item>) -> SectionIdentifierType
    ) where Item.ID == ItemIdentifierType {
      self.init()
      let known = Dictionary(former.flatMap(\.items).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      for section in sections {
        appendSections([sectionID(section)])
        appendItems(section.items.map(\.id), toSection: sectionID(section))
      }
      reconfigureItems(
        sections.flatMap(\.items).filter { item in known[item.id].map { $0 != item } ?? false }.map(\.id))
    }
  }
#endif
