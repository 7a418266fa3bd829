// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateTesting

/// One scene while it is played.
@MainActor
final class Playing {
  /// Everything that happens in a scene happens at a multiple of it.
  private static let step = Duration.milliseconds(10)

  let scene: any Scene
  let stage: Stage
  /// How much faster than planned; zero while it is paused.
  var speed: Double
  private(set) var isOver = false

  /// - Parameter onLine: Called with each thing that happens.
  init(_ scene: any Scene, speed: Double, onLine: @escaping (Recording.Line) -> Void = { _ in }) {
    self.scene = scene
    self.speed = speed
    stage = Stage(onLine: onLine)
  }

  var time: Duration { stage.clock.now.offset }

  /// Plays the scene to its end, or until the task is cancelled.
  ///
  /// - Parameter onTick: Called several times a second.
  func play(onTick: @escaping () -> Void = {}) async throws {
    let time = Task { await moveClock(onTick) }
    defer {
      time.cancel()
      stage.clear()
    }
    try await scene.play(on: stage)
    time.cancel()
    await settle()
    stage.update()
    isOver = true
    onTick()
  }

  /// Moves the clock, a step at a time, until the task is cancelled.
  private func moveClock(_ onTick: () -> Void) async {
    while !Task.isCancelled {
      await settle(for: speed > 0 ? Self.step / speed : Self.step)
      guard !Task.isCancelled else { return }
      stage.update()
      onTick()
      if speed > 0 { await stage.clock.advance(by: Self.step) }
    }
  }

  /// Lets all that is ready run, before the time moves on. All of it waits in the one queue of the main actor.
  ///
  /// - Parameter pause: How long it takes at least.
  private func settle(for pause: Duration = .zero) async {
    let clock = ContinuousClock()
    // On a busy machine another thread may have been interrupted in the middle of a job.
    let end = clock.now.advanced(by: max(pause, .milliseconds(1)))
    // Each turn lets every job through that waits at the moment; what follows from one wake is a chain of a few jobs.
    for _ in 0..<50 { await Task.yield() }
    try? await clock.sleep(until: end)
    for _ in 0..<50 { await Task.yield() }
  }
}
#endif
