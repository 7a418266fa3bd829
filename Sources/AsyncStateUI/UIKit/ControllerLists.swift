#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  /// Fills a table with rows that are controllers, and keeps it up to date.
  ///
  /// ```swift
  /// rows = TableRows(in: tableView, items: feed.observed.map { $0.value?.items ?? [] }) { PostController() }
  /// ```
  ///
  /// It is the data source and the delegate of the table; keep it as long as that. Changes are applied as differences
  /// while the table is in a window.
  @MainActor
  public final class TableRows<Controller: RowController>: NSObject, UITableViewDataSource, UITableViewDelegate {
    private let source: ListDataSource<Controller.Model, UITableViewCell>
    private var changes: ObservationToken?

    /// Called with the path of a row that is about to be visible: the moment to request another page.
    public var onDisplay: ((ListPath) -> Void)?
    /// Called with the path of a row that the user has selected.
    public var onSelect: ((ListPath) -> Void)?

    /// Rows in one section.
    ///
    /// - Parameters:
    ///   - table: What displays the rows.
    ///   - parent: The parent of controllers that are view controllers.
    ///   - items: What the rows show.
    ///   - cancelsLoadWhenHidden: Whether a row's load is cancelled when it is not visible any more.
    ///   - create: Creates a controller, once for each cell.
    public convenience init(
      in table: UITableView, of parent: UIViewController? = nil, items: Observed<[Controller.Model]>,
      cancelsLoadWhenHidden: Bool = false, create: @escaping () -> Controller
    ) {
      self.init(
        in: table, of: parent, sections: items.map { [ListSection(id: 0, items: $0)] },
        cancelsLoadWhenHidden: cancelsLoadWhenHidden, create: create)
    }

    /// Rows in sections.
    ///
    /// - Parameters:
    ///   - table: What displays the rows.
    ///   - parent: The parent of controllers that are view controllers.
    ///   - sections: What the rows of each section show.
    ///   - cancelsLoadWhenHidden: Whether a row's load is cancelled when it is not visible any more.
    ///   - create: Creates a controller, once for each cell.
    public init(
      in table: UITableView, of parent: UIViewController? = nil,
      sections: Observed<[ListSection<Controller.Model>]>, cancelsLoadWhenHidden: Bool = false,
      create: @escaping () -> Controller
    ) {
      let identifier = "\(ControllerCell<Controller>.self)"
      table.register(ControllerCell<Controller>.self, forCellReuseIdentifier: identifier)
      source = ListDataSource(
        sections: sections,
        dequeue: { [weak table] in
          table?.dequeueReusableCell(withIdentifier: identifier, for: $0.indexPath) ?? UITableViewCell()
        },
        configure: { [weak parent] cell, model in
          (cell as? ControllerCell<Controller>)?.show(
            model, in: parent, cancelsLoadWhenHidden: cancelsLoadWhenHidden, create: create)
        })
      super.init()
      table.dataSource = self
      table.delegate = self
      changes = source.observeChanges { [weak table] change in table?.apply(change) }
      table.reloadData()
    }

    /// How many sections there are.
    public func numberOfSections(in tableView: UITableView) -> Int { source.sections.count }

    /// How many rows a section has.
    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      source.sections[section].items.count
    }

    /// The cell of a row.
    public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      source.cell(at: ListPath(indexPath))
    }

    /// A cell is about to be visible.
    public func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {
      (cell as? any CellDisplay)?.willDisplay()
      onDisplay?(ListPath(indexPath))
    }

    /// A cell is not visible any more.
    public func tableView(
      _ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) {
      (cell as? any CellDisplay)?.didEndDisplaying()
    }

    /// The user has selected a row.
    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      onSelect?(ListPath(indexPath))
    }
  }

  /// Fills a collection with items that are controllers, and keeps it up to date, as ``TableRows`` does for a table.
  @MainActor
  public final class CollectionItems<Controller: RowController>: NSObject, UICollectionViewDataSource,
    UICollectionViewDelegate
  {
    private let source: ListDataSource<Controller.Model, UICollectionViewCell>
    private var changes: ObservationToken?

    /// Called with the path of an item that is about to be visible: the moment to request another page.
    public var onDisplay: ((ListPath) -> Void)?
    /// Called with the path of an item that the user has selected.
    public var onSelect: ((ListPath) -> Void)?

    /// Items in sections. A collection without sections has one: `items.map { [ListSection(id: 0, items: $0)] }`.
    ///
    /// - Parameters:
    ///   - collection: What displays the items.
    ///   - parent: The parent of controllers that are view controllers.
    ///   - sections: What the items of each section show.
    ///   - cancelsLoadWhenHidden: Whether an item's load is cancelled when it is not visible any more.
    ///   - create: Creates a controller, once for each cell.
    public init(
      in collection: UICollectionView, of parent: UIViewController? = nil,
      sections: Observed<[ListSection<Controller.Model>]>, cancelsLoadWhenHidden: Bool = false,
      create: @escaping () -> Controller
    ) {
      let identifier = "\(ControllerItem<Controller>.self)"
      collection.register(ControllerItem<Controller>.self, forCellWithReuseIdentifier: identifier)
      source = ListDataSource(
        sections: sections,
        dequeue: { [weak collection] in
          collection?.dequeueReusableCell(withReuseIdentifier: identifier, for: $0.indexPath) ?? UICollectionViewCell()
        },
        configure: { [weak parent] cell, model in
          (cell as? ControllerItem<Controller>)?.show(
            model, in: parent, cancelsLoadWhenHidden: cancelsLoadWhenHidden, create: create)
        })
      super.init()
      collection.dataSource = self
      collection.delegate = self
      changes = source.observeChanges { [weak collection] change in collection?.apply(change) }
      collection.reloadData()
    }

    /// How many sections there are.
    public func numberOfSections(in collectionView: UICollectionView) -> Int { source.sections.count }

    /// How many items a section has.
    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      source.sections[section].items.count
    }

    /// The cell of an item.
    public func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      source.cell(at: ListPath(indexPath))
    }

    /// A cell is about to be visible.
    public func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
    ) {
      (cell as? any CellDisplay)?.willDisplay()
      onDisplay?(ListPath(indexPath))
    }

    /// A cell is not visible any more.
    public func collectionView(
      _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt indexPath: IndexPath
    ) {
      (cell as? any CellDisplay)?.didEndDisplaying()
    }

    /// The user has selected an item.
    public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
      onSelect?(ListPath(indexPath))
    }
  }
#endif
