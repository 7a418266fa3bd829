// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal
import AsyncStateTesting

/// The server of a scene: slow, and the same for both halves, which make the same requests at the same times.
///
/// A request is a load of data of its own, so that the journal of the scene has it.
@MainActor
final class Server {
  private let clock: ManualClock
  private let journal: StateJournal
  private var requests: [String: AsyncData<[String]>] = [:]
  private var lastTurn: Turn?

  init(clock: ManualClock, journal: StateJournal) {
    (self.clock, self.journal) = (clock, journal)
  }

  /// Answers after a while.
  ///
  /// - Parameters:
  ///   - request: The name of the request, which is its name in the journal.
  ///   - lag: How long it takes, in milliseconds.
  ///   - isDeaf: Whether the request continues when it is cancelled, and answers, as many do.
  ///   - answer: The answer, or an error.
  @discardableResult
  func answer(
    _ request: String, in lag: Int, isDeaf: Bool = false, _ answer: @escaping () throws -> [String]
  ) async throws -> [String] {
    let deadline = clock.now.advanced(by: .milliseconds(lag))
    let data = data(of: request)
    // Both halves make the request at one time: the second one joins the load of the first.
    let time = Int(clock.now.offset / .milliseconds(1))
    func work() async throws -> [String] {
      try await clock.sleepOnCaller(until: deadline)
      return try answer()
    }
    func load() async throws -> [String] { try await data.load(joining: time) { try await work() }.get() ?? [] }
    let turn = Turn(of: request, at: time, after: lastTurn)
    lastTurn = turn
    defer { turn.end() }
    do {
      // A task of its own is not cancelled with this one.
      let answer = isDeaf ? try await Task(operation: load).value : try await load()
      try await turn.begin()
      return answer
    } catch let error as Refusal {
      try await turn.begin()
      throw error
    }
  }

  private func data(of request: String) -> AsyncData<[String]> {
    if let data = requests[request] { return data }
    let data = AsyncData<[String]>()
    requests[request] = data
    journal.attach(data, name: request)
    return data
  }
}

/// The turn of a caller among those that get one answer: they continue in the order in which they called. Without it the
/// global pool, through which each passes, decides.
@MainActor
private final class Turn {
  private let request: String
  private let time: Int
  /// Nil if this caller is the first one.
  private let former: ManualServer<Void>?
  private let gate = ManualServer<Void>(ignoresCancellation: true)

  init(of request: String, at time: Int, after last: Turn?) {
    (self.request, self.time) = (request, time)
    former = last.flatMap { $0.request == request && $0.time == time ? $0.gate : nil }
  }

  /// Suspends until the caller before has had its turn.
  func begin() async throws {
    try await former?.wait()
  }

  /// The caller continues until it suspends; then the next one does.
  func end() {
    gate.answer(call: 1, with: .success(()))
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
