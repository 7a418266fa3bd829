// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// The look of a piece of text. All are readable on a light background and on a dark one, so red is the only colour.
enum Style: Hashable {
  case plain
  /// A heading.
  case strong
  /// Of less weight than what is around it.
  case faint
  /// A failure.
  case bad
}

/// How styles look on a terminal: the parameters of "select graphic rendition", ECMA-48 8.3.117.
enum Palette {
  /// Weights and colours.
  case colours
  /// Weights only, for users who set `NO_COLOR`: https://no-color.org
  case monochrome

  /// The palette that the user's environment requests.
  static var current: Palette {
    ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty ? .colours : .monochrome
  }

  /// The sequence that begins a style.
  func begin(_ style: Style) -> String {
    switch style {
    case .plain: ""
    case .strong: "\u{1B}[1m"
    case .faint: "\u{1B}[2m"
    case .bad: self == .colours ? "\u{1B}[1;31m" : "\u{1B}[1m"
    }
  }
}
#endif
