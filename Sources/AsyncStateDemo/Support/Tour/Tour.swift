// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// Plays scenes one after another: on a screen of their own with Enter for the next, or as lines.
@MainActor
struct Tour {
  let options: TourOptions

  /// Plays the scenes that were chosen.
  ///
  /// - Returns: The exit status.
  /// - Throws: ``FileError``, if the folder cannot be read; ``CurrentFolderGone``; ``OutputError``.
  func run() async throws -> Int32 {
    let folder = try FilePath(options.path)
    _ = try await FileSystem.entries(of: folder)
    let scenes = Programme.scenes(named: options.scenes)

    if !options.isPlain && Terminal.isAvailable {
      let screen = TourScreen(scenes, folder: folder, options: options)
      if let status = await Terminal.takeOver({ await screen.run(on: $0) }) {
        if status == ExitStatus.success { try screen.printLastFrame() }
        return status
      }
    }
    return try await TourText(scenes, folder: folder, options: options).run()
  }
}

/// One scene while it is played, with its own clock.
@MainActor
final class Playing {
  let scene: any Scene
  let stage: Stage
  private let clock: VirtualClock

  /// - Parameters:
  ///   - onLine: Called with each thing that happens.
  init(
    _ scene: any Scene, folder: FilePath, seed: UInt64, speed: Double,
    onLine: @escaping (Recording.Line) -> Void = { _ in }
  ) {
    self.scene = scene
    let clock = VirtualClock(speed: speed)
    self.clock = clock
    let recording = Recording(now: { clock.now.offset }, onLine: onLine)
    stage = Stage(folder: folder, seed: seed, clock: clock, recording: recording)
  }

  /// How much faster than planned; zero while it is paused.
  var speed: Double {
    get { clock.speed }
    set { clock.speed = newValue }
  }

  /// Plays the scene to its end, or until the task is cancelled.
  func play(onTick: @escaping (Duration) -> Void = { _ in }) async throws {
    let time = Task {
      await clock.run { time in
        stage.update()
        onTick(time)
      }
    }
    defer {
      time.cancel()
      stage.clear()
    }
    try await scene.play(on: stage)
    stage.update()
    onTick(clock.now.offset)
  }
}
#endif
