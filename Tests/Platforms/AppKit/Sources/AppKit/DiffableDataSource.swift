// SPDX-License-Identifier: MIT
extension NSDiffableDataSourceSnapshot {
  /// The items that are to be configured again.
  public var reloadedItemIdentifiers: [ItemIdentifierType] { marked }
  /// Says that items have changed. AppKit has no `reconfigureItems`.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) { mark(identifiers) }
}

/// The data source of a table, by identity. It is that of the view from its `init` on. Only sections of one are displayed
/// here: no headers.
@MainActor
open class NSTableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: StandInDiffableSource<SectionIdentifierType, ItemIdentifierType>, @MainActor NSTableViewDataSource,
  NSTableViewDelegate
{
  private weak var view: NSTableView?
  private let cellProvider: (NSTableView, NSTableColumn, Int, ItemIdentifierType) -> NSView

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
  override func display(configuring changed: [IndexPath]?) { view?.reloadData() }
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
  /// The items, for tests; here all are visible.
  public internal(set) var items: [NSCollectionViewItem] = []
}

/// The data source of a collection, by identity. It is that of the view from its `init` on.
@MainActor
open class NSCollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: StandInDiffableSource<SectionIdentifierType, ItemIdentifierType> {
  private weak var view: NSCollectionView?
  private let itemProvider: (NSCollectionView, IndexPath, ItemIdentifierType) -> NSCollectionViewItem?

  /// A data source.
  public init(
    collectionView: NSCollectionView,
    itemProvider: @escaping (NSCollectionView, IndexPath, ItemIdentifierType) -> NSCollectionViewItem?
  ) {
    view = collectionView
    self.itemProvider = itemProvider
    super.init()
  }
  override func display(configuring changed: [IndexPath]?) {
    guard let view else { return }
    view.items = current.itemIdentifiers.compactMap { id in
      current.path(of: id).flatMap { itemProvider(view, $0, id) }
    }
  }
}
