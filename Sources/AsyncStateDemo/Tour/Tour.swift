#if os(macOS) || os(Linux)
import Foundation

/// Plays scenes one after another.
@MainActor
struct Tour {
  let options: TourOptions

  /// Plays the scenes that were asked for, and ends by itself; sooner, when a signal says so or nobody reads any more.
  ///
  /// - Returns: The exit status.
  /// - Throws: ``FileError``, when the disk does not play along; ``CurrentFolderGone``.
  func run() async throws -> Int32 {
    SerialExecution.begin()
    let folder = try FilePath(options.path ?? ".")
    _ = try await FileSystem.entries(of: folder)

    // Whatever ends the tour, the scene that is being played cleans up: it is cancelled, as any task is.
    let (endings, ending) = AsyncStream<Int32>.makeStream()
    let signals = await Signals([SIGINT, SIGTERM, SIGHUP]) { ending.yield($0) }
    signal(SIGPIPE, SIG_IGN)
    defer { signals.end() }
    let playing = Task { try await play(with: folder) { ending.yield(SIGPIPE) } }
    let status = Task {
      for await signal in endings {
        playing.cancel()
        return ExitStatus.signal(signal)
      }
      return ExitStatus.success
    }

    do {
      try await playing.value
      ending.finish()
    } catch is CancellationError {}
    return await status.value
  }

  private func play(with folder: FilePath, onClose: @escaping () -> Void) async throws {
    let live = options.isPlain || !StandardStream.output.isTerminal ? nil : LiveDisplay(Palette.current)
    defer { live?.end() }
    let display: any Display = live ?? PlainDisplay(onClose: onClose)

    display.print(Row("A tour of AsyncState. Times are in seconds, the seed is \(options.seed).", .faint))
    display.print(Row("  facts     what is known", .faint))
    display.print(Row("  will did  both ends of a transition from one state to another", .faint))
    display.print(Row("  children  the parts of the screen that come and go", .faint))
    for scene in Programme.scenes(named: options.scenes) {
      try await play(scene, with: folder, on: display)
    }
  }

  private func play(_ scene: any Scene.Type, with folder: FilePath, on display: any Display) async throws {
    let clock = VirtualClock(speed: options.speed)
    let time = Task { await clock.run() }
    let workspace = try TemporaryFolder()
    let timeline = Timeline(now: { clock.now.offset }, print: display.print)
    let stage = Stage(
      scene, folder: folder, workspace: workspace.path, seed: options.seed, clock: clock, timeline: timeline,
      display: display)
    defer {
      time.cancel()
      stage.clear()
      workspace.remove()
    }

    display.print(Row())
    var title = Row(scene.name, .strong)
    title.put(": \(scene.summary)")
    display.print(title)
    try await scene.init().play(on: stage)
  }
}
#endif
