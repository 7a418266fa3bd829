// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// A text with a hint below it, in as many rows as it needs.
@MainActor
final class Message {
  private let text: String
  private let style: Style
  private let hint: String

  init(_ text: String, _ style: Style = .plain, hint: String) {
    (self.text, self.style, self.hint) = (text, style, hint)
  }
}

extension Message: @MainActor Drawable {
  func rows(in size: Size) -> [Row] {
    let lines = text.wrapped(toColumns: size.columns)
    // The beginning has the reason, so the end is cut off where there is too little room.
    return lines.prefix(max(size.rows - 2, 1)).map { Row($0, style) } + [Row(), Row(hint, .faint)]
  }
}
#endif
