// SPDX-License-Identifier: MIT
/// A view that a collection uses again.
@MainActor
open class UICollectionReusableView: UIView {
  /// A view. Collections create them.
  public required override init(frame: CGRect) { super.init(frame: frame) }
  /// Not used here.
  public required init?(coder: NSCoder) { nil }
  /// The view is about to be used for another item. Called inside dequeue, and not by `reconfigureItems`.
  open func prepareForReuse() {}
}

/// A cell of a collection.
@MainActor
open class UICollectionViewCell: UICollectionReusableView {
  private var content = CellContent()
  /// Where its content belongs.
  public var contentView: UIView { content.view }
  /// What the content view shows. Sets another content view, or that of a view which supports it.
  public var contentConfiguration: (any UIContentConfiguration)? {
    get { content.configuration }
    set { content.set(newValue, in: self) }
  }
  /// Whether a finger is on the cell.
  open var isHighlighted: Bool {
    get { content.isOn(\.isHighlighted) }
    set { content.change(\.isHighlighted, to: newValue, in: self) }
  }
  /// Whether the cell is selected.
  open var isSelected: Bool {
    get { content.isOn(\.isSelected) }
    set { content.change(\.isSelected, to: newValue, in: self) }
  }
  /// A cell. Collections create them.
  public required init(frame: CGRect) {
    super.init(frame: frame)
    addSubview(contentView)
  }
  /// Not used here.
  public required init?(coder: NSCoder) { nil }
}

/// The items of a collection.
@MainActor
public protocol UICollectionViewDataSource: AnyObject {
  /// How many sections there are.
  func numberOfSections(in collectionView: UICollectionView) -> Int
  /// How many items a section has.
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
  /// The cell of an item.
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
}

extension UICollectionViewDataSource {
  /// One.
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
}

/// What a collection reports. All requirements are optional in UIKit.
@MainActor
public protocol UICollectionViewDelegate: AnyObject {
  /// A cell is about to be visible.
  func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath)
  /// A cell is not visible any more.
  func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt indexPath: IndexPath)
  /// The user has selected an item.
  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
}

extension UICollectionViewDelegate {
  /// Optional.
  public func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
  ) {}
  /// Optional.
  public func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt indexPath: IndexPath
  ) {}
  /// Optional.
  public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {}
}

/// How a collection lays out its items.
@MainActor
open class UICollectionViewLayout: NSObject {
  /// A layout.
  public override init() { super.init() }
}

/// A collection of items.
@MainActor
open class UICollectionView: UIScrollView {
  /// The items.
  public weak var dataSource: (any UICollectionViewDataSource)?
  /// Who is notified.
  public weak var delegate: (any UICollectionViewDelegate)?
  let engine = ListEngine<UICollectionViewCell>()

  /// A collection.
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    super.init(frame: frame)
    engine.view = self
    engine.counts = { [weak self] in
      guard let self, let source = dataSource else { return [] }
      return (0..<source.numberOfSections(in: self)).map { source.collectionView(self, numberOfItemsInSection: $0) }
    }
    engine.makeCell = { [weak self] path in self.flatMap { $0.dataSource?.collectionView($0, cellForItemAt: path) } }
    engine.willDisplay = { [weak self] cell, path in
      if let self { delegate?.collectionView(self, willDisplay: cell, forItemAt: path) }
    }
    engine.didEndDisplaying = { [weak self] cell, path in
      if let self { delegate?.collectionView(self, didEndDisplaying: cell, forItemAt: path) }
    }
    engine.prepareForReuse = { $0.prepareForReuse() }
  }

  /// Not used here.
  public required init?(coder: NSCoder) { nil }

  /// When a cell that is displayed is measured again.
  public enum SelfSizingInvalidation: Int, Sendable {
    /// Never.
    case disabled
    /// After `invalidateIntrinsicContentSize()` of the cell or its content view, or another configuration.
    case enabled
    /// When its constraints result in another size, too.
    case enabledIncludingConstraints
  }
  /// When a cell that is displayed is measured again.
  public var selfSizingInvalidation = SelfSizingInvalidation.enabled
  /// Says which class the cells of an identifier have.
  public func register(_ cellClass: UICollectionViewCell.Type, forCellWithReuseIdentifier identifier: String) {
    engine.register(identifier) { cellClass.init(frame: .zero) }
  }
  /// A cell for an item.
  public func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath)
    -> UICollectionViewCell
  {
    engine.dequeue(identifier, for: indexPath)
  }
  /// How many items a section has.
  public func numberOfItems(inSection section: Int) -> Int { engine.grid[section].count }
  /// The cell of an item; nil if it is not visible.
  public func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { engine.cell(at: indexPath) }
  /// The items that are visible.
  public var indexPathsForVisibleItems: [IndexPath] { engine.visiblePaths }
  override func enteredWindow() {
    super.enteredWindow()
    StandIn.sizingLists.append(StandIn.WeakList(view: self))
    engine.enteredWindow()
  }
  /// Reads everything anew.
  public func reloadData() { engine.reload() }
  /// How many batches there were, for tests.
  public private(set) var batches = 0
  /// Makes several changes as one.
  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    batches += 1
    engine.perform { updates?() }
    completion?(true)
  }
  /// Inserts items.
  public func insertItems(at indexPaths: [IndexPath]) { engine.note(indexPaths.map { .insert($0) }) }
  /// Removes items.
  public func deleteItems(at indexPaths: [IndexPath]) { engine.note(indexPaths.map { .delete($0) }) }
  /// Configures the cells of items again, without another cell.
  public func reconfigureItems(at indexPaths: [IndexPath]) { engine.note(indexPaths.map { .reconfigure($0) }) }
  /// Moves an item.
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    engine.note([.move(indexPath, newIndexPath)])
  }
  /// Inserts sections.
  public func insertSections(_ sections: IndexSet) { engine.note(sections.map { .insertSection($0) }) }
  /// Removes sections.
  public func deleteSections(_ sections: IndexSet) { engine.note(sections.map { .deleteSection($0) }) }
  /// Moves a section.
  public func moveSection(_ section: Int, toSection newSection: Int) {
    engine.note([.moveSection(section, newSection)])
  }
  /// Scrolls, so that this many items are above. Nothing of this exists in UIKit under this name.
  public func scroll(to itemsAbove: Int) { engine.scroll(to: itemsAbove) }
  /// How many items fit. Nothing of this exists in UIKit.
  public var visibleCount: Int {
    get { engine.visibleCount }
    set { engine.visibleCount = newValue }
  }
}

extension UICollectionView: SelfSizingList {
  func measureRows() {
    if selfSizingInvalidation == .enabledIncludingConstraints { engine.measureRows() }
  }
}
