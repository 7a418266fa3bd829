// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import AsyncStateLists
  public import UIKit

  /// Connects a `ListDataSource` with a list of UIKit: see ``TableRows`` and ``CollectionItems``.
  @MainActor
  public class ListAdapter<Item, Cell>: NSObject {
    /// Called with the path of a row that is about to be visible.
    public var onDisplay: ((ListPath) -> Void)?
    /// Called with the path of a row that the user has selected.
    public var onSelect: ((ListPath) -> Void)?
    let source: ListDataSource<Item, Cell>
    private var changes: ObservedToken?
    private let visiblePaths: () -> [IndexPath]
    private var report = PageReport()

    init(
      _ source: ListDataSource<Item, Cell>, visiblePaths: @escaping () -> [IndexPath],
      follow: @escaping (_ change: ListChange, _ then: @escaping @MainActor () -> Void) -> Void
    ) {
      self.source = source
      self.visiblePaths = visiblePaths
      super.init()
      changes = source.observeChanges { [weak self] change in follow(change) { self?.reportRows() } }
    }

    /// Says to a resource which rows are displayed, from now on: it requests the pages that they want. The rows are those of
    /// its items, in all sections.
    ///
    /// ```swift
    /// rows = TableRows(source, in: tableView)
    /// rows?.requestPages(of: feed)
    /// ```
    ///
    /// - Parameters:
    ///   - feed: The list in pages. It is not kept.
    ///   - threshold: The number of rows from an end within which its page is wanted.
    public func requestPages<Element, Cursor>(of feed: AsyncResource<Paged<Element, Cursor>>, threshold: Int = 3) {
      report.follow(feed, in: self, threshold: threshold)
      reportRows()
    }

    /// - Parameter path: A row that is about to be visible.
    private func reportRows(and path: IndexPath? = nil) {
      report.report(visiblePaths().map(number), and: path.map(number))
    }

    private func number(of path: IndexPath) -> Int {
      source.sections.prefix(path.section).reduce(path.item) { $0 + $1.items.count }
    }

    func willDisplay(_ content: UIView, at path: IndexPath) {
      source.inCall {
        (content as? any CellDisplay)?.willDisplay()
        onDisplay?(ListPath(path))
        reportRows(and: path)
      }
    }

    func didEndDisplaying(_ content: UIView) {
      source.inCall {
        (content as? any CellDisplay)?.didEndDisplaying()
        reportRows()
      }
    }
  }

  /// Fills a table with the rows of a data source, and keeps it up to date.
  ///
  /// ```swift
  /// rows = TableRows(source, in: tableView)
  /// ```
  ///
  /// It is the data source and the delegate of the table; keep it as long as that. Changes are applied as differences, as by
  /// `apply(_:with:)`; one that is made while a row is displayed or configured follows when the table is done, and one that is
  /// made while the screen is covered when it is back. Rows with a ``ControllerConfiguration`` appear and disappear, and are measured again when their constraints
  /// change.
  public final class TableRows<Item>: ListAdapter<Item, UITableViewCell>, UITableViewDataSource, UITableViewDelegate {
    /// Fills `table` with the rows of `source`.
    public init(_ source: ListDataSource<Item, UITableViewCell>, in table: UITableView) {
      super.init(source, visiblePaths: { [weak table] in table?.indexPathsForVisibleRows ?? [] }) { [weak table] in
        table?.follow($0, then: $1)
      }
      _ = WindowStay.of(table)
      table.measuresRowsAgain()
      table.dataSource = self
      table.delegate = self
      table.reloadData()
    }

    /// How many sections there are.
    public func numberOfSections(in tableView: UITableView) -> Int { source.sections.count }

    /// How many rows a section has.
    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      source.sections[section].items.count
    }

    /// The cell of a row.
    public func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
      source.cell(at: ListPath(path))
    }

    /// A cell is about to be visible.
    public func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt path: IndexPath) {
      willDisplay(cell.contentView, at: path)
    }

    /// A cell is not visible any more.
    public func tableView(_ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt path: IndexPath) {
      didEndDisplaying(cell.contentView)
    }

    /// The user has selected a row.
    public func tableView(_ tableView: UITableView, didSelectRowAt path: IndexPath) { onSelect?(ListPath(path)) }
  }

  /// Fills a collection with the items of a data source, and keeps it up to date, as ``TableRows`` does for a table.
  public final class CollectionItems<Item>:
    ListAdapter<Item, UICollectionViewCell>, UICollectionViewDataSource, UICollectionViewDelegate
  {
    /// Fills `collection` with the items of `source`.
    public init(_ source: ListDataSource<Item, UICollectionViewCell>, in collection: UICollectionView) {
      super.init(source, visiblePaths: { [weak collection] in collection?.indexPathsForVisibleItems ?? [] }) {
        [weak collection] in collection?.follow($0, then: $1)
      }
      _ = WindowStay.of(collection)
      collection.measuresRowsAgain()
      collection.dataSource = self
      collection.delegate = self
      collection.reloadData()
    }

    /// How many sections there are.
    public func numberOfSections(in view: UICollectionView) -> Int { source.sections.count }

    /// How many items a section has.
    public func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      source.sections[section].items.count
    }

    /// The cell of an item.
    public func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath) -> UICollectionViewCell {
      source.cell(at: ListPath(path))
    }

    /// A cell is about to be visible.
    public func collectionView(
      _ view: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt path: IndexPath
    ) { willDisplay(cell.contentView, at: path) }

    /// A cell is not visible any more.
    public func collectionView(
      _ view: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt path: IndexPath
    ) { didEndDisplaying(cell.contentView) }

    /// The user has selected an item.
    public func collectionView(_ view: UICollectionView, didSelectItemAt path: IndexPath) { onSelect?(ListPath(path)) }
  }
#endif
