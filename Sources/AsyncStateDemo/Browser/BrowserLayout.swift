// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// How the browser divides up a terminal: bars above and below, the body between them, and the inspector below the body.
struct BrowserLayout {
  static let smallest = Size(columns: 40, rows: 10)
  private static let barRows = 5
  /// The rows that the inspector leaves to the body.
  private static let leastBodyRows = 3

  let size: Size
  var isInspecting = false

  var isLargeEnough: Bool { size.columns >= Self.smallest.columns && size.rows >= Self.smallest.rows }

  /// The room for the children of the container.
  var body: Size { Size(columns: size.columns, rows: room - panel.rows) }

  /// The room for the inspector: none while it is closed, and one row where it does not fit.
  var panel: Size {
    let possible = room - Self.leastBodyRows
    let rows = possible < InspectorPanel.leastRows ? 1 : min(possible, InspectorPanel.mostRows)
    return Size(columns: size.columns, rows: isInspecting && isLargeEnough ? rows : 0)
  }

  private var room: Int { isLargeEnough ? size.rows - Self.barRows : 0 }

  /// The whole screen.
  func frame(above: [Row], body rows: [Row], panel panelRows: [Row], below: [Row]) -> Frame {
    guard isLargeEnough else {
      let smallest = "\(Self.smallest.columns)×\(Self.smallest.rows)"
      let text = "Too small: \(size.columns)×\(size.rows), needs \(smallest)"
      return Frame(size: size, rows: text.wrapped(toColumns: size.columns).map { Row($0, .bad) })
    }
    let filled = rows.prefix(body.rows) + Array(repeating: Row(), count: max(body.rows - rows.count, 0))
    var panelRows = panelRows
    if panelRows.isEmpty && isInspecting {
      let needed = Self.barRows + Self.leastBodyRows + InspectorPanel.leastRows
      panelRows = [Row(" The inspector needs \(needed) rows, not \(size.rows).", .bad)]
    }
    panelRows += Array(repeating: Row(), count: max(panel.rows - panelRows.count, 0))
    return Frame(size: size, rows: above + filled + panelRows + below)
  }
}
#endif
