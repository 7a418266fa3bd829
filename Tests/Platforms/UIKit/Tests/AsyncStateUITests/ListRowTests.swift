// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import AsyncStateUI
import Testing
import UIKit

/// Rows as an app writes them, without the library's adapters of tables: touches, a delegate of one's own, diffable
/// sources.
extension ToolkitTests {
  @MainActor
  struct ListRowTests {
    /// A model that is not `Equatable`: a new one is always another.
    struct Draft {
      var text: String
    }

    final class DraftController: UIViewController, @MainActor ReusableController {
      var calls: [String] = []
      func configure(with draft: Draft) { calls.append(draft.text) }
      func prepareForReuse() { calls.append("end") }
      func didAppear(animated: Bool) { calls.append("appears") }
      func didDisappear(animated: Bool) { calls.append("disappears") }
    }

    /// A data source and delegate of an app's own.
    final class Client: NSObject, UITableViewDataSource, UITableViewDelegate {
      var drafts = (0..<20).map { Draft(text: "\($0)") }
      unowned let parent: UIViewController
      init(parent: UIViewController) { self.parent = parent }

      func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { drafts.count }
      func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "draft", for: path)
        cell.contentConfiguration = ControllerConfiguration(drafts[path.row], in: parent) { DraftController() }
        return cell
      }
    }

    private let window = makeWindow()
    private let screen = UITableViewController()
    private let client: Client

    init() {
      client = Client(parent: screen)
      screen.tableView.register(UITableViewCell.self, forCellReuseIdentifier: "draft")
      screen.tableView.dataSource = client
      screen.tableView.delegate = client
      window.root = screen
    }

    private func cell(_ row: Int) throws -> (UITableViewCell, DraftController) {
      let cell = try #require(screen.tableView.cellForRow(at: IndexPath(row: row, section: 0)))
      return (cell, try #require((cell.contentView as? ControllerCell<DraftController>)?.controller))
    }

    @Test("8.2 a touch on a row and its selection do not end its model")
    func touch() throws {
      let (cell, controller) = try cell(0)
      #expect(controller.calls == ["0", "appears"])
      cell.isHighlighted = true
      cell.isSelected = true
      cell.isHighlighted = false
      #expect(controller.calls == ["0", "appears"])
      // Another configuration is another row, also with an equal text; what follows a touch on it is still that.
      cell.contentConfiguration = ControllerConfiguration(Draft(text: "0"), in: screen) { DraftController() }
      cell.isSelected = false
      #expect(controller.calls == ["0", "appears", "disappears", "end", "0", "appears"])
      #expect(StandIn.audit() == [])
    }

    @Test("8.2 a configuration that a cell was prepared from for reuse displays its model again")
    func preparedCell() throws {
      let content = ControllerConfiguration(Draft(text: "a"), in: screen) { DraftController() }
      let view = try #require(content.makeContentView() as? ControllerCell<DraftController>)
      view.prepareForReuse()
      view.configuration = content
      #expect(view.controller?.calls == ["a", "end", "a"])
    }

    @Test("8.2 with a delegate of one's own, the controller of a row appears and disappears with its cell")
    func ownDelegate() throws {
      let (_, controller) = try cell(0)
      #expect(controller.calls == ["0", "appears"])
      screen.tableView.scroll(to: 10)
      #expect(controller.calls.prefix(3) == ["0", "appears", "disappears"])
      let shown = try (10..<15).map { try cell($0).1 }
      #expect(shown.allSatisfy { $0.calls.last == "appears" })
      #expect(StandIn.audit() == [])
    }

    @Test("8.2 a controller made for a row that is visible already appears")
    func madeWhileVisible() throws {
      let path = IndexPath(row: 0, section: 0)
      let plain = try #require(screen.tableView.cellForRow(at: path))
      // The row displayed something else before, such as a placeholder.
      plain.contentConfiguration = plain.defaultContentConfiguration()
      screen.tableView.reconfigureRows(at: [path])
      let (cell, controller) = try cell(0)
      #expect(cell === plain)
      #expect(controller.calls == ["0", "appears"])
      // And once: the adapters of lists say it, too.
      (cell.contentView as? any CellDisplay)?.willDisplay()
      #expect(controller.calls == ["0", "appears"])
      #expect(StandIn.audit() == [])
    }

    @Test("8.2 a row disappears with its screen and appears again with it")
    func coveredScreen() throws {
      let (_, controller) = try cell(0)
      window.root = UIViewController()
      #expect(controller.calls == ["0", "appears", "disappears"])
      window.root = screen
      #expect(controller.calls == ["0", "appears", "disappears", "appears"])
    }
  }
}
