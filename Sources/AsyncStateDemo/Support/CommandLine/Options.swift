// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// The options of the command line: how the tour is played, or what is printed instead.
struct Options {
  enum Request { case tour, list, help }

  private(set) var request = Request.tour
  /// Names, in the order in which they are played.
  private(set) var scenes: [String] = []
  /// How much faster than the times of the scenes; nil: slower on a screen, so that it can be followed.
  private(set) var speed: Double?
  /// Lines, on a terminal, too.
  private(set) var isPlain = false

  static let help = """
    USAGE
      swift run AsyncStateDemo [options] [scene …]    a tour of the library: problems by hand, and with it

    OPTIONS
      --scene NAME   play this scene only, as NAME alone does; several with commas between them, or the option several times
      --list         name the scenes
      --speed X      so many times as fast, from 0.1 to 1000 (default 0.4, and 1 for lines)
      --plain        lines that end by themselves, on a terminal, too

    KEYS
      Enter right l            next scene          p space   pause, and go on
      Backspace left h         previous scene      + -       faster, slower
      r                        the same again      q         quit, as does Ctrl-C

    EXIT STATUS
      0 success, 64 the command line cannot be understood, 74 the output cannot be written

    With NO_COLOR in the environment there are no colours. A terminal whose TERM is not set or "dumb" gets lines.
    """

  /// Reads the words after the command's name.
  ///
  /// - Parameter sceneNames: The scenes that there are.
  init(_ arguments: [String], sceneNames: [String]) throws(UsageError) {
    // "--speed=2" is "--speed 2".
    var words = arguments.flatMap { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }[...]
    while let option = words.popFirst() {
      switch option {
      case "--scene":
        let possible = sceneNames.joined(separator: ", ")
        for name in try Self.value(of: option, &words, possible).split(separator: ",", omittingEmptySubsequences: false)
        {
          guard sceneNames.contains(String(name)) else { throw .bad(name, of: option, possible) }
          scenes.append(String(name))
        }
      case _ where sceneNames.contains(String(option)): scenes.append(String(option))
      case "--speed":
        let possible = "a number from 0.1 to 1000"
        let value = try Self.value(of: option, &words, possible)
        guard let speed = Double(value), (0.1...1000).contains(speed) else { throw .bad(value, of: option, possible) }
        self.speed = speed
      case "--plain": isPlain = true
      case "--list": request = .list
      case "--help", "-h":
        request = .help
        return
      case _ where !option.hasPrefix("-"): throw .noScene(option, sceneNames.joined(separator: ", "))
      default: throw .unknown(option)
      }
    }
    if scenes.isEmpty { scenes = sceneNames }
  }

  private static func value(
    of option: Substring, _ words: inout ArraySlice<Substring>, _ possible: String
  ) throws(UsageError) -> Substring {
    guard let value = words.popFirst() else { throw .missing(option, possible) }
    return value
  }
}

/// A command line that cannot be understood: what is wrong with it, and what is possible. One line.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  static func unknown(_ option: Substring) -> UsageError {
    UsageError(description: "\(option.debugDescription) is no option; possible: \(options)")
  }

  static func noScene(_ name: Substring, _ possible: String) -> UsageError {
    UsageError(description: "\(name.debugDescription) is no scene; possible: \(possible); \(options)")
  }

  private static let options = "--scene NAME, --speed X, --plain, --list, --help"

  static func missing(_ option: Substring, _ possible: String) -> UsageError {
    UsageError(description: "\(option) needs a value; possible: \(possible)")
  }

  static func bad(_ value: Substring, of option: Substring, _ possible: String) -> UsageError {
    UsageError(description: "\(option) cannot be \(value.debugDescription); possible: \(possible)")
  }
}
#endif
