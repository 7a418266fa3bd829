// SPDX-License-Identifier: MIT
/// A change that the server does as often as it arrives, so that one that is lost or made twice is seen.
struct SentChange: Hashable, Sendable {
  let number: Int
  var setsTitle = false

  func make(in page: inout VersionedPage) {
    page.rows.append(number)
    if setsTitle { page.title = number }
  }
}

/// What the server has.
struct VersionedPage: Equatable, Sendable {
  var rows: [Int] = []
  var title = 0

  /// The same changes, in whatever order they were made.
  func isSame(as other: Self) -> Bool { rows.sorted() == other.rows.sorted() && title == other.title }
}

/// The server of one value. It does requests in any order, and its answers arrive in any order.
@ModelActor
final class ChangesServer {
  enum End { case answered, lost }

  struct Lost: Error {}

  final class Request {
    /// Nil: the value is read.
    let change: SentChange?
    /// The value when the server has done it; nil until then.
    var answer: VersionedPage?
    /// True if its answer is the only news that it was done: it is not lost after that.
    var isGivenUp = false
    let end = Promise<End>()
    /// Its operation has the answer, and is back on the actor.
    let hasReturned = Promise<Void>()

    init(_ change: SentChange?) { self.change = change }
  }

  private(set) var page = VersionedPage()
  private(set) var requests: [Request] = []
  private(set) var requestCount = 0

  var sent: [Request] { requests.filter { $0.answer == nil } }
  var done: [Request] { requests.filter { $0.answer != nil } }

  func read() async throws -> VersionedPage {
    try await send(Request(nil))
  }

  func write(_ change: SentChange) async throws -> Int {
    _ = try await send(Request(change))
    return change.number
  }

  private func send(_ request: Request) async throws -> VersionedPage {
    requests.append(request)
    requestCount += 1
    let end = await request.end.wait()
    request.hasReturned.keep(())
    switch end {
    case .answered: return request.answer ?? page
    case .lost: throw Lost()
    }
  }

  /// It changes by itself.
  func make(_ change: SentChange) { change.make(in: &page) }

  func `do`(_ request: Request) {
    request.change?.make(in: &page)
    request.answer = page
  }

  /// Suspends until the operation has the answer.
  func end(_ request: Request, _ end: End) async {
    requests.removeAll { $0 === request }
    request.end.keep(end)
    await request.hasReturned.wait()
  }

  func request(of number: Int) -> Request? { requests.first { $0.change?.number == number } }
}
