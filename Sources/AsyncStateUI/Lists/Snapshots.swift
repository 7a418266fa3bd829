// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  public import AsyncState
  public import AsyncStateLists
  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  // Lists by identity. Headers, swipes, heights and prefetching stay those of the client's data source and delegate.

  /// A diffable data source of a table or a collection, in UIKit or AppKit, which can follow a `ListDataSource`.
  @MainActor
  public protocol SnapshotDataSource<SectionIdentifierType, ItemIdentifierType>: AnyObject {
    /// The identifier of a section.
    associatedtype SectionIdentifierType: Hashable & Sendable
    /// The identifier of an item.
    associatedtype ItemIdentifierType: Hashable & Sendable

    /// Displays a snapshot.
    func display(_ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animated: Bool)
  }

  extension SnapshotDataSource {
    /// Displays the rows of a data source from now on: those that are there at once, and each change as differences.
    ///
    /// ```swift
    /// rows = UITableViewDiffableDataSource<Section, Int>(tableView: tableView) { _, path, id in
    ///   source.cell(of: id, at: ListPath(path))
    /// }
    /// binding = rows.bind(to: source) { _ in Section.posts }
    /// ```
    ///
    /// Items with the same identity that are not equal are configured again. Only the first item with an identity is
    /// displayed. A change that is made inside a call of the list follows when that is over.
    ///
    /// - Parameters:
    ///   - source: The rows. It serves this list alone.
    ///   - animated: Whether changes are animated; the first display never is.
    ///   - sectionID: The identifier of a section.
    /// - Returns: The binding, which ends when the token is cancelled or released.
    public func bind<Item: Identifiable & Equatable, Cell>(
      to source: ListDataSource<Item, Cell>, animated: Bool = true,
      sectionID: @escaping (ListSection<Item>) -> SectionIdentifierType
    ) -> ObservedToken where Item.ID == ItemIdentifierType {
      let token = source.observeChanges { [weak self, weak source] change in
        ListCall.whenOver(change) {
          guard let self, let source else { return }
          source.apply(change) { former in
            self.display(
              NSDiffableDataSourceSnapshot(source.sections, replacing: former, sectionID: sectionID), animated: animated
            )
          }
        }
      }
      display(NSDiffableDataSourceSnapshot(source.sections, sectionID: sectionID), animated: false)
      return token
    }
  }

  #if canImport(UIKit)
    extension UITableViewDiffableDataSource: SnapshotDataSource {
      /// Displays a snapshot.
      public func display(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animated: Bool
      ) { apply(snapshot, animatingDifferences: animated) }
    }

    extension UICollectionViewDiffableDataSource: SnapshotDataSource {
      /// Displays a snapshot.
      public func display(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animated: Bool
      ) { apply(snapshot, animatingDifferences: animated) }
    }
  #else
    extension NSTableViewDiffableDataSource: SnapshotDataSource {
      /// Displays a snapshot.
      public func display(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animated: Bool
      ) { apply(snapshot, animatingDifferences: animated) }
    }

    extension NSCollectionViewDiffableDataSource: SnapshotDataSource {
      /// Displays a snapshot.
      public func display(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animated: Bool
      ) { apply(snapshot, animatingDifferences: animated) }
    }

    extension ListPath {
      /// The place that a collection of AppKit names like this.
      public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, row: indexPath.item) }
      /// The place as a collection of AppKit names it.
      public var indexPath: IndexPath { IndexPath(item: row, section: section) }
    }
  #endif

  extension NSDiffableDataSourceSnapshot {
    /// The snapshot of sections, by the identity of their items.
    ///
    /// A list stops the process for an identity that is there twice: only the first item with it is displayed, and a
    /// debug build prints a message. Sections with the same identifier become one.
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
        let changed = items.filter { known[$0.id, default: $0] != $0 }.map(\.id)
        // AppKit knows no other way to configure an item again.
        #if canImport(UIKit)
          reconfigureItems(changed)
        #else
          reloadItems(changed)
        #endif
      }
    }

    private static func warnOfRepeatedItems(in section: Any) {
      AsyncStateWarnings.warn(
        """
        AsyncStateUI: items of the section \(section) have an identity that an earlier item has. A list would stop \
        the process for it, so only the first item is displayed. Give each item an identity of its own.
        """)
    }
  }
#endif
