// SPDX-License-Identifier: MIT
/// Sections and items by their identifiers.
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
  /// The sections.
  public private(set) var sectionIdentifiers: [SectionIdentifierType] = []
  private var items: [SectionIdentifierType: [ItemIdentifierType]] = [:]
  /// The items that are to be configured again.
  public private(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []

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
  func hasSamePlaces(as other: Self) -> Bool {
    sectionIdentifiers == other.sectionIdentifiers
      && sectionIdentifiers.allSatisfy { itemIdentifiers(inSection: $0) == other.itemIdentifiers(inSection: $0) }
  }
  /// Says that items have changed. They must be there; the framework raises an exception where they are not.
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    precondition(Set(identifiers).isSubset(of: itemIdentifiers), "An item to reconfigure is not in the snapshot")
    reconfiguredItemIdentifiers += identifiers
  }
}

/// The data source of a table, by identity. It is that of the view from its `init` on, and reads cells by its snapshot.
@MainActor
open class UITableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject, UITableViewDataSource {
  private var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()
  private weak var view: UITableView?
  private let cellProvider: (UITableView, IndexPath, ItemIdentifierType) -> UITableViewCell?
  /// Whether each snapshot was applied animated, for tests.
  public private(set) var applied: [Bool] = []

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
  /// What is displayed.
  public func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { current }
  /// What is displayed at a place.
  open func itemIdentifier(for path: IndexPath) -> ItemIdentifierType? {
    let items = current.itemIdentifiers(inSection: current.sectionIdentifiers[path.section])
    return items.indices.contains(path.item) ? items[path.item] : nil
  }
  /// Displays a snapshot: here by loading the view anew. What is to be configured again keeps its cell.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    let isSame = snapshot.hasSamePlaces(as: current)
    current = snapshot
    applied.append(animatingDifferences)
    if isSame {
      view?.reconfigureRows(at: snapshot.reconfiguredItemIdentifiers.compactMap(path))
    } else {
      view?.reloadData()
    }
    completion?()
  }
  private func path(of item: ItemIdentifierType) -> IndexPath? {
    for (section, id) in current.sectionIdentifiers.enumerated() {
      if let index = current.itemIdentifiers(inSection: id).firstIndex(of: item) {
        return IndexPath(item: index, section: section)
      }
    }
    return nil
  }
  /// How many sections there are.
  open func numberOfSections(in view: UITableView) -> Int { current.sectionIdentifiers.count }
  /// How many there are in a section.
  open func tableView(_ view: UITableView, numberOfRowsInSection section: Int) -> Int {
    current.itemIdentifiers(inSection: current.sectionIdentifiers[section]).count
  }
  /// The cell at a place.
  open func tableView(_ view: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    let cell = itemIdentifier(for: path).flatMap { cellProvider(view, path, $0) }
    guard let cell else { fatalError("The cell provider of a diffable data source returned nil") }
    return cell
  }
}

/// The data source of a collection, by identity. It is that of the view from its `init` on, and reads cells by its snapshot.
@MainActor
open class UICollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject, UICollectionViewDataSource {
  private var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()
  private weak var view: UICollectionView?
  private let cellProvider: (UICollectionView, IndexPath, ItemIdentifierType) -> UICollectionViewCell?
  /// Whether each snapshot was applied animated, for tests.
  public private(set) var applied: [Bool] = []

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
  /// What is displayed.
  public func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { current }
  /// What is displayed at a place.
  open func itemIdentifier(for path: IndexPath) -> ItemIdentifierType? {
    let items = current.itemIdentifiers(inSection: current.sectionIdentifiers[path.section])
    return items.indices.contains(path.item) ? items[path.item] : nil
  }
  /// Displays a snapshot: here by loading the view anew. What is to be configured again keeps its cell.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    let isSame = snapshot.hasSamePlaces(as: current)
    current = snapshot
    applied.append(animatingDifferences)
    if isSame {
      view?.reconfigureItems(at: snapshot.reconfiguredItemIdentifiers.compactMap(path))
    } else {
      view?.reloadData()
    }
    completion?()
  }
  private func path(of item: ItemIdentifierType) -> IndexPath? {
    for (section, id) in current.sectionIdentifiers.enumerated() {
      if let index = current.itemIdentifiers(inSection: id).firstIndex(of: item) {
        return IndexPath(item: index, section: section)
      }
    }
    return nil
  }
  /// How many sections there are.
  open func numberOfSections(in view: UICollectionView) -> Int { current.sectionIdentifiers.count }
  /// How many there are in a section.
  open func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int {
    current.itemIdentifiers(inSection: current.sectionIdentifiers[section]).count
  }
  /// The cell at a place.
  open func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath) -> UICollectionViewCell {
    let cell = itemIdentifier(for: path).flatMap { cellProvider(view, path, $0) }
    guard let cell else { fatalError("The cell provider of a diffable data source returned nil") }
    return cell
  }
}
