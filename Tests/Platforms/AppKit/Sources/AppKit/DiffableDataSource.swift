// SPDX-License-Identifier: MIT
/// Sections and items by their identifiers.
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
  /// The sections.
  public private(set) var sectionIdentifiers: [SectionIdentifierType] = []
  private var items: [SectionIdentifierType: [ItemIdentifierType]] = [:]
  /// The items that are to be configured again.
  public private(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []

  /// An empty snapshot.
  public init() {}

  /// All items.
  public var itemIdentifiers: [ItemIdentifierType] { sectionIdentifiers.flatMap { items[$0] ?? [] } }
  /// The items of a section.
  public func itemIdentifiers(inSection section: SectionIdentifierType) -> [ItemIdentifierType] { items[section] ?? [] }
  /// Adds sections.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) { sectionIdentifiers += identifiers }
  /// Adds items to a section. Identifiers are unique; the framework raises an exception where they are not.
  public mutating func appendItems(_ identifiers: [ItemIdentifierType], toSection section: SectionIdentifierType) {
    precondition(sectionIdentifiers.contains(section), "The snapshot has no such section")
    let all = itemIdentifiers + identifiers
    precondition(Set(all).count == all.count, "Item identifiers must be unique")
    items[section, default: []] += identifiers
  }
  /// Says that items have changed. AppKit has no `reconfigureItems`. They must be there; it raises an exception where they are not.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    precondition(Set(identifiers).isSubset(of: itemIdentifiers), "An item to reload is not in the snapshot")
    reloadedItemIdentifiers += identifiers
  }
}

/// The data source of a table, by identity. It is that of the view from its `init` on. Only sections of one are displayed
/// here: no headers.
@MainActor
open class NSTableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject, @MainActor NSTableViewDataSource, NSTableViewDelegate {
  private var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()
  private weak var view: NSTableView?
  private let cellProvider: (NSTableView, NSTableColumn, Int, ItemIdentifierType) -> NSView
  /// Whether each snapshot was applied animated, for tests.
  public private(set) var applied: [Bool] = []

  /// A data source. The table requests the views of its rows from it unless it has a delegate that makes them.
  public init(
    tableView: NSTableView, cellProvider: @escaping (NSTableView, NSTableColumn, Int, ItemIdentifierType) -> NSView
  ) {
    view = tableView
    self.cellProvider = cellProvider
    super.init()
    tableView.dataSource = self
    tableView.delegate = self
  }
  /// What is displayed.
  public func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { current }
  /// Displays a snapshot: here by loading the view anew.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animatingDifferences: Bool,
    completion: (() -> Void)? = nil
  ) {
    current = snapshot
    applied.append(animatingDifferences)
    view?.reloadData()
    completion?()
  }
  /// How many rows there are.
  open func numberOfRows(in tableView: NSTableView) -> Int { current.itemIdentifiers.count }
  /// The view of a row.
  open func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView? {
    tableColumn.map { cellProvider(tableView, $0, row, current.itemIdentifiers[row]) }
  }
}

/// An item of a collection, which is a controller.
@MainActor
open class NSCollectionViewItem: NSViewController {}

/// A collection. Only what a diffable data source touches: it makes an item for each place.
@MainActor
open class NSCollectionView: NSView {
  var makeItem: ((IndexPath) -> NSCollectionViewItem?)?
  /// The items, for tests; here all are visible.
  public internal(set) var items: [NSCollectionViewItem] = []
}

/// The data source of a collection, by identity. It is that of the view from its `init` on.
@MainActor
open class NSCollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject {
  private var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()
  private weak var view: NSCollectionView?
  private let itemProvider: (NSCollectionView, IndexPath, ItemIdentifierType) -> NSCollectionViewItem?

  /// A data source.
  public init(
    collectionView: NSCollectionView,
    itemProvider: @escaping (NSCollectionView, IndexPath, ItemIdentifierType) -> NSCollectionViewItem?
  ) {
    view = collectionView
    self.itemProvider = itemProvider
  }
  /// What is displayed.
  public func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { current }
  /// Displays a snapshot: here by making all items anew.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animatingDifferences: Bool,
    completion: (() -> Void)? = nil
  ) {
    current = snapshot
    guard let view else { return }
    view.items = snapshot.sectionIdentifiers.enumerated().flatMap { section, id in
      snapshot.itemIdentifiers(inSection: id).enumerated().compactMap {
        itemProvider(view, IndexPath(item: $0.offset, section: section), $0.element)
      }
    }
    completion?()
  }
}

extension IndexPath {
  /// The path of an item.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  /// The section.
  public var section: Int { self[0] }
  /// The item.
  public var item: Int { self[1] }
}
