// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// Plays scenes one after another: on a screen of their own with Enter for the next, or as lines.
@MainActor
struct Tour {
  let options: Options

  /// Plays the scenes that were chosen.
  ///
  /// - Returns: The exit status.
  /// - Throws: ``OutputError``.
  func run() async throws -> Int32 {
    let scenes = Programme.scenes(named: options.scenes)
    if !options.isPlain && Terminal.isAvailable {
      let screen = TourScreen(scenes, speed: options.speed)
      if let status = await Terminal.takeOver({ await screen.run(on: $0) }) {
        if status == ExitStatus.success { try screen.printLastFrame() }
        return status
      }
    }
    return try await TourText(scenes, speed: options.speed).run()
  }
}
#endif
