#if os(macOS) || os(Linux)
/// The server of a scene: slow, and the same for all who request the same at the same time.
@MainActor
final class Server {
  private let seed: UInt64
  private let clock: VirtualClock
  private let recording: Recording

  init(seed: UInt64, clock: VirtualClock, recording: Recording) {
    self.seed = seed
    self.clock = clock
    self.recording = recording
  }

  /// Answers after a while.
  ///
  /// - Parameters:
  ///   - request: The name of the request, which is the name of its lane.
  ///   - lag: How long it takes, in milliseconds; the seed decides.
  ///   - isDeaf: Whether the request continues when it is cancelled, as many do.
  ///   - answer: The answer, or an error.
  func answer<Answer: Sendable>(
    _ request: String, in lag: ClosedRange<Int>, isDeaf: Bool = false, _ answer: @escaping () throws -> Answer
  ) async throws -> Answer {
    let start = clock.now.offset
    var random = SplitMix64(seed: seed, stream: "\(request) \(start)")
    let lag = Duration.milliseconds(Int.random(in: lag, using: &random))
    note(.begin, "starts", of: request)
    func work() async throws -> Answer {
      try await clock.sleepOnCaller(until: clock.now.advanced(by: lag))
      return try answer()
    }
    do {
      // A task of its own is not cancelled with this one.
      let answer = isDeaf ? try await Task { try await work() }.value : try await work()
      note(.end("●"), "answers", of: request, .good)
      return answer
    } catch is CancellationError {
      note(.end("○"), "is cancelled", of: request, .faint)
      throw CancellationError()
    } catch {
      note(.end("✗"), "fails: \(error)", of: request, .bad)
      throw error
    }
  }

  /// Records a step of a request; once, if both boxes of a scene take it at the same time.
  private func note(_ kind: Recording.Entry.Kind, _ text: String, of request: String, _ style: Style = .plain) {
    let last = recording.lanes.first { $0.name == request }?.entries.last
    guard last?.time != clock.now.offset || last?.text != text else { return }
    recording.add(kind, text, in: request, style)
  }
}

/// The server says no.
struct Refusal: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
#endif
