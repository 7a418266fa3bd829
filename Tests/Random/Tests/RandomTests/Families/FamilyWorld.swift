// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// Families with a store on one board, beside a plain program: it notes what the app knows of the server, and what memory
/// has confirmed.
///
/// - Nothing is called fresh that is older than the last invalidation, or than a change that was pushed.
/// - Nothing of a former user is displayed, and at rest nothing is stored.
/// - No key is read from the store while the store does not have what memory has, and one write runs at a time.
/// - At rest the store has what memory has, and what is in use is up to date.
final class FamilyWorld: Comparison {
  struct Setup {
    let isLive: Bool
    let keepUnused: Int
    let staleAfter: Int?
    let width: Int
    let retries: Bool
  }

  /// What the store should have for a key.
  enum Expected {
    case post(WorldPost?, isMarked: Bool)
    /// A value that was restored, which is written when it is invalidated.
    case unknown
  }

  nonisolated static let keyCount = 4
  nonisolated static let name = "families"

  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(
      isLive: Int.random(in: 0..<3, using: &random) == 0, keepUnused: [0, 1, 50].randomElement(using: &random)!,
      staleAfter: [nil, 3].randomElement(using: &random)!, width: Int.random(in: 1...3, using: &random),
      retries: .random(using: &random))
  }

  static func command(using random: inout SeededGenerator) -> FamilyWorldCommand { .random(using: &random) }

  private let clock = ManualClock()
  private let server = FamilyServer()
  private let store: FamilyWorldStore
  private let board: AsyncTagBoard
  private let network = LoadGate()
  private let family: AsyncFamily<Int, WorldPost>
  private var held: [Int: AsyncResource<WorldPost>] = [:]
  private var calls: [Task<Void, Never>] = []

  // The plain program.

  /// The version of each key that the last invalidation was about.
  private var known = [Int](repeating: 0, count: keyCount)
  private var expected: [Expected] = []

  init(_ setup: Setup) {
    let (server, clock, network) = (server, clock, network)
    let start = clock.now
    store = FamilyWorldStore { start.duration(to: clock.now) }
    board = AsyncTagBoard(gate: LoadGate(width: setup.width))
    let options = LoadOptions(
      staleAfter: setup.staleAfter.map { .seconds($0) },
      retry: setup.retries ? RetryPolicy { $0.count > 1 ? nil : .zero } : .never, clock: clock, gate: network)
    let tags = { (key: Int, _: WorldPost?) -> Set<AsyncTag> in ["all", AsyncTag(key)] }
    family = AsyncFamily(
      isolation: ModelActor.shared, options: options, keepUnused: setup.keepUnused, board: board, tags: tags,
      store: store
    ) { key in
      setup.isLive ? .live { try await server.connect(key) } : .value { try await server.get(key) }
    }
    for key in 0..<Self.keyCount {
      let post = key.isMultiple(of: 2) ? server.post(key) : nil
      if let post { store.put(post, key) }
      expected.append(.post(post, isMarked: false))
    }
    store.expected = { [weak self] in self?.expected[$0] ?? .unknown }
  }

  func perform(_ command: FamilyWorldCommand) async -> String? {
    await make(command)
    await ModelActor.idle()
    return check()
  }

  private func make(_ command: FamilyWorldCommand) async {
    switch command {
    case .start(let key, let isStale): family[key].start(when: isStale ? .stale : .always, isolation: ModelActor.shared)
    case .call(let key):
      calls.append(ModelActor.task { [family] in await family[key].load(isolation: ModelActor.shared) })
    case .leave(let place): if !calls.isEmpty { calls.remove(at: place % calls.count).cancel() }
    case .supersede(let key): family[key].refresh(isolation: ModelActor.shared)
    case .cancel(let key): family.existing(key)?.cancel()
    case .hold(let key): held[key] = family[key]
    case .drop(let key): held[key] = nil
    case .answer(let place, let isSuccess): server.end(place, isSuccess: isSuccess)
    case .push(let key, let breaks): server.push(key, breaks: breaks)
    case .set(let key): family[key].data.value = server.post(key)
    case .restore(let key, let age):
      expected[key] = .unknown
      family.restore(StoredValue(server.post(key), age: .seconds(age)), for: key)
    case .like(let key):
      let post = family[key]
      calls.append(
        ModelActor.task { [server] in
          await post.data.mutate(isolation: ModelActor.shared, { $0.likes += 1 }) { try await server.send() }
        })
    case .update(let key):
      server.change(key)
      known[key] = server.versions[key]
      let version = known[key]
      family[key].update {
        $0 = WorldPost(user: $0.user, version: max(version, $0.version), likes: $0.likes)
      }
    case .reset(let key): family.existing(key)?.reset()
    case .invalidate(let key): family.existing(key)?.invalidate()
    case .change(let key, let isForAll):
      server.change(key)
      if isForAll { known = server.versions } else { known[key] = server.versions[key] }
      board.invalidate(isForAll ? "all" : AsyncTag(key))
    case .refreshStale: board.refreshStale()
    case .gate(let isOpen):
      if isOpen {
        board.gate.open(isolation: ModelActor.shared)
      } else {
        board.gate.close(isolation: ModelActor.shared)
      }
    case .network(let isOpen):
      if isOpen { network.open(isolation: ModelActor.shared) } else { network.close(isolation: ModelActor.shared) }
    case .evict: family.trim(toIdle: 0)
    case .forget(let key):
      expected[key] = .post(nil, isMarked: false)
      calls.append(ModelActor.task { [family] in try? await family.forget(key, isolation: ModelActor.shared) })
    case .forgetResource(let key):
      if let post = family.existing(key) {
        expected[key] = .post(nil, isMarked: false)
        post.forget()
      }
    case .logOut:
      calls.append(
        ModelActor.task { [self] in
          for key in 0..<Self.keyCount { expected[key] = .post(nil, isMarked: false) }
          server.user += 1
          try? await family.forgetAll(isolation: ModelActor.shared)
        })
    case .store(let place, let end): store.goOn(place, end)
    case .advance(let seconds): await clock.advance(by: .seconds(seconds))
    }
  }

  private func check() -> String? {
    for key in 0..<Self.keyCount {
      guard let post = family.existing(key) else { continue }
      if let value = post.value {
        if value.user != server.user { return "\(key) displays \(value), which is of a former user" }
        if !post.isStale, value.version < known[key] { return "\(key) is fresh, and displays \(value)" }
      }
      // What was answered, set or pushed is what the store should have, or a stored value with a change.
      guard let confirmed = post.data.confirmed else { continue }
      if case .post(confirmed.value, _) = expected[key], post.snapshot.isProvisional { continue }
      if post.snapshot.isProvisional, case .unknown = expected[key] { continue }
      expected[key] = .post(confirmed.value, isMarked: confirmed.isInvalidated)
    }
    return store.faults.first
  }

  func finish() async -> String? {
    // Many things happen before the next check.
    store.expected = { _ in .unknown }
    for isAgain in [false, true] {
      store.goOnAll()
      server.endAll()
      network.open(isolation: ModelActor.shared)
      board.gate.open(isolation: ModelActor.shared)
      board.refreshStale()
      await family.untilSettled(isolation: ModelActor.shared)
      await board.untilSettled(isolation: ModelActor.shared)
      for call in calls { await call.value }
      await family.untilSettled(isolation: ModelActor.shared)
      if let fault = check() { return fault }
      // What could not be written is written with the next change.
      if !isAgain { family[0].data.value = server.post(0) }
    }
    for key in 0..<Self.keyCount {
      let stored = store.stored[key]?.value
      guard case .post(let post, let isMarked) = expected[key] else { continue }
      // What has arrived, was stored and left memory between two checks is newer.
      if let post, let other = stored?.value, family.existing(key) == nil, other.version > post.version { continue }
      if stored?.value != post { return "at rest the store has \(stored as Any) of \(key), and memory \(post as Any)" }
      if isMarked, stored?.isInvalidated == false {
        return "at rest the store does not know that \(key) is out of date"
      }
      if family.table.settings.rows?.isUnsaved(key) == true { return "at rest \(key) is owed" }
    }
    for (key, post) in held where family.table.present(key)?.wasRequested == true {
      if let value = post.value, value.version < known[key] { return "at rest \(key) is in use, and displays \(value)" }
      if post.isRunning { return "at rest \(key) is being requested" }
    }
    return nil
  }
}
