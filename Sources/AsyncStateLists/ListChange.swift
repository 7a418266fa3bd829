// SPDX-License-Identifier: MIT
import AsyncState

/// The place of a row in a list: its section, and its row within that section.
public struct ListPath: Hashable, Comparable, Sendable {
  /// The section, counted from 0. A list without sections has one, number 0.
  public var section: Int

  /// The row within the section, counted from 0.
  public var row: Int

  /// Creates the place of a row.
  public init(section: Int = 0, row: Int) {
    self.section = section
    self.row = row
  }

  /// Returns true if the left place is nearer to the top of the list.
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

  /// Creates a section with these rows.
  public init(id: some Hashable, items: [Item]) {
    self.id = AnyHashable(id)
    self.items = items
  }
}

/// The difference between a list and the previous one, which the view shows. It has the rows that a table or collection
/// view expects for an update.
///
/// The view calls ``apply()`` as the first thing inside its own update. Until then the data source serves the previous
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
/// Only rows of sections that are kept are listed, not those of removed and inserted sections.
public struct ListChange {
  /// The places of a row that is in both lists.
  public struct Places: Hashable, Sendable {
    /// The row's place in the previous list.
    public let from: ListPath
    /// The row's place in the new list.
    public let to: ListPath
  }

  /// The places of a section that is in both lists.
  package struct SectionMove: Hashable, Sendable {
    package let from: Int
    package let to: Int
  }

  /// What a view does first that can move sections: no row of them changes, so that they keep what they have.
  package struct SectionMoves {
    /// The moves, ascending by the places afterwards.
    package let moves: [SectionMove]
    let applyToSource: () -> Bool
    /// What is left of the change, which moves no section.
    package let rest: ListChange

    /// Makes the data source serve the former list in its new order. Call it inside the view's update, before anything else.
    ///
    /// - Returns: False if the change is outdated.
    package func apply() -> Bool { applyToSource() }
  }

  let difference: ListDifference
  /// True if the list has changed inside a call of its view: see ``ListDataSource/inCall(_:)``. Update the view when
  /// that call has returned, for example in a task.
  public let isInCall: Bool
  private let outdated: () -> Bool
  private let applyToSource: () -> Bool
  private let throughSections: () -> ListDifference
  private let movingSections: () -> SectionMoves?

  init(
    _ difference: ListDifference, isInCall: Bool, isOutdated: @escaping () -> Bool, apply: @escaping () -> Bool,
    throughSections: @escaping () -> ListDifference, movingSections: @escaping () -> SectionMoves? = { nil }
  ) {
    self.difference = difference
    self.throughSections = throughSections
    self.movingSections = movingSections
    self.isInCall = isInCall
    outdated = isOutdated
    applyToSource = apply
  }

  /// True if the items have changed again since. Then ``apply()`` does nothing.
  public var isOutdated: Bool { outdated() }

  /// Sections to remove, ascending, as indices into the previous list. A section that changes its place among the others
  /// is removed and inserted.
  public var removedSections: [Int] { difference.removedSections }

  /// Sections to insert, ascending, as indices into the new list.
  public var insertedSections: [Int] { difference.insertedSections }

  /// Rows to remove, ascending, as places in the previous list.
  public var removals: [ListPath] { difference.removals }

  /// Rows to insert, ascending, as places in the new list.
  public var insertions: [ListPath] { difference.insertions }

  /// Rows to move, because their section or their order among the rows that stay has changed, ascending by their places
  /// in the new list.
  public var moves: [Places] { difference.moves }

  /// Rows whose item has changed but has the same identity, ascending by their places in the previous list. They may
  /// move, too. An item has not changed if it is the same object, or a value that is equal by `==`.
  public var updates: [Places] { difference.updates }

  /// Makes the data source serve the new list. Call it inside the view's update, before anything else.
  ///
  /// - Returns: False if the change is outdated, because the items have changed again since. Nothing is applied then,
  ///   and the update must be skipped. The later change starts from the list that is served now.
  @discardableResult
  public func apply() -> Bool {
    applyToSource()
  }

  /// The same change for a view without sections, which numbers the rows through all of them: as of a list with one section.
  package var withoutSections: ListChange {
    ListChange(
      throughSections(), isInCall: isInCall, isOutdated: outdated, apply: applyToSource,
      throughSections: throughSections)
  }

  /// The same change for a view that can move sections; nil if no section changes its place among the others.
  package var sectionMoves: SectionMoves? { movingSections() }
}

extension ListPath: CustomStringConvertible {
  /// The section and the row, as in `0.3`.
  public var description: String { "\(section).\(row)" }
}

extension ListSection: CustomStringConvertible {
  /// The identifier and the number of items, as in `fruit: 3 items`.
  public var description: String { "\(id): \(brief(valueOf: items))" }
}

extension ListChange: CustomStringConvertible {
  /// The number of changes of each kind, as in `2 insertions, 1 move`.
  public var description: String {
    let counts = [
      (removedSections.count, "removed section"), (insertedSections.count, "inserted section"),
      (removals.count, "removal"), (insertions.count, "insertion"), (moves.count, "move"), (updates.count, "update"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return words.isEmpty ? "no change" : words.joined(separator: ", ")
  }
}
