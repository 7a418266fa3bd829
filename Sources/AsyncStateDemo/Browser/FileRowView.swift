// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import Observation

/// The view of a file.
@MainActor @Observable
final class FileRowView {
  /// The view of its details.
  struct Details: Equatable {
    let text: String
    let style: Style

    init(_ status: AsyncStatus<FileDetails>) {
      switch status {
      case .loading: (text, style) = ("…", .faint)
      case .error(let error): (text, style) = ("\(error)", .bad)
      case .data(let details): (text, style) = ("\(details)", .faint)
      case .noData, .idle, .waiting: (text, style) = ("not read", .faint)
      }
    }
  }

  var name = ""
  var details = Details(.loading)

  /// Name to the left, details to the right.
  func row(columns: Int, isSelected: Bool) -> Row {
    let detailsLimit = min(max(columns / 3, 12), 40)
    let text = details.text.truncated(toColumns: detailsLimit)
    let detailsColumn = columns - 1 - text.columns
    var row = Row()
    if isSelected { row.put(String(repeating: " ", count: columns), .selected) }
    row.put(isSelected ? "▸" : " ", at: 0, isSelected ? .selected : .plain)
    row.put(name, at: 2, limit: columns - detailsLimit - 4, isSelected ? .selected : .plain)
    row.put(text, at: detailsColumn, isSelected ? .selected : details.style)
    return row
  }
}
#endif
