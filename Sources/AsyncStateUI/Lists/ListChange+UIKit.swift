// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  import AsyncState
  public import AsyncStateLists
  public import UIKit

  // The differences of a list as the updates of a view: those of `ListDataSource`, and snapshots by identity.

  extension ListPath {
    /// The place that UIKit names like this.
    public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, row: indexPath.item) }
    /// What UIKit calls this place.
    public var indexPath: IndexPath { IndexPath(item: row, section: section) }
  }

  extension UITableView {
    /// Applies a change of a data source as differences, or, while the table is in no window, by loading it anew. Rows
    /// that stay and have changed keep their cells.
    public func apply(_ change: ListChange, with animation: RowAnimation = .automatic) {
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
        updated = change.updated
      }
      reconfigureRows(at: updated.map(\.indexPath))
    }
  }

  extension UICollectionView {
    /// Applies a change of a data source as differences, or, while the collection is in no window, by loading it anew.
    /// Items that stay and have changed keep their cells.
    public func apply(_ change: ListChange) {
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
        updated = change.updated
      }
      reconfigureItems(at: updated.map(\.indexPath))
    }
  }

  extension NSDiffableDataSourceSnapshot {
    /// The snapshot of sections, by the identity of their items.
    ///
    /// UIKit stops the process for an identity that is there twice: only the first item with it is displayed, and a debug
    /// build prints a message. Sections with the same identifier become one.
    ///
    /// - Parameters:
    ///   - sections: What is to be displayed.
    ///   - former: What is displayed. Items with the same identity that are not equal are configured again.
    ///   - sectionID: The identifier of a section.
    public init<Item: Identifiable & Equatable>(
      _ sections: [ListSection<Item>], replacing former: [ListSection<Item>] = [],
      sectionID: (ListSection<Item>) -> SectionIdentifierType
    ) where Item.ID == ItemIdentifierType {
      self.init()
      let known = Dictionary(former.flatMap(\.items).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      var (seen, seenSections): (Set<Item.ID>, Set<SectionIdentifierType>) = ([], [])
      for section in sections {
        let items = section.items.filter { seen.insert($0.id).inserted }
        if items.count < section.items.count { Self.warnOfRepeatedItems(in: section.id) }
        let id = sectionID(section)
        if seenSections.insert(id).inserted { appendSections([id]) }
        appendItems(items.map(\.id), toSection: id)
        reconfigureItems(items.filter { known[$0.id, default: $0] != $0 }.map(\.id))
      }
    }

    private static func warnOfRepeatedItems(in section: Any) {
      #if DEBUG
        print(
          """
          AsyncStateUI: items of the section \(section) have an identity that an earlier item has. UIKit stops the \
          process for it, so only the first item is displayed. Give each item an identity of its own.
          """)
      #endif
    }
  }
#endif
