// SPDX-License-Identifier: MIT
/// Sections and items by their identifiers.
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
  /// The sections.
  public private(set) var sectionIdentifiers: [SectionIdentifierType] = []
  private var items: [SectionIdentifierType: [ItemIdentifierType]] = [:]
  /// The items that have changed.
  private(set) var marked: [ItemIdentifierType] = []

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
  // They must be there; the framework raises an exception where they are not.
  mutating func mark(_ identifiers: [ItemIdentifierType]) {
    precondition(Set(identifiers).isSubset(of: itemIdentifiers), "An item that has changed is not in the snapshot")
    marked += identifiers
  }

  func hasSamePlaces(as other: Self) -> Bool {
    sectionIdentifiers == other.sectionIdentifiers
      && sectionIdentifiers.allSatisfy { itemIdentifiers(inSection: $0) == other.itemIdentifiers(inSection: $0) }
  }

  func path(of item: ItemIdentifierType) -> IndexPath? {
    for (section, id) in sectionIdentifiers.enumerated() {
      if let index = items[id]?.firstIndex(of: item) { return IndexPath(item: index, section: section) }
    }
    return nil
  }

  func item(at path: IndexPath) -> ItemIdentifierType? {
    let items = itemIdentifiers(inSection: sectionIdentifiers[path.section])
    return items.indices.contains(path.item) ? items[path.item] : nil
  }
}

/// What the data sources by identity of tables and collections have in common. Nothing of this exists in the frameworks under
/// this name.
@MainActor
open class StandInDiffableSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject {
  private(set) var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()
  /// Whether each snapshot was applied animated, for tests.
  public private(set) var applied: [Bool] = []

  /// What is displayed.
  public func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { current }
  /// What is displayed at a place.
  open func itemIdentifier(for path: IndexPath) -> ItemIdentifierType? { current.item(at: path) }
  /// Displays a snapshot: here by loading the view anew, unless all items have their places.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animatingDifferences: Bool,
    completion: (() -> Void)? = nil
  ) {
    let former = current
    current = snapshot
    applied.append(animatingDifferences)
    display(configuring: snapshot.hasSamePlaces(as: former) ? snapshot.marked.compactMap(snapshot.path) : nil)
    completion?()
  }

  /// Displays the snapshot.
  ///
  /// - Parameter changed: The places of the items that have changed; nil where everything is to be loaded anew.
  func display(configuring changed: [IndexPath]?) {}
}

extension IndexPath {
  /// The path of an item.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  /// The section.
  public var section: Int { self[0] }
  /// The item.
  public var item: Int { self[1] }
}
