#if os(macOS) || os(Linux)
import AsyncState
import Observation

/// A piece of a screen that shows some rows.
@MainActor @Observable
final class Panel {
  let name: String
  var rows: [Row]

  init(_ name: String, rows: [Row] = []) {
    self.name = name
    self.rows = rows
  }
}

extension Panel {
  /// Says something in words, and what can be done about it.
  static func message(_ text: String, _ style: Style = .plain, hint: String) -> Panel {
    Panel("message", rows: [Row(text, style), Row(), Row(hint, .faint)])
  }
}

extension Panel: @MainActor Drawable {
  func rows(in size: Size) -> [Row] { rows }
}

extension Panel: CustomStringConvertible {
  nonisolated var description: String { name }
}
#endif
