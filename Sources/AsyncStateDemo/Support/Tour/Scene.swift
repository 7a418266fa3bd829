// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// One part of the tour: a story that shows one thing.
@MainActor
protocol Scene {
  /// Its name on the command line.
  var name: String { get }
  /// Its subject, in one line.
  var summary: String { get }

  /// Plays the story, from an empty stage to the end.
  func play(on stage: Stage) async throws
}

extension Scene {
  /// The lines of the scene's source that use the library.
  var code: [CodeLine] { SceneCode.library[name] ?? [] }

  /// The same by hand; none where nothing is compared.
  var codeByHand: [CodeLine] { SceneCode.byHand[name] ?? [] }
}

/// The scenes of the tour.
@MainActor
enum Programme {
  static let scenes: [any Scene] = [
    Race(), Cancel(), Flicker(), Refresh(), Like(), Retry(), Offline(), Stream(), Gallery(), Files(), Custom(),
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
