#if os(macOS) || os(Linux)
/// Tells what happens, in lines: when, what kind of thing, and what.
@MainActor
final class Timeline {
  /// What a line is about.
  enum Kind: String {
    /// Somebody does something: the user, the disk, the backend.
    case story = "▸"
    /// What is known has changed.
    case facts
    /// A transition begins.
    case will
    /// Children come and go.
    case children
    /// A transition has ended.
    case did

    fileprivate var style: Style {
      switch self {
      case .story: .strong
      case .facts: .accent
      case .will, .did: .good
      case .children: .faint
      }
    }
  }

  private let print: (Row) -> Void
  private let now: () -> Duration

  /// - Parameters:
  ///   - now: The time that is told.
  ///   - print: Where each line goes.
  init(now: @escaping () -> Duration, print: @escaping (Row) -> Void) {
    self.now = now
    self.print = print
  }

  func add(_ kind: Kind, _ text: String) {
    let time = now().inSeconds
    var row = Row()
    row.put(time, at: 7 - time.count, .faint)
    row.put(kind.rawValue, at: 9, kind.style)
    row.put(text, at: kind == .story ? 11 : 19, kind == .story ? .strong : .plain)
    print(row)
  }
}

extension Duration {
  /// The seconds, with three places: "1.250".
  fileprivate var inSeconds: String {
    let milliseconds = Int(self / .milliseconds(1))
    return "\(milliseconds / 1000)." + String(milliseconds % 1000 + 1000).dropFirst()
  }
}
#endif
