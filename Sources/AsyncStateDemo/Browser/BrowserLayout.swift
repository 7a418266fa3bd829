#if os(macOS) || os(Linux)
/// How the browser divides up a terminal: bars above and below, and the body between them.
struct BrowserLayout {
  static let smallest = Size(columns: 40, rows: 10)

  let size: Size

  var isLargeEnough: Bool { size.columns >= Self.smallest.columns && size.rows >= Self.smallest.rows }

  /// The room for the children of the container.
  var body: Size { Size(columns: size.columns, rows: isLargeEnough ? size.rows - 5 : 0) }

  /// The whole screen.
  func frame(above: [Row], body rows: [Row], below: [Row]) -> Frame {
    guard isLargeEnough else {
      let smallest = "\(Self.smallest.columns)×\(Self.smallest.rows)"
      return Frame(size: size, rows: [Row("Too small: \(size.columns)×\(size.rows), needs \(smallest)", .bad)])
    }
    let filled = rows.prefix(body.rows) + Array(repeating: Row(), count: max(body.rows - rows.count, 0))
    return Frame(size: size, rows: above + filled + below)
  }
}
#endif
