// SPDX-License-Identifier: MIT
#if canImport(AppKit) && !canImport(UIKit)
  public import AsyncState
  public import AsyncStateLists
  public import AppKit

  /// Fills a view-based table of one column with the rows of a data source, and keeps it up to date.
  ///
  /// ```swift
  /// rows = TableRows(source, in: tableView)
  /// ```
  ///
  /// It is the data source and the delegate of the table; keep it as long as that. Changes are applied as differences; one
  /// that is made while the table makes a row follows when it is done. Rows that stay keep their views and their selection, also
  /// where they have changed or move. The rows of several sections, which AppKit's tables do not have, are those of one list.
  @MainActor
  public final class TableRows<Item>: NSObject, NSTableViewDataSource, NSTableViewDelegate {
    /// Called with a row that is about to be visible.
    public var onDisplay: ((Int) -> Void)?
    private let source: ListDataSource<Item, NSView>
    private var changes: ObservedToken?
    private weak var table: NSTableView?
    private var report = PageReport()

    /// Fills `table` with the rows of `source`.
    public init(_ source: ListDataSource<Item, NSView>, in table: NSTableView) {
      self.source = source
      self.table = table
      super.init()
      changes = source.observeChanges { [weak self, weak table] change in
        ListCall.whenOver(change) { if let table { self?.apply(change, to: table) } }
      }
      table.dataSource = self
      table.delegate = self
      table.reloadData()
    }

    /// Says to a resource which rows are displayed, from now on: it requests the pages that they want. The rows are those of
    /// its items.
    ///
    /// - Parameters:
    ///   - feed: The list in pages. It is not kept.
    ///   - threshold: The number of rows from an end within which its page is wanted.
    public func requestPages<Element, Cursor>(of feed: AsyncResource<Paged<Element, Cursor>>, threshold: Int = 3) {
      report.follow(feed, in: self, threshold: threshold)
      reportRows()
    }

    /// Rows are displayed as long as the table has views for them.
    ///
    /// - Parameter row: A row that gets a view now.
    private func reportRows(and row: Int? = nil) {
      var rows: [Int] = []
      table?.enumerateAvailableRowViews { _, row in if row >= 0 { rows.append(row) } }
      report.report(rows, and: row)
    }

    /// How many rows there are.
    public func numberOfRows(in tableView: NSTableView) -> Int { source.count }

    /// The view of a row.
    public func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView? {
      source.inCall {
        onDisplay?(row)
        reportRows(and: row)
      }
      return source.cell(at: row)
    }

    /// A row is not displayed any more.
    public func tableView(_ tableView: NSTableView, didRemove rowView: NSTableRowView, forRow row: Int) {
      source.inCall { reportRows() }
    }

    private func apply(_ inSections: ListChange, to table: NSTableView) {
      let count = source.count
      let change = inSections.withoutSections
      guard change.apply() else { return }
      defer { reportRows() }
      let removals = IndexSet(change.removals.map(\.row))
      let insertions = IndexSet(change.insertions.map(\.row))
      let stay = (0..<count).filter { !removals.contains($0) }
      table.beginUpdates()
      table.removeRows(at: removals, withAnimation: .effectFade)
      for step in SingleMoves(of: change.moves, among: stay, insertions).steps {
        table.moveRow(at: step.from, to: step.to)
      }
      table.insertRows(at: insertions, withAnimation: .effectFade)
      table.endUpdates()
      for update in change.updates {
        guard let view = table.view(atColumn: 0, row: update.to.row, makeIfNecessary: false) else { continue }
        source.configure(view, at: update.to.row)
      }
    }
  }

  /// The view of a row that has a view controller of its own.
  ///
  /// ```swift
  /// let cell = table.makeView(withIdentifier: identifier, owner: nil) as? ControllerCell<PostViewController>
  /// ```
  public final class ControllerCell<Controller: NSViewController & ReusableController>: NSView {
    private var host: CellHost<Controller>?
    private var ending: AfterRelease?

    /// The controller; nil before the first model.
    public var controller: Controller? { host?.controller }

    /// Shows `model` from now on. A model that is not the previous one ends that first.
    ///
    /// - Parameters:
    ///   - model: What the row shows.
    ///   - parent: The parent of the controller.
    ///   - cancelsLoadWhenHidden: Whether the row's load is cancelled when the cell is not visible any more.
    ///   - create: Creates the controller, once for each cell.
    public func show(
      _ model: Controller.Model, in parent: NSViewController, cancelsLoadWhenHidden: Bool = false,
      create: @escaping () -> Controller
    ) {
      let host = host ?? makeHost(in: parent, cancelsLoadWhenHidden, create)
      self.host = host
      host.configure(with: model)
      if window != nil { host.willDisplay() }
    }

    private func makeHost(
      in parent: NSViewController, _ cancelsLoadWhenHidden: Bool, _ create: @escaping () -> Controller
    ) -> CellHost<Controller> {
      let host = CellHost(cancelsLoadWhenHidden: cancelsLoadWhenHidden) { [weak self, weak parent] in
        let controller = create()
        parent?.addChild(controller)
        if let self {
          addSubview(controller.view)
          controller.view.fill(self)
        }
        return controller
      }
      ending = AfterRelease {
        // Ends the display and the model.
        host.prepareForReuse()
        host.controller?.viewIfLoaded?.removeFromSuperview()
        host.controller?.removeFromParent()
      }
      return host
    }

    /// The controller appears or disappears.
    public override func viewDidMoveToWindow() {
      super.viewDidMoveToWindow()
      ListCall.run { if window == nil { host?.didEndDisplaying() } else { host?.willDisplay() } }
    }

    /// The model ends.
    public override func prepareForReuse() {
      super.prepareForReuse()
      host?.prepareForReuse()
    }
  }
#endif
