// SPDX-License-Identifier: MIT
import Foundation

/// The tables of a page of the contract, as they stand in its text.
struct ContractPage {
  /// The cells of each row, heads of columns included, in the order of the text.
  let rows: [[String]]

  /// - Parameter name: The name of the page's file, without `.md`.
  init(_ name: String) throws {
    // The package of the models has a link to this file.
    var folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let page = folder.appending(path: "Sources/AsyncState/AsyncState.docc/Contract/\(name).md")
    rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
      guard line.hasPrefix("|"), !line.hasPrefix("|---") else { return nil }
      return line.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
