// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateTesting
import AsyncStateUI
import SwiftUI
import Testing
import UIKit

extension ToolkitTests.HostingTests {
  @Test("15.3 a row of SwiftUI in a table requests while it is visible, and shows no answer for a former row")
  func rows() async throws {
    let gate = ManualServer<String>()
    let titles = AsyncFamily<Int, String>(keepUnused: 0) { id in try await gate.wait(for: id) }
    let table = UITableView()
    table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
    table.visibleCount = 3
    let ids = Input(Array(0..<10))
    let source = ListDataSource<Int, UITableViewCell>(
      items: ids,
      dequeue: { table.dequeueReusableCell(withIdentifier: "row", for: IndexPath(row: $0, section: 0)) },
      configure: { cell, id in
        cell.contentConfiguration = UIHostingConfiguration { AsyncView(titles[id]) { Text($0) } }
      })
    let rows = TableRows(source, in: table)
    let screen = UIViewController()
    screen.view.addSubview(table)
    let window = makeWindow()
    window.root = screen
    func texts(_ row: Int) -> [String]? {
      let host = (table.cellForRow(at: IndexPath(row: row, section: 0))?.contentView as? any Hosting)?.host
      host?.draw()
      return host?.texts
    }
    for id in 0..<3 { await gate.arrived(for: id) }
    #expect(texts(0) == ["(progress)"])
    gate.answer(for: 0, with: .success("zero"))
    await titles[0].settled()
    #expect(texts(0) == ["zero"])
    table.scroll(to: 5)
    for id in 5..<8 { await gate.arrived(for: id) }
    // The requests of rows 1 and 2 have ended with their rows.
    for call in [2, 3] { await gate.ended(call) }
    #expect(texts(5) == ["(progress)"])
    for id in 5..<8 {
      gate.answer(for: id, with: .success("row \(id)"))
      await titles[id].settled()
    }
    #expect((5..<8).map { texts($0) } == [["row 5"], ["row 6"], ["row 7"]])
    withExtendedLifetime(rows) {}
  }
}
