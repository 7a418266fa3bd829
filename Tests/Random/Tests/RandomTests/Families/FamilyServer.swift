// SPDX-License-Identifier: MIT
@testable import AsyncState

/// What a family of the random world has.
struct WorldPost: Equatable, Sendable, CustomStringConvertible {
  let user: Int
  let version: Int
  var likes = 0

  var description: String { "\(user):\(version)\(likes == 0 ? "" : "+\(likes)")" }
}

/// A server that reads when a request arrives, and answers when a command says so.
@ModelActor
final class FamilyServer {
  struct Failure: Error {}

  private struct Request {
    let post: WorldPost
    let answer = Promise<Bool>()
  }

  private(set) var versions = [Int](repeating: 1, count: FamilyWorld.keyCount)
  var user = 1
  /// Everything is answered at once.
  var isPrompt = false
  private var requests: [Request] = []
  private var streams: [Int: AsyncStream<WorldPost>.Continuation] = [:]

  func post(_ key: Int) -> WorldPost { WorldPost(user: user, version: versions[key]) }

  func change(_ key: Int) { versions[key] += 1 }

  func get(_ key: Int) async throws -> WorldPost {
    let request = Request(post: post(key))
    try await end(request)
    return request.post
  }

  func send() async throws { try await end(Request(post: post(0))) }

  func connect(_ key: Int) async throws -> AsyncStream<WorldPost> {
    let first = try await get(key)
    let (stream, continuation) = AsyncStream<WorldPost>.makeStream()
    streams[key] = continuation
    continuation.yield(first)
    return stream
  }

  /// An element of an open stream; or the stream breaks.
  func push(_ key: Int, breaks: Bool) {
    if breaks { streams.removeValue(forKey: key)?.finish() } else { streams[key]?.yield(post(key)) }
  }

  private func end(_ request: Request) async throws {
    if isPrompt { return }
    requests.append(request)
    guard await ModelActor.stay({ await request.answer.wait() }) else { throw Failure() }
  }

  func end(_ place: Int, isSuccess: Bool) {
    if !requests.isEmpty { requests.remove(at: place % requests.count).answer.keep(isSuccess) }
  }

  func endAll() {
    isPrompt = true
    while !requests.isEmpty { end(0, isSuccess: true) }
    for stream in streams.values { stream.finish() }
  }
}

/// A store in which each use waits, and then succeeds, fails, or fails after its work. It checks how it is used.
final class FamilyWorldStore: ValueStore {
  enum End: CaseIterable { case succeeds, fails, failsLate }

  struct Broken: Error {}

  private(set) var stored: [Int: (value: StoredValue<WorldPost>, time: Duration)] = [:]
  private(set) var faults: [String] = []
  /// What the store should have for a key, as a plain program notes it.
  var expected: (Int) -> FamilyWorld.Expected = { _ in .unknown }
  private let now: () -> Duration
  private var waiting: [Promise<End>] = []
  private var isWriting = false
  var isPrompt = false
  private(set) var writeCount = 0

  init(_ now: @escaping () -> Duration) { self.now = now }

  /// Lets one of the present uses go on.
  @ModelActor func goOn(_ place: Int, _ end: End) {
    if !waiting.isEmpty { waiting.remove(at: place % waiting.count).keep(end) }
  }

  @ModelActor func goOnAll() {
    isPrompt = true
    while !waiting.isEmpty { goOn(0, .succeeds) }
  }

  private func end(isolation: isolated (any Actor)?) async -> End {
    if isPrompt { return .succeeds }
    let end = Promise<End>()
    waiting.append(end)
    return await ModelActor.stay { await end.wait() }
  }

  func put(_ post: WorldPost, _ key: Int) { stored[key] = (StoredValue(post, age: .zero), now()) }

  func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<WorldPost>? {
    if case .post(let post, let isMarked) = expected(key),
      stored[key]?.value.value != post || isMarked && stored[key]?.value.isInvalidated == false
    {
      faults.append("\(key) is read while the store does not have what memory has")
    }
    let found = stored[key]
    if await end(isolation: isolation) != .succeeds { throw Broken() }
    return found.map {
      StoredValue(
        $0.value.value, age: $0.value.age.map { [time = $0.time] in $0 + now() - time },
        isInvalidated: $0.value.isInvalidated)
    }
  }

  private func write(isolation: isolated (any Actor)?, _ change: () -> Void) async throws {
    if isWriting { faults.append("two writes run at a time") }
    isWriting = true
    defer { isWriting = false }
    writeCount += 1
    let end = await end(isolation: isolation)
    if end != .fails { change() }
    if end != .succeeds { throw Broken() }
  }

  func save(
    _ values: [Int: StoredValue<WorldPost>], removing keys: Set<Int>, isolation: isolated (any Actor)?
  ) async throws {
    let time = now()
    try await write(isolation: isolation) {
      for (key, value) in values { stored[key] = (value, time) }
      for key in keys { stored[key] = nil }
    }
  }

  func markStale(_ keys: Set<Int>, isolation: isolated (any Actor)?) async throws {
    try await write(isolation: isolation) { for key in keys { stored[key]?.value.isInvalidated = true } }
  }

  func removeAll(isolation: isolated (any Actor)?) async throws {
    try await write(isolation: isolation) { stored = [:] }
  }
}
