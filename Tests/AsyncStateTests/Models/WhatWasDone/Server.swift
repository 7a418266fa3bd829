// SPDX-License-Identifier: MIT
@testable import AsyncStateTesting

@testable import AsyncState

/// What a person does: something is added to a room, or to a row of the feed.
struct SentInput: Hashable, Sendable {
  let number: Int
  let room: Int
  let lane: Int

  /// What the server answers.
  var answer: Int { number * 10 }
}

/// A row of the feed, with the numbers of what was done to it.
struct FeedRow: Identifiable, Equatable, Sendable {
  let id: Int
  var numbers: [Int]
}

typealias RowFeed = Paged<FeedRow, Int>

/// An answer was lost on its way, or the request was.
struct LostRequest: Error {}

/// The server has refused an input, and has not done it.
struct RefusedInput: Error {}

/// A process of the app: when it is killed, it has neither a network nor stores.
final class AppProcess {
  let number: Int
  var isAlive = true

  init(_ number: Int) { self.number = number }
}

/// The server of an app, and the requests on their way.
///
/// It does each input once, whatever was sent how often; a payment is known by its key. What the client has given up is done, or is lost, before anything
/// else happens: a request that arrives days later is none that a client can know of.
@ModelActor
final class AppServer {
  enum Call {
    /// - Parameter key: What the server knows an input by; nil: by itself.
    case write(SentInput, key: String? = nil)
    case read(room: Int)
    case page(after: Int?)
  }

  /// The state after the call.
  struct Answer: Sendable {
    var output = 0
    var numbers: [Int] = []
    var page: [FeedRow] = []
  }

  enum End {
    /// It arrives, and so does its answer.
    case answered
    /// It arrives, and its answer does not.
    case lost
    /// It does not arrive, unless it has already.
    case unreachable
    /// The server does not do it, unless it has already.
    case refused
  }

  @ModelActor
  final class Request {
    let call: Call
    let process: AppProcess
    fileprivate let number: Int
    fileprivate let isGivenUp = Locked(false)
    fileprivate var result: Result<Answer, any Error>?
    private let told = Promise<Result<Answer, any Error>>()

    fileprivate init(_ call: Call, of process: AppProcess, number: Int) {
      self.call = call
      self.process = process
      self.number = number
    }

    /// Answered by the server, and not by the network.
    var isDone: Bool { result != nil }

    fileprivate func untilTold() async -> Result<Answer, any Error> { await told.wait() }

    fileprivate func tell() { told.keep(result ?? .failure(LostRequest())) }
  }

  nonisolated static let rooms = 0...2
  /// The rows of the feed.
  nonisolated static let rows = 3...7
  private static let pageLength = 2

  /// In the order in which it was done.
  private(set) var done: [SentInput] = []
  /// The last answer about each input.
  private(set) var told: [Int: Result<Int, any Error>] = [:]
  private(set) var requests: [Request] = []
  /// Everything is answered at once.
  var isPrompt = false
  var didArrive: (SentInput) -> Void = { _ in }
  var willDo: (SentInput) -> Void = { _ in }
  private var count = 0
  private var keys: Set<String> = []

  func numbers(in room: Int) -> [Int] { done.filter { $0.room == room }.map(\.number).sorted() }

  func page(after row: Int?) -> [FeedRow] {
    let first = row.map { $0 + 1 } ?? Self.rows.lowerBound
    return (first..<first + Self.pageLength).filter(Self.rows.contains).map {
      FeedRow(id: $0, numbers: numbers(in: $0))
    }
  }

  static func listed(_ rows: [FeedRow]) -> RowFeed.Page {
    RowFeed.Page(items: rows, next: rows.last.flatMap { $0.id < Self.rows.upperBound ? $0.id : nil })
  }

  // MARK: The network

  func send(_ call: Call, of process: AppProcess) async throws -> Answer {
    guard process.isAlive else { throw LostRequest() }
    endGivenUp()
    if case .write(let input, _) = call { didArrive(input) }
    count += 1
    let request = Request(call, of: process, number: count)
    guard !isPrompt else {
      answer(request)
      note(request)
      return try request.result!.get()
    }
    requests.append(request)
    return try await withTaskCancellationHandler {
      await ModelActor.stay { await request.untilTold() }
    } onCancel: { [isGivenUp = request.isGivenUp] in
      isGivenUp.withLock { $0 = true }
    }.get()
  }

  /// The server does what was requested. Its answer is on the way.
  func answer(_ request: Request) {
    endGivenUp()
    guard request.result == nil else { return }
    switch request.call {
    case .write(let input, let key):
      perform(input, key)
      request.result = .success(Answer(output: input.answer, numbers: numbers(in: input.room)))
    case .read(let room): request.result = .success(Answer(numbers: numbers(in: room)))
    case .page(let row): request.result = .success(Answer(page: page(after: row)))
    }
  }

  func perform(_ input: SentInput, _ key: String? = nil) {
    guard keys.insert(known(input, key)).inserted else { return }
    willDo(input)
    done.append(input)
  }

  private func known(_ input: SentInput, _ key: String?) -> String { key ?? "\(input.number)" }

  /// The client is notified of the end of a request.
  func end(_ request: Request, _ end: End) {
    guard let index = requests.firstIndex(where: { $0 === request }) else { return }
    switch end {
    case .answered: answer(request)
    case .lost:
      answer(request)
      request.result = .failure(LostRequest())
    case .unreachable: request.result = .failure(LostRequest())
    case .refused:
      endGivenUp()
      if case .write(let input, let key) = request.call, request.result == nil, !keys.contains(known(input, key)) {
        request.result = .failure(RefusedInput())
      } else {
        answer(request)
      }
    }
    requests.remove(at: index)
    note(request)
    request.tell()
  }

  private func note(_ request: Request) {
    guard case .write(let input, _) = request.call else { return }
    told[input.number] = request.result?.map(\.output)
  }

  /// What the client has given up is done, or never will be.
  func endGivenUp() {
    for request in requests where request.isGivenUp.withLock({ $0 }) { endOnItsWay(request) }
  }

  private func endOnItsWay(_ request: Request) {
    guard request.result == nil else { return }
    if request.number % 2 == 0, case .write(let input, let key) = request.call { perform(input, key) }
    request.result = .failure(LostRequest())
  }

  /// The process of the app was killed.
  func disconnect(_ process: AppProcess) {
    process.isAlive = false
    let lost = requests.filter { $0.process === process }
    for request in lost { endOnItsWay(request) }
    requests.removeAll { $0.process === process }
    for request in lost {
      request.result = .failure(LostRequest())
      request.tell()
    }
  }
}
