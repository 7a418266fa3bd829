// SPDX-License-Identifier: MIT
extension NSDiffableDataSourceSnapshot {
  /// The items that are to be configured again.
  public var reconfiguredItemIdentifiers: [ItemIdentifierType] { marked }
  /// Says that items have changed. They keep their cells.
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) { mark(identifiers) }
}

extension StandInDiffableSource {
  /// Displays a snapshot, animated.
  public func apply(_ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>) {
    apply(snapshot, animatingDifferences: true)
  }

  fileprivate func cell<Cell>(_ path: IndexPath, _ provider: (ItemIdentifierType) -> Cell?) -> Cell {
    guard let cell = itemIdentifier(for: path).flatMap(provider) else {
      fatalError("The cell provider of a diffable data source returned nil")
    }
    return cell
  }

  fileprivate func count(_ section: Int) -> Int {
    current.itemIdentifiers(inSection: current.sectionIdentifiers[section]).count
  }
}

/// The data source of a table, by identity. It is that of the view from its `init` on, and reads cells by its snapshot.
@MainActor
open class UITableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: StandInDiffableSource<SectionIdentifierType, ItemIdentifierType>, UITableViewDataSource {
  private weak var view: UITableView?
  private let cellProvider: (UITableView, IndexPath, ItemIdentifierType) -> UITableViewCell?

  /// A data source.
  public init(
    tableView view: UITableView,
    cellProvider: @escaping (UITableView, IndexPath, ItemIdentifierType) -> UITableViewCell?
  ) {
    self.view = view
    self.cellProvider = cellProvider
    super.init()
    view.dataSource = self
  }
  override func display(configuring changed: [IndexPath]?) {
    if let changed { view?.reconfigureRows(at: changed) } else { view?.reloadData() }
  }
  /// How many sections there are.
  open func numberOfSections(in view: UITableView) -> Int { current.sectionIdentifiers.count }
  /// How many there are in a section.
  open func tableView(_ view: UITableView, numberOfRowsInSection section: Int) -> Int { count(section) }
  /// The cell at a place.
  open func tableView(_ view: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    cell(path) { cellProvider(view, path, $0) }
  }
}

/// The data source of a collection, by identity. It is that of the view from its `init` on, and reads cells by its snapshot.
@MainActor
open class UICollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: StandInDiffableSource<SectionIdentifierType, ItemIdentifierType>, UICollectionViewDataSource {
  private weak var view: UICollectionView?
  private let cellProvider: (UICollectionView, IndexPath, ItemIdentifierType) -> UICollectionViewCell?

  /// A data source.
  public init(
    collectionView view: UICollectionView,
    cellProvider: @escaping (UICollectionView, IndexPath, ItemIdentifierType) -> UICollectionViewCell?
  ) {
    self.view = view
    self.cellProvider = cellProvider
    super.init()
    view.dataSource = self
  }
  override func display(configuring changed: [IndexPath]?) {
    if let changed { view?.reconfigureItems(at: changed) } else { view?.reloadData() }
  }
  /// How many sections there are.
  open func numberOfSections(in view: UICollectionView) -> Int { current.sectionIdentifiers.count }
  /// How many there are in a section.
  open func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int { count(section) }
  /// The cell at a place.
  open func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath) -> UICollectionViewCell {
    cell(path) { cellProvider(view, path, $0) }
  }
}
