// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// The server of a scene: slow, and the same for all who request the same at the same time.
///
/// A request is a load of data of its own, so that the journal of the scene has it.
@MainActor
final class Server {
  private let seed: UInt64
  private let clock: VirtualClock
  private let journal: StateJournal
  private var requests: [String: AsyncData<[String]>] = [:]

  init(seed: UInt64, clock: VirtualClock, journal: StateJournal) {
    self.seed = seed
    self.clock = clock
    self.journal = journal
  }

  /// Answers after a while.
  ///
  /// - Parameters:
  ///   - request: The name of the request, which is its name in the journal.
  ///   - lag: How long it takes, in milliseconds; the seed decides.
  ///   - isDeaf: Whether the request continues when it is cancelled, as many do.
  ///   - answer: The answer, or an error.
  @discardableResult
  func answer(
    _ request: String, in lag: ClosedRange<Int>, isDeaf: Bool = false, _ answer: @escaping () throws -> [String]?
  ) async throws -> [String]? {
    let start = clock.now.offset
    var random = SplitMix64(seed: seed, stream: "\(request) \(start)")
    let lag = Duration.milliseconds(Int.random(in: lag, using: &random))
    func work() async throws -> [String]? {
      try await clock.sleepOnCaller(until: clock.now.advanced(by: lag))
      return try answer()
    }
    let data = data(of: request)
    // Both boxes of a scene make the same request at the same time: the second one joins the load of the first.
    let id = LoadID(start)
    // A load that was started continues without its caller, and one that is awaited is cancelled with it.
    let outcome =
      isDeaf ? await data.start(id: id) { try await work() }.outcome() : await data.load(id: id) { try await work() }
    return try outcome.get()
  }

  private func data(of request: String) -> AsyncData<[String]> {
    if let data = requests[request] { return data }
    let data = AsyncData<[String]>()
    requests[request] = data
    journal.attach(data, name: request)
    return data
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
