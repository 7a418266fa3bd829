/// The rows of a list, taken out of the controller that shows them.
///
/// The items are an observed value: what a row shows is always what they are by now.
public final class ListDataSource<Item, Cell> {
  private let items: Observed<[Item]>
  private let dequeue: (Int) -> Cell
  private let configure: (Cell, Item) -> Void

  /// A data source over items that change.
  ///
  /// - Parameters:
  ///   - items: The rows, in order.
  ///   - dequeue: Gets a cell for the row at an index.
  ///   - configure: Makes a cell show an item.
  public init(
    items: Observed<[Item]>, dequeue: @escaping (_ index: Int) -> Cell, configure: @escaping (Cell, Item) -> Void
  ) {
    self.items = items
    self.dequeue = dequeue
    self.configure = configure
  }

  /// A data source over items that never change.
  ///
  /// - Parameters:
  ///   - items: The rows, in order.
  ///   - dequeue: Gets a cell for the row at an index.
  ///   - configure: Makes a cell show an item.
  public convenience init(
    items: [Item], dequeue: @escaping (_ index: Int) -> Cell, configure: @escaping (Cell, Item) -> Void
  ) {
    self.init(items: .constant(items), dequeue: dequeue, configure: configure)
  }

  /// How many rows there are.
  public var count: Int { items.value.count }

  /// The item of the row at `index`. An index out of range stops with a message.
  public func item(at index: Int) -> Item {
    let items = items.value
    guard items.indices.contains(index) else {
      // Not a precondition: a release build would stop without the message.
      fatalError(
        """
        AsyncState: ListDataSource was asked for the row at index \(index), and it has \(items.count). The list shows \
        rows that are gone: reload it, or apply the difference that observeChanges tells, before it asks.
        """)
    }
    return items[index]
  }

  /// A cell for the row at `index`: dequeued for it, and configured once with its item. An index out of range stops
  /// with a message.
  public func cell(at index: Int) -> Cell {
    let item = item(at: index)
    let cell = dequeue(index)
    configure(cell, item)
    return cell
  }
}

extension ListDataSource where Item: Hashable {
  /// Calls `body` with each change of the items, as what is to be removed and inserted. Not for an equal list.
  ///
  /// - Returns: The observation, which ends when the token is cancelled or let go.
  public func observeChanges(_ body: @escaping (CollectionDifference<Item>) -> Void) -> ObservationToken {
    var shown: [Item]?
    return items.observe { items in
      // The first call is not a change: that is what the list shows.
      let difference = shown.map { ListDifference.between($0, items) }
      shown = items
      if let difference, !difference.isEmpty { body(difference) }
    }
  }
}
