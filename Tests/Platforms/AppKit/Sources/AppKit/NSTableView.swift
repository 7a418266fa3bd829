// SPDX-License-Identifier: MIT
/// What identifies a kind of view.
public struct NSUserInterfaceItemIdentifier: RawRepresentable, Hashable, Sendable {
  /// The text.
  public let rawValue: String
  /// An identifier.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// An identifier.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A column of a table.
@MainActor
open class NSTableColumn: NSObject {}

/// How many rows there are. All requirements are optional in AppKit. Declared as documented: it belongs to no actor.
public protocol NSTableViewDataSource: NSObjectProtocol {
  /// How many rows there are.
  func numberOfRows(in tableView: NSTableView) -> Int
}

/// The view of a row, which contains those of its columns.
@MainActor
open class NSTableRowView: NSView {}

/// What the rows look like. All requirements are optional in AppKit.
@MainActor
public protocol NSTableViewDelegate: NSObjectProtocol {
  /// The view of a row.
  func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView?
  /// A row has no view any more. The row is less than zero where it was removed from the table.
  func tableView(_ tableView: NSTableView, didRemove rowView: NSTableRowView, forRow row: Int)
}

extension NSTableViewDelegate {
  /// Optional.
  public func tableView(_ tableView: NSTableView, didRemove rowView: NSTableRowView, forRow row: Int) {}
}

/// A view-based table with one column, of which some rows are visible.
///
/// Apple documents that each removal and insertion counts from the one before it, and that the numbers must agree with
/// the data source at `endUpdates()`; AppKit raises an exception, or draws nonsense, where they do not.
@MainActor
open class NSTableView: NSView {
  /// How rows come and go.
  public struct AnimationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// They fade.
    public static let effectFade = AnimationOptions(rawValue: 1)
  }

  /// How many rows there are.
  open weak var dataSource: (any NSTableViewDataSource)?
  /// What they look like.
  open weak var delegate: (any NSTableViewDelegate)?
  private let column = NSTableColumn()
  private let rowView = NSTableRowView(frame: .zero)
  private var rows: [NSView?] = []
  private var updates = 0
  private var unused: [NSUserInterfaceItemIdentifier: [NSView]] = [:]
  private var firstVisible = 0
  /// The table makes and retires the views of its rows.
  private var isDisplaying = false
  /// How many rows fit. Nothing of this exists in AppKit.
  public var visibleCount = 5

  /// A table.
  public override init(frame: NSRect) { super.init(frame: frame) }
  /// Not used here.
  public required init?(coder: NSCoder) { nil }

  /// How many rows are shown.
  public var numberOfRows: Int { rows.count }
  /// The view of a row; nil for one that is not visible, unless it is to be made.
  public func view(atColumn column: Int, row: Int, makeIfNecessary: Bool) -> NSView? { rows[row] }

  /// Calls `handler` for each row that has a view, also for those outside of the visible part.
  public func enumerateAvailableRowViews(_ handler: (NSTableRowView, Int) -> Void) {
    for row in rows.indices where rows[row] != nil { handler(rowView, row) }
  }

  /// A view that was used before, or nil. In AppKit also one from a nib.
  public func makeView(withIdentifier identifier: NSUserInterfaceItemIdentifier, owner: Any?) -> NSView? {
    let view = unused[identifier]?.popLast()
    view?.isPrepared = false
    view?.prepareForReuse()
    StandIn.require(view?.isPrepared != false, .documented, "prepareForReuse of a view did not call super")
    return view
  }

  /// Reads everything anew.
  public func reloadData() {
    requireFree("reloadData")
    for row in rows.indices { retire(row) }
    rows = Array(repeating: nil, count: dataSource?.numberOfRows(in: self) ?? 0)
    display()
  }

  /// Makes the views of rows anew.
  public func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {
    StandIn.require(
      rowIndexes.allSatisfy(rows.indices.contains), .strict, "reloadData of a row that the table does not have")
    requireFree("reloadData")
    for row in rowIndexes where rows.indices.contains(row) { retire(row) }
    display()
  }

  /// Several updates follow.
  public func beginUpdates() {
    requireFree("beginUpdates")
    updates += 1
  }
  /// The updates are complete.
  public func endUpdates() {
    updates -= 1
    StandIn.require(updates >= 0, .strict, "endUpdates without beginUpdates")
    display()
  }

  /// Removes rows, which count after the updates before.
  public func removeRows(at indexes: IndexSet, withAnimation: AnimationOptions = []) {
    for index in indexes.reversed() {
      guard rows.indices.contains(index) else {
        StandIn.require(false, .assertion, "removeRows of row \(index), which the table does not have")
        continue
      }
      retire(index)
      rows.remove(at: index)
    }
    display()
  }

  /// Inserts rows, which count after the insertion.
  public func insertRows(at indexes: IndexSet, withAnimation: AnimationOptions = []) {
    for index in indexes {
      StandIn.require(index <= rows.count, .assertion, "insertRows of row \(index) into \(rows.count) rows")
      rows.insert(nil, at: min(index, rows.count))
    }
    display()
  }

  /// Moves a row, which keeps its view: as if it was removed and then inserted, each counting after the updates before.
  public func moveRow(at oldIndex: Int, to newIndex: Int) {
    guard rows.indices.contains(oldIndex), rows.indices.contains(newIndex) else {
      return StandIn.require(false, .assertion, "moveRow from \(oldIndex) to \(newIndex) of \(rows.count) rows")
    }
    rows.insert(rows.remove(at: oldIndex), at: newIndex)
    display()
  }

  /// Scrolls, so that this many rows are above. Nothing of this exists in AppKit under this name.
  public func scroll(to row: Int) {
    firstVisible = row
    display()
  }

  // AppKit writes to the log, and may raise an exception, where a table is updated in a call of its own.
  private func requireFree(_ update: String) {
    StandIn.require(!isDisplaying, .assertion, "\(update) inside a call of the table itself")
  }

  private func retire(_ row: Int) {
    guard let view = rows[row] else { return }
    rows[row] = nil
    view.removeFromSuperview()
    if let identifier = view.identifier { unused[identifier, default: []].append(view) }
    let wasDisplaying = isDisplaying
    isDisplaying = true
    delegate?.tableView(self, didRemove: rowView, forRow: row)
    isDisplaying = wasDisplaying
  }

  private func display() {
    guard updates == 0, window != nil else { return }
    let count = dataSource?.numberOfRows(in: self) ?? 0
    StandIn.require(count == rows.count, .strict, "The data source has \(count) rows, the table shows \(rows.count)")
    let visible = firstVisible..<firstVisible + visibleCount
    isDisplaying = true
    defer { isDisplaying = false }
    for row in rows.indices where !visible.contains(row) { retire(row) }
    for row in rows.indices where visible.contains(row) && rows[row] == nil {
      guard let view = delegate?.tableView(self, viewFor: column, row: row) else { continue }
      rows[row] = view
      addSubview(view)
    }
  }

  open override func viewDidMoveToWindow() {
    super.viewDidMoveToWindow()
    if window != nil, rows.isEmpty { reloadData() }
  }
}
