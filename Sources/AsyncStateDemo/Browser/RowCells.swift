// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateLists
import AsyncState

/// The cells of file rows: those in view, and a few that wait for their next row.
@MainActor
final class RowCells {
  typealias Cell = CellHost<FileRow>

  // As many as a jump puts out of view at once: what is released is detached only when the main actor is free.
  private static let spareCapacity = 64

  private enum Kind {
    case file
  }

  private let pool = ReusePool<Kind, Cell>(capacityPerKey: spareCapacity)
  private let makeController: () -> FileRow
  private var made: [WeakRow] = []

  /// - Parameter makeController: Makes the controller of another cell.
  init(makeController: @escaping () -> FileRow) {
    self.makeController = makeController
  }

  /// How many cells wait.
  var spareCount: Int { pool.count(for: .file) }

  /// How many controllers there are in all. Counted, not computed.
  var liveCount: Int { made.count { $0.row != nil } }

  /// A cell that is not in use.
  func dequeue() -> Cell {
    pool.dequeue(for: .file) { Cell { self.makeRow() } }
  }

  /// Takes back a cell whose row is not in view any more.
  func recycle(_ cell: Cell) {
    cell.didEndDisplaying()
    cell.prepareForReuse()
    pool.recycle(cell, for: .file)
  }

  private func makeRow() -> FileRow {
    let row = makeController()
    made.removeAll { $0.row == nil }
    made.append(WeakRow(row: row))
    return row
  }

  private struct WeakRow {
    weak var row: FileRow?
  }
}
#endif
