// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// One part of the tour: a problem, by hand and with the library, on one server.
@MainActor
protocol Scene {
  /// Its name on the command line.
  var name: String { get }
  /// Its subject, in one line.
  var summary: String { get }
  /// How it ends by hand, in a sentence.
  var byHand: String { get }
  /// How it ends with the library, in a sentence.
  var library: String { get }
  /// How long it is, in milliseconds, and how many lanes it has, so that the screen is arranged for all of it.
  var size: (milliseconds: Int, lanes: Int) { get }

  /// Plays the story, from an empty stage to the end.
  func play(on stage: Stage) async throws
}

extension Scene {
  /// The lines of the scene's source by hand, behind two columns for the mark of a mistake.
  var codeByHand: [String] { Self.lines(of: SceneCode.byHand[name]) }

  /// The lines of the scene's source that use the library.
  var code: [String] { Self.lines(of: SceneCode.library[name]) }

  private static func lines(of text: String?) -> [String] {
    text?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
  }

  /// Both sentences, each with its sign.
  var verdicts: [(text: String, style: Style)] {
    [("✗ By hand: \(byHand)", .bad), ("✓ AsyncState: \(library)", .strong)]
  }
}

/// The scenes of the tour.
@MainActor
enum Programme {
  static let scenes: [any Scene] = [
    Race(), Cancel(), Refresh(), Flicker(), Empty(), Like(), Retry(), Offline(), Stream(), Custom(),
  ]

  /// A line for each scene.
  static var listing: String {
    scenes.map { scene in
      var row = Row(scene.name)
      row.put(scene.summary, at: 10)
      return row.plainText + "\n"
    }.joined()
  }

  /// The scenes with these names, in the order of the names.
  static func scenes(named names: [String]) -> [any Scene] {
    names.compactMap { name in scenes.first { $0.name == name } }
  }
}
#endif
