#if os(macOS) || os(Linux)
/// One part of the tour: a little story that shows one thing.
@MainActor
protocol Scene {
  /// What one calls it on the command line.
  static var name: String { get }
  /// What it shows, in one line.
  static var summary: String { get }

  init()

  /// Tells the story, from an empty stage to the end.
  func play(on stage: Stage) async throws
}

/// The scenes in the order of the tour.
@MainActor
enum Programme {
  static let scenes: [any Scene.Type] = [
    SuchScene.self, FilesScene.self, RaceScene.self, CancelScene.self, CustomScene.self, FlickerScene.self,
    RetryScene.self, RefreshScene.self, StreamScene.self, LikeScene.self,
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
  static func scenes(named names: [String]) -> [any Scene.Type] {
    names.compactMap { name in scenes.first { $0.name == name } }
  }
}
#endif
