// SPDX-License-Identifier: MIT
/// The tables of section 2, as they stand in the text of the contract.
struct CauseTable {
  /// In the order of the text.
  private(set) var causes: [String] = []
  /// The words of a cause, by column.
  private var words: [String: [String: String]] = [:]
  /// What is said of each origin, by column.
  private(set) var origins: [String: [String: String]] = [:]

  init() throws {
    var columns: [String] = []
    for cells in try ContractPage("Contract-Events").rows {
      let cause = cells[0]
      if cause == "cause" || cause == "origin" {
        columns = cells
      } else if columns.first == "origin", cells.count == columns.count {
        origins[cause] = Dictionary(uniqueKeysWithValues: zip(columns, cells).dropFirst().map { ($0, $1) })
      } else if cells.count == columns.count {
        if words[cause] == nil { causes.append(cause) }
        words[cause, default: [:]].merge(zip(columns, cells).dropFirst().map { ($0, $1) }) { first, _ in first }
      }
    }
  }

  /// The word of a cause in a column.
  subscript(cause: String, column: String) -> String? { words[cause]?[column] }

  /// What is said of an origin, by column.
  func origin(_ words: String) -> [String: String]? { origins[words] }
}
