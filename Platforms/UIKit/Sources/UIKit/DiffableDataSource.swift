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
  /// Adds items to a section. Identifiers are unique; UIKit raises an exception where they are not.
  public mutating func appendItems(_ identifiers: [ItemIdentifierType], toSection section: SectionIdentifierType) {
    precondition(sectionIdentifiers.contains(section), "The snapshot has no such section")
    let all = itemIdentifiers + identifiers
    precondition(Set(all).count == all.count, "Item identifiers must be unique")
    items[section, default: []] += identifiers
  }
  /// Says that items have changed. They must be there; UIKit raises an exception where they are not.
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    precondition(Set(identifiers).isSubset(of: itemIdentifiers), "An item to reconfigure is not in the snapshot")
    reconfiguredItemIdentifiers += identifiers
  }
}

/// A data source of a table, by identity. Only the bookkeeping: the last snapshot that was applied.
@MainActor
open class UITableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>:
  NSObject
{
  private var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()
  /// How often a snapshot was applied animated, and not, for tests.
  public private(set) var applied: [Bool] = []

  /// A data source.
  public init(
    tableView: UITableView, cellProvider: @escaping (UITableView, IndexPath, ItemIdentifierType) -> UITableViewCell?
  ) {}
  /// What is displayed.
  public func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { current }
  /// Displays a snapshot.
  public func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    current = snapshot
    applied.append(animatingDifferences)
    completion?()
  }
}

/// A data source of a collection, by identity. Only the bookkeeping: the last snapshot that was applied.
@MainActor
open class UICollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject {
  private var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()
  /// How often a snapshot was applied animated, and not, for tests.
  public private(set) var applied: [Bool] = []

  /// A data source.
  public init(
    collectionView: UICollectionView,
    cellProvider: @escaping (UICollectionView, IndexPath, ItemIdentifierType) -> UICollectionViewCell?
  ) {}
  /// What is displayed.
  public func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { current }
  /// Displays a snapshot.
  public func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    current = snapshot
    applied.append(animatingDifferences)
    completion?()
  }
}
