#if os(macOS) || os(Linux)
/// What somebody pressed.
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
