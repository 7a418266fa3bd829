// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateUI
import Toolkit

/// What a row shows.
struct Row: Identifiable, Hashable, Sendable {
  var id: Int
  var text = "a"
}

/// The controller of a row.
final class RowController: Leaf, @MainActor ReusableController {
  private(set) var displayed: Row?
  private(set) var displays = 0
  private(set) var cancels = 0
  /// Where the models ended.
  static var ends: [String] = []

  func configure(with model: Row) { displayed = model }
  func prepareForReuse() {
    displayed = nil
    Self.ends.append(parent == nil ? "alone" : "in its parent")
  }
  func cancelLoad() { cancels += 1 }
  func didAppear(animated: Bool) { displays += 1 }
  func didDisappear(animated: Bool) { displays -= 1 }
}

/// A screen with a table.
final class TableScreen: Leaf {
  let table = Table()
  override func viewDidLoad() {
    super.viewDidLoad()
    view.addSubview(table)
  }
}

extension Table {
  /// How many rows there are in all sections.
  var rowCount: Int {
    #if canImport(UIKit)
      (0..<numberOfSections).map { numberOfRows(inSection: $0) }.reduce(0, +)
    #else
      numberOfRows
    #endif
  }

  #if canImport(UIKit)
    private func path(_ row: Int) -> IndexPath {
      var row = row
      for section in 0..<numberOfSections {
        let count = numberOfRows(inSection: section)
        if row < count { return IndexPath(row: row, section: section) }
        row -= count
      }
      return IndexPath(row: row, section: 0)
    }
  #endif

  /// What a row displays; nil where it is not visible. Rows are counted in all sections.
  func content(of row: Int) -> ToolkitView? {
    #if canImport(UIKit)
      cellForRow(at: path(row))?.contentView
    #else
      view(atColumn: 0, row: row, makeIfNecessary: false)
    #endif
  }

  /// The controller of a row that is visible.
  func controller(_ row: Int) -> RowController? {
    row < rowCount ? (content(of: row) as? ControllerCell<RowController>)?.controller : nil
  }

  /// Fills the table with rows that have controllers.
  func fill(
    with sections: Observed<[ListSection<Row>]>, in parent: ViewController, cancelsLoadWhenHidden cancels: Bool = false
  ) -> TableRows<Row> {
    #if canImport(UIKit)
      register(UITableViewCell.self, forCellReuseIdentifier: "row")
      let source = ListDataSource<Row, UITableViewCell>(
        sections: sections,
        dequeue: { [unowned self] in dequeueReusableCell(withIdentifier: "row", for: $0.indexPath) },
        configure: { [unowned parent] cell, row in
          cell.contentConfiguration = ControllerConfiguration(row, in: parent, cancelsLoadWhenHidden: cancels) {
            RowController()
          }
        })
    #else
      let source = ListDataSource<Row, NSView>(
        sections: sections,
        dequeue: { [unowned self] _ in
          let identifier = NSUserInterfaceItemIdentifier("row")
          if let cell = makeView(withIdentifier: identifier, owner: nil) { return cell }
          let cell = ControllerCell<RowController>(frame: .zero)
          cell.identifier = identifier
          return cell
        },
        configure: { [unowned parent] cell, row in
          (cell as? ControllerCell<RowController>)?
            .show(row, in: parent, cancelsLoadWhenHidden: cancels) { RowController() }
        })
    #endif
    return TableRows(source, in: self)
  }

  func fill(
    with rows: Observed<[Row]>, in parent: ViewController, cancelsLoadWhenHidden cancels: Bool = false
  ) -> TableRows<Row> {
    fill(with: rows.map { [ListSection(id: 0, items: $0)] }, in: parent, cancelsLoadWhenHidden: cancels)
  }
}

extension TableRows {
  /// Calls `body` with each row that is about to be visible, in a table of one section.
  func onDisplay(_ body: @escaping (Int) -> Void) {
    #if canImport(UIKit)
      onDisplay = { body($0.row) }
    #else
      onDisplay = body
    #endif
  }
}

/// A cell with a controller, in no table.
@MainActor
func makeCell(_ row: Row, in parent: ViewController) -> ControllerCell<RowController>? {
  #if canImport(UIKit)
    return ControllerConfiguration(row, in: parent) { RowController() }.makeContentView()
      as? ControllerCell<RowController>
  #else
    let cell = ControllerCell<RowController>(frame: .zero)
    cell.show(row, in: parent) { RowController() }
    return cell
  #endif
}
