// SPDX-License-Identifier: MIT
/// The order of items in lanes: those of one lane run one after another, lanes run beside one another.
///
/// To enter and to leave a lane takes constant time, averaged over many calls, however many wait in it.
struct Lanes<Lane: Hashable, Item: LaneItem> {
  private struct Row {
    var running: Item
    var waiting = WaitingLine<Item>()
  }

  private var rows: [Lane: Row] = [:]

  /// True if nothing runs, so that nothing waits either.
  var isEmpty: Bool { rows.isEmpty }

  /// The item that has the lane; nil if it is free.
  subscript(lane: Lane) -> Item? { rows[lane]?.running }

  /// The last item that entered a lane, of those that are not over; without one, the item that has the lane.
  func last(of lane: Lane) -> Item? {
    rows[lane].map { row in row.waiting.last { !$0.isOver } ?? row.running }
  }

  /// - Returns: True if the item has the lane at once. If not, ``leave(_:)`` returns it in its turn.
  mutating func enter(_ item: Item, in lane: Lane) -> Bool {
    guard let row = rows.index(forKey: lane) else {
      rows[lane] = Row(running: item)
      return true
    }
    rows.values[row].waiting.append(item) { $0.isOver }
    return false
  }

  /// Gives the lane to an item that supersedes the one that has it.
  mutating func take(_ lane: Lane, by item: Item) {
    if rows[lane] == nil { rows[lane] = Row(running: item) } else { rows[lane]?.running = item }
  }

  /// Removes the item that has the lane, because it has ended.
  ///
  /// - Returns: The item that has it next. One that is over does not take it.
  mutating func leave(_ lane: Lane) -> Item? {
    guard let row = rows.index(forKey: lane) else { return nil }
    while let next = rows.values[row].waiting.takeFirst() {
      guard !next.isOver else { continue }
      rows.values[row].running = next
      return next
    }
    rows.remove(at: row)
    return nil
  }

  /// An item, and all that must leave its lane before it.
  func upTo(_ item: Item, in lane: Lane) -> [Item] {
    guard let row = rows[lane], let waiting = row.waiting.upTo({ $0 === item }) else { return [item] }
    return [row.running] + waiting
  }

  /// Removes and returns all that wait: those of one lane in order.
  mutating func takeWaiting() -> [Item] {
    var taken: [Item] = []
    for lane in rows.keys { while let next = rows[lane]?.waiting.takeFirst() { taken.append(next) } }
    return taken
  }
}

/// An item that runs in a lane, or waits for it.
protocol LaneItem: AnyObject {
  /// True if it must not be started any more.
  var isOver: Bool { get }
}
