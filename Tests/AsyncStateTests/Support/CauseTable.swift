// SPDX-License-Identifier: MIT
import Foundation

/// The tables of section 2, as they stand in the text of the contract.
struct CauseTable {
  /// In the order of the text.
  private(set) var causes: [String] = []
  /// The words of a cause, by column.
  private var words: [String: [String: String]] = [:]
  /// What is said of each origin, by column.
  private(set) var origins: [String: [String: String]] = [:]

  init() throws {
    let text = try String(contentsOf: Self.contract, encoding: .utf8)
    let lines = text.split(separator: "\n").drop { $0 != "## 2 AsyncData" }.prefix { !$0.hasPrefix("### ") }
    var columns: [String] = []
    for line in lines {
      let cells = Self.cells(of: line)
      guard let cause = cells.first else { continue }
      if cause == "cause" || cause == "origin" {
        columns = cells
      } else if columns.first == "origin", cells.count == columns.count, !cause.hasPrefix("---") {
        origins[cause] = Dictionary(uniqueKeysWithValues: zip(columns, cells).dropFirst().map { ($0, $1) })
      } else if cells.count == columns.count, !cause.hasPrefix("---") {
        if words[cause] == nil { causes.append(cause) }
        words[cause, default: [:]].merge(zip(columns, cells).dropFirst().map { ($0, $1) }) { first, _ in first }
      }
    }
  }

  /// The word of a cause in a column.
  subscript(cause: String, column: String) -> String? { words[cause]?[column] }

  /// What is said of an origin, by column.
  func origin(_ words: String) -> [String: String]? { origins[words] }

  private static func cells(of line: Substring) -> [String] {
    guard line.hasPrefix("|") else { return [] }
    return line.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static var contract: URL {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder.appending(path: "Sources/AsyncState/AsyncState.docc/Contract/Contract-Events.md")
  }
}
