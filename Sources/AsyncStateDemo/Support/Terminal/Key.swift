// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// A key that was pressed.
enum Key: Hashable {
  case up
  case down
  case left
  case right
  case home
  case end
  case pageUp
  case pageDown
  case enter
  case backspace
  case escape
  /// Control and a letter.
  case control(Character)
  case character(Character)
}
#endif
