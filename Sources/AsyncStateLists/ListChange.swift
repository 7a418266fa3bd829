// SPDX-License-Identifier: MIT
import AsyncState

/// The place of a row in a list: its section, and its row within that section.
public struct ListPath: Hashable, Comparable, Sendable {
  /// The section, counted from 0. A list without sections has one, number 0.
  public var section: Int

  /// The row within the section, counted from 0.
  public var row: Int

  /// The place of a row.
  public init(section: Int = 0, row: Int) {
    self.section = section
    self.row = row
  }

  /// Whether the left place is first, from the top of the list.
  public static func < (left: ListPath, right: ListPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

/// A section of a list: rows under a common header.
public struct ListSection<Item> {
  /// Identifies the section when the list changes. Two sections of one list have different identifiers.
  public var id: AnyHashable

  /// The rows of the section, in order.
  public var items: [Item]

  /// A section with these rows.
  public init(id: some Hashable, items: [Item]) {
    self.id = AnyHashable(id)
    self.items = items
  }
}

/// How a list differs from the list that the view shows, as a table or collection view counts rows.
///
/// The view calls ``apply()`` as the first thing inside its own update. Until then the data source serves the former
/// list, as the view expects:
///
/// ```swift
/// token = source.observeChanges { [tableView] change in
///   tableView.performBatchUpdates {
///     guard change.apply() else { return }
///     tableView.deleteRows(at: change.removals.map(\.indexPath), with: .automatic)
///     tableView.insertRows(at: change.insertions.map(\.indexPath), with: .automatic)
///     for move in change.moves { tableView.moveRow(at: move.from.indexPath, to: move.to.indexPath) }
///   }
/// }
/// ```
///
/// Rows are listed where a section is kept; rows of removed and inserted sections are not listed.
public struct ListChange {
  /// Where a row that is in both lists stands in each of them.
  public struct Places: Hashable, Sendable {
    /// The row's place in the former list.
    public let from: ListPath
    /// The row's place in the new list.
    public let to: ListPath
  }

  let difference: ListDifference
  /// Whether the list has changed inside a call of its view, as ``ListDataSource/inCall(_:)`` says. Update the view when
  /// that call is over: in a task of its own, for example.
  public let isInCall: Bool
  private let outdated: () -> Bool
  private let applyToSource: () -> Bool

  init(
    _ difference: ListDifference, isInCall: Bool, isOutdated: @escaping () -> Bool, apply: @escaping () -> Bool
  ) {
    self.difference = difference
    self.isInCall = isInCall
    outdated = isOutdated
    applyToSource = apply
  }

  /// Whether the items have changed again since: then ``apply()`` does nothing.
  public var isOutdated: Bool { outdated() }

  /// Sections to remove, ascending, as indices into the former list. A section that changes its place among the others
  /// is removed and inserted.
  public var removedSections: [Int] { difference.removedSections }

  /// Sections to insert, ascending, as indices into the new list.
  public var insertedSections: [Int] { difference.insertedSections }

  /// Rows to remove, ascending, as places in the former list.
  public var removals: [ListPath] { difference.removals }

  /// Rows to insert, ascending, as places in the new list.
  public var insertions: [ListPath] { difference.insertions }

  /// Rows to move, because their place among the rows that stay is another one, ascending by their places in the new list.
  public var moves: [Places] { difference.moves }

  /// Rows whose item is another one with the same identity, ascending by their places in the former list. They may move,
  /// too. The same item is the same object for class instances, else `==` where the item is `Equatable`, else never.
  public var updates: [Places] { difference.updates }

  /// Makes the data source serve the new list. Call it inside the view's update, before anything else.
  ///
  /// - Returns: False if the change is outdated because the items have changed again since; nothing is applied then, and
  ///   the update must be skipped. The later change starts from the list that is served now.
  @discardableResult
  public func apply() -> Bool {
    applyToSource()
  }
}

extension ListPath: CustomStringConvertible {
  /// The section and the row, as in `0.3`.
  public var description: String { "\(section).\(row)" }
}

extension ListSection: CustomStringConvertible {
  /// The identity and the number of items, as in `fruit: 3 items`.
  public var description: String { "\(id): \(brief(valueOf: items))" }
}

extension ListChange: CustomStringConvertible {
  /// The numbers of what changes, as in `2 insertions, 1 move`.
  public var description: String {
    let counts = [
      (removedSections.count, "removed section"), (insertedSections.count, "inserted section"),
      (removals.count, "removal"), (insertions.count, "insertion"), (moves.count, "move"), (updates.count, "update"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return words.isEmpty ? "no change" : words.joined(separator: ", ")
  }
}
