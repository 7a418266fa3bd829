// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// A command of the user.
enum BrowserCommand: Hashable {
  case moveRows(Int)
  case moveScreens(Int)
  case moveToFirst
  case moveToLast
  case open
  case goUp
  case reload
  case refresh
  case cancel
  /// So many steps slower or, below zero, quicker.
  case changeLag(steps: Int)
  case toggleFaults
  case toggleInspector
  /// Selects an entry of the inspector, so many after the selected one or, below zero, before it.
  case inspect(steps: Int)
  /// Makes the time axis of the inspector larger or, below zero, smaller.
  case zoom(steps: Int)

  /// Whether it leaves what is displayed, and what is running, alone.
  var isAside: Bool {
    switch self {
    case .changeLag, .toggleFaults, .toggleInspector, .inspect, .zoom: true
    case .moveRows, .moveScreens, .moveToFirst, .moveToLast, .open, .goUp, .reload, .refresh, .cancel: false
    }
  }
}

/// The meaning of a key for the browser's command.
enum BrowserInput: Hashable {
  case command(BrowserCommand)
  case quit
  case interrupt

  /// The meaning of a key; nil: it has none.
  init?(_ key: Key) {
    switch key {
    case .up, .character("k"): self = .command(.moveRows(-1))
    case .down, .character("j"): self = .command(.moveRows(1))
    case .pageUp: self = .command(.moveScreens(-1))
    case .pageDown, .character(" "): self = .command(.moveScreens(1))
    case .home, .character("g"): self = .command(.moveToFirst)
    case .end, .character("G"): self = .command(.moveToLast)
    case .enter, .right, .character("l"): self = .command(.open)
    case .backspace, .left, .character("h"): self = .command(.goUp)
    case .character("r"): self = .command(.reload)
    case .character("f"): self = .command(.refresh)
    case .character("c"): self = .command(.cancel)
    case .character("+"), .character("="): self = .command(.changeLag(steps: 1))
    case .character("-"): self = .command(.changeLag(steps: -1))
    case .character("e"): self = .command(.toggleFaults)
    case .character("i"): self = .command(.toggleInspector)
    case .character(","): self = .command(.inspect(steps: -1))
    case .character("."): self = .command(.inspect(steps: 1))
    case .character("<"): self = .command(.zoom(steps: -1))
    case .character(">"): self = .command(.zoom(steps: 1))
    case .character("q"): self = .quit
    case .control("c"): self = .interrupt
    case .escape, .control, .character: return nil
    }
  }
}
#endif
