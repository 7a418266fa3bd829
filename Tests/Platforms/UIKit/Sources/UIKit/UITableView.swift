// SPDX-License-Identifier: MIT
/// A cell of a table.
@MainActor
open class UITableViewCell: UIView {
  /// How a cell looks.
  public enum CellStyle: Int, Sendable {
    /// A text.
    case `default`
  }
  /// What kind of row it is for.
  public let reuseIdentifier: String?
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

  /// A cell. Tables create them.
  public required init(style: CellStyle, reuseIdentifier: String?) {
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
    addSubview(contentView)
  }

  /// Not used here.
  public required init?(coder: NSCoder) { nil }

  /// The cell is about to be used for another row. Called inside dequeue.
  open func prepareForReuse() {}
}

/// The rows of a table.
@MainActor
public protocol UITableViewDataSource: AnyObject {
  /// How many sections there are.
  func numberOfSections(in tableView: UITableView) -> Int
  /// How many rows a section has.
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  /// The cell of a row.
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
}

extension UITableViewDataSource {
  /// One.
  public func numberOfSections(in tableView: UITableView) -> Int { 1 }
}

/// What a table reports. All requirements are optional in UIKit.
@MainActor
public protocol UITableViewDelegate: AnyObject {
  /// A cell is about to be visible.
  func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath)
  /// A cell is not visible any more.
  func tableView(_ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath)
  /// The user has selected a row.
  func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
}

extension UITableViewDelegate {
  /// Optional.
  public func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {}
  /// Optional.
  public func tableView(
    _ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {}
  /// Optional.
  public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
}

/// A table of rows.
@MainActor
open class UITableView: UIScrollView {
  /// How a row moves.
  public enum RowAnimation: Int, Sendable {
    /// As the system likes.
    case automatic = 100
    /// Not at all.
    case none = 5
  }
  /// The rows.
  public weak var dataSource: (any UITableViewDataSource)?
  /// Who is notified.
  public weak var delegate: (any UITableViewDelegate)?
  let engine = ListEngine<UITableViewCell>()
  /// What is below the rows. It is as high as its frame.
  public var tableFooterView: UIView? {
    didSet {
      oldValue?.removeFromSuperview()
      if let tableFooterView {
        StandIn.require(tableFooterView.frame.height > 0, .documented, "A table's footer has no height")
        addSubview(tableFooterView)
      }
    }
  }

  /// A table.
  public override init(frame: CGRect = .zero) {
    super.init(frame: frame)
    engine.view = self
    engine.counts = { [weak self] in
      guard let self, let dataSource else { return [] }
      return (0..<dataSource.numberOfSections(in: self)).map { dataSource.tableView(self, numberOfRowsInSection: $0) }
    }
    engine.makeCell = { [weak self] path in self.flatMap { $0.dataSource?.tableView($0, cellForRowAt: path) } }
    engine.willDisplay = { [weak self] cell, path in
      if let self { delegate?.tableView(self, willDisplay: cell, forRowAt: path) }
    }
    engine.didEndDisplaying = { [weak self] cell, path in
      if let self { delegate?.tableView(self, didEndDisplaying: cell, forRowAt: path) }
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
  /// The height of a row; nil for one that is not visible. Nothing of this exists in UIKit under this name.
  public func heightOfRow(at path: IndexPath) -> CGFloat? { engine.height(at: path) }

  /// Says which class the cells of an identifier have.
  public func register(_ cellClass: UITableViewCell.Type, forCellReuseIdentifier identifier: String) {
    engine.register(identifier) { cellClass.init(style: .default, reuseIdentifier: identifier) }
  }
  /// A cell for a row.
  public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
    engine.dequeue(identifier, for: indexPath)
  }
  /// How many rows a section has.
  public func numberOfRows(inSection section: Int) -> Int { engine.grid[section].count }
  /// How many sections there are.
  public var numberOfSections: Int { engine.grid.count }
  /// The cell of a row; nil if it is not visible.
  public func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { engine.cell(at: indexPath) }
  /// The rows that are visible.
  public var indexPathsForVisibleRows: [IndexPath]? { engine.visiblePaths }

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
  /// Inserts rows.
  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    engine.note(indexPaths.map { .insert($0) })
  }
  /// Removes rows.
  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    engine.note(indexPaths.map { .delete($0) })
  }
  /// Configures the cells of rows again, without another cell.
  public func reconfigureRows(at indexPaths: [IndexPath]) { engine.note(indexPaths.map { .reconfigure($0) }) }
  /// Moves a row.
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    engine.note([.move(indexPath, newIndexPath)])
  }
  /// Inserts sections.
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    engine.note(sections.map { .insertSection($0) })
  }
  /// Removes sections.
  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    engine.note(sections.map { .deleteSection($0) })
  }
  /// Moves a section.
  public func moveSection(_ section: Int, toSection newSection: Int) {
    engine.note([.moveSection(section, newSection)])
  }

  // MARK: For tests

  /// Scrolls, so that this many rows are above. Nothing of this exists in UIKit under this name.
  public func scroll(to rowsAbove: Int) { engine.scroll(to: rowsAbove) }
  /// How many rows fit. Nothing of this exists in UIKit.
  public var visibleCount: Int {
    get { engine.visibleCount }
    set { engine.visibleCount = newValue }
  }
}

extension UITableView: SelfSizingList {
  func measureRows() {
    if selfSizingInvalidation == .enabledIncludingConstraints { engine.measureRows() }
  }
}

/// A list that measures its rows.
@MainActor
protocol SelfSizingList: AnyObject {
  func measureRows()
}

/// A controller of a table.
@MainActor
open class UITableViewController: UIViewController {
  /// The table, which is the view.
  public let tableView: UITableView! = UITableView()
  /// The table.
  open override func loadView() { view = tableView }
}

extension IndexPath {
  /// The path of a row.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  /// The row.
  public var row: Int { self[1] }
}
