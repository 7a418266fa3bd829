// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// The look of a piece of text.
enum Style: Hashable {
  case plain
  /// A heading.
  case strong
  /// Of less weight than what is around it.
  case faint
  /// For things that move or are to be noticed.
  case accent
  /// A success.
  case good
  /// A failure.
  case bad
  /// The one row that commands are about.
  case selected
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
    let weight: String? =
      switch style {
      case .plain: nil
      case .strong, .bad: "1"
      case .faint: "2"
      case .accent, .good: self == .monochrome ? "1" : nil
      case .selected: "7"
      }
    let colour: String? =
      switch style {
      case .plain, .strong, .faint, .selected: nil
      case .accent: "36"
      case .good: "32"
      case .bad: "31"
      }
    let parameters = [weight, self == .colours ? colour : nil].compactMap(\.self)
    return parameters.isEmpty ? "" : "\u{1B}[\(parameters.joined(separator: ";"))m"
  }
}
#endif
