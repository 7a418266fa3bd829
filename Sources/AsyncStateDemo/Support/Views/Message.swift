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
    let lines = text.wrapped(toColumns: size.columns).map { Row($0, style) }
    let hints = hint.wrapped(toColumns: size.columns).map { Row($0, .faint) }
    // Where there is too little room they touch; then the end is cut off, because the beginning has the reason.
    let gap = lines.count + hints.count < size.rows ? [Row()] : []
    return lines.prefix(max(size.rows - hints.count, 1)) + gap + hints
  }
}
#endif
