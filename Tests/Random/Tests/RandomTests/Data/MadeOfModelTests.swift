// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Resources that are made of one another at random, some of them chosen, some behind a gate, some live, some following keys, some
  /// with optimistic changes, beside a plain program that knows what each must be made of.
  @MainActor
  struct MadeOfModelTests {
    /// Which version of each source a value was made of.
    struct Stamp: Equatable, Sendable {
      var versions: [Int: Int] = [:]
      /// Two versions of one source.
      var isMixed = false

      var isOdd: Bool { versions.values.reduce(0, +) % 2 == 1 }

      mutating func add(_ other: Stamp) {
        isMixed = isMixed || other.isMixed
        for (source, version) in other.versions {
          if let known = versions[source], known != version { isMixed = true }
          versions[source] = version
        }
      }
    }

    @MainActor
    final class World {
      private var random: SeededGenerator
      private(set) var sources: [AsyncResource<Stamp>] = []
      private(set) var made: [AsyncResource<Stamp>] = []
      /// What each is made of: sources, and others with a lower number.
      private var parts: [[Int]] = []
      /// Those whose first part chooses one of two others.
      private var choosing: Set<Int> = []
      private var versions: [Int] = []
      /// The keys that some sources follow: the version with which each began.
      private var keys: [Int: Input<Int?>] = [:]
      private var failing: Set<Int> = []
      private var live: [AsyncStream<Stamp>.Continuation?] = []
      private let noise = AsyncResource<Int> { 0 }
      private let gate = LoadGate()
      private var changes: [Task<Void, Never>] = []
      private(set) var calls: [Int: Int] = [:]
      private(set) var faults: [String] = []
      private var tokens: [ObservedToken] = []
      private(set) var lastStep = 0

      init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let sourceCount = Int.random(in: 1...4, using: &random)
        for source in 0..<sourceCount {
          versions.append(0)
          live.append(nil)
          switch Int.random(in: 0..<4, using: &random) {
          case 0, 1: sources.append(plainSource(source))
          case 2: sources.append(liveSource(source))
          default: sources.append(keyedSource(source))
          }
        }
        for number in 0..<Int.random(in: 1...8, using: &random) {
          let candidates = sourceCount + number
          parts.append(
            (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0..<candidates, using: &random) })
          let isSlow = Bool.random(using: &random)
          if parts[number].count == 3, Bool.random(using: &random) { choosing.insert(number) }
          made.append(AsyncResource(options: options(), source(of: number, isSlow)))
        }
        for (number, made) in made.enumerated() {
          tokens.append(
            made.observed.observe { [weak self] in
              if $0.value?.isMixed == true { self?.faults.append("\(number) displayed a mixture") }
            })
        }
      }

      private func stamp(_ source: Int) -> Stamp { Stamp(versions: [source: versions[source]]) }

      /// One in three waits at the gate.
      private func options() -> LoadOptions {
        LoadOptions(gate: Int.random(in: 0..<3, using: &random) == 0 ? gate : nil)
      }

      private func plainSource(_ source: Int) -> AsyncResource<Stamp> {
        AsyncResource(options: options()) { [weak self] in self?.stamp(source) }
      }

      private func liveSource(_ source: Int) -> AsyncResource<Stamp> {
        AsyncResource(
          options: options(),
          .live { [weak self] in
            let (stream, continuation) = AsyncStream<Stamp>.makeStream()
            if let self {
              self.live[source] = continuation
              continuation.yield(self.stamp(source))
            }
            return stream
          })
      }

      private func keyedSource(_ source: Int) -> AsyncResource<Stamp> {
        let key = Input<Int?>(0)
        keys[source] = key
        return AsyncResource(following: key.observed, previous: .random(using: &random), options: options()) {
          [weak self] (_: Int) -> Stamp? in
          if self?.failing.contains(source) == true { throw Failure(name: "source") }
          return self?.stamp(source)
        }
      }

      private func node(_ number: Int) -> AsyncResource<Stamp> {
        number < sources.count ? sources[number] : made[number - sources.count]
      }

      private func source(of number: Int, _ isSlow: Bool) -> AsyncSource<Stamp> {
        let parts = parts[number].map(node)
        if choosing.contains(number) {
          return .of(parts[0], then: { $0.isOdd ? parts[1] : parts[2] }) { [weak self] in
            try await self?.make(number, [$0, $1], isSlow)
          }
        }
        return switch parts.count {
        case 1: .of(parts[0]) { [weak self] in try await self?.make(number, [$0], isSlow) }
        // The first one also chooses.
        case 2:
          .of(parts[0], then: { _ in parts[1] }) { [weak self] in try await self?.make(number, [$0, $1], isSlow) }
        default:
          .of(parts[0], parts[1], parts[2]) { [weak self] in try await self?.make(number, [$0, $1, $2], isSlow) }
        }
      }

      private func make(_ number: Int, _ parts: [Stamp], _ isSlow: Bool) async throws -> Stamp {
        calls[number, default: 0] += 1
        var made = Stamp()
        for part in parts {
          made.add(part)
          if isSlow { _ = try await noise.get(when: .always) }
        }
        return made
      }

      /// What it must be made of.
      func expected(_ number: Int) -> Stamp {
        var all = Stamp()
        for part in chosenParts(of: number) { all.add(expectedNode(part)) }
        return all
      }

      private func expectedNode(_ number: Int) -> Stamp {
        number < sources.count ? stamp(number) : expected(number - sources.count)
      }

      private func chosenParts(of number: Int) -> [Int] {
        let parts = parts[number]
        return choosing.contains(number) ? [parts[0], parts[expectedNode(parts[0]).isOdd ? 1 : 2]] : parts
      }

      func loadAll() async {
        failing = []
        for made in made { await made.load(when: .stale) }
        await settle()
      }

      /// Opens the gate, and suspends until nothing is left to happen.
      func settle() async {
        gate.open()
        for change in changes { await change.value }
        changes = []
        var isAtRest = false
        while !isAtRest {
          isAtRest = true
          for resource in sources + made {
            if !resource.data.isSettledCompletely { isAtRest = false }
            await resource.settled()
          }
        }
      }

      // MARK: Steps

      /// Makes a random step.
      ///
      /// - Returns: Whether each is made at most once because of it, if all was fresh.
      func step() async -> Bool {
        let source = Int.random(in: sources.indices, using: &random)
        let number = Int.random(in: made.indices, using: &random)
        lastStep = Int.random(in: 0..<18, using: &random)
        switch lastStep {
        case 0, 1:
          versions[source] += 1
          sources[source].data.value = stamp(source)
        case 2:
          for source in sources.indices { versions[source] += 1 }
          for source in sources.indices { sources[source].data.value = stamp(source) }
          return false
        case 3:
          // A source whose stream is over is requested.
          versions[source] += 1
          if sources[source].data.isLive, let stream = live[source] {
            stream.yield(stamp(source))
            await reached(source)
          } else {
            // A connection that is being made has the version from before.
            let load = sources[source].refresh()
            if gate.isOpen { _ = await load.outcome() }
          }
        case 4: sources[source].invalidate()
        case 5: made[number].reload()
        case 6:
          made[number].refresh()
          versions[source] += 1
          sources[source].data.value = stamp(source)
          return false
        case 7: made[number].invalidate()
        case 8: change(source)
        case 9:
          gate.close()
          return false
        case 10:
          gate.open()
          return false
        case 11:
          await endStream(of: source)
          return false
        case 12, 13: return writeKey(source) && gate.isOpen
        case 14: changeMade(number)
        case 15:
          sources[source].forget()
          return false
        case 16:
          _ = try? await noise.get(when: .always)
          return false
        default:
          made[number].reload()
          made[number].cancel()
          return false
        }
        return gate.isOpen
      }

      /// An optimistic change, which the server takes; behind a closed gate it is undecided.
      private func change(_ source: Int) {
        versions[source] += 1
        let (version, data) = (versions[source], sources[source].data)
        changes.append(
          Task {
            _ = await data.mutate {
              $0.versions[source] = max($0.versions[source, default: 0], version)
            } commit: {
            }
          })
      }

      /// Another key of a source, whose request may fail.
      ///
      /// - Returns: True if it does not.
      private func writeKey(_ source: Int) -> Bool {
        guard let key = keys[source] else { return true }
        let fails = Int.random(in: 0..<3, using: &random) == 0
        if fails { failing.insert(source) } else { failing.remove(source) }
        versions[source] += 1
        key.write(versions[source])
        return !fails
      }

      /// An optimistic change of what is made of others, and no part itself: the server takes it as one of a source.
      private func changeMade(_ number: Int) {
        guard !parts.contains(where: { $0.contains(number + sources.count) }),
          let source = expected(number).versions.keys.min(), let version = made[number].value?.versions[source],
          version == versions[source]
        else { return }
        let data = made[number].data
        changes.append(
          Task {
            _ = await data.mutate {
              if $0.versions[source] == version { $0.versions[source] = version + 1 }
            } commit: {
              self.versions[source] += 1
            }
          })
      }

      /// The element arrives, unless a request takes the place of its stream before: that may wait for a closed gate.
      private func reached(_ source: Int) async {
        let version = versions[source]
        for await snapshot in sources[source].observed.values {
          if snapshot.value.map({ $0.versions[source, default: 0] >= version }) ?? false { return }
          if !sources[source].data.isLive { return }
        }
      }

      /// The end arrives: until then the source is fresh.
      private func endStream(of source: Int) async {
        live[source].take()?.finish()
        for await _ in sources[source].observed.values where !sources[source].data.isLive { return }
      }

      func takeCalls() -> [Int: Int] {
        defer { calls = [:] }
        return calls
      }

      /// At rest what is fresh is right, and made of what is fresh.
      func check(_ words: String) {
        for (number, made) in made.enumerated() {
          if made.error != nil, !chosenParts(of: number).contains(where: { node($0).error != nil }) {
            faults.append("\(words): \(number) has an error, and no part has")
          }
          for (source, version) in made.value?.versions ?? [:] where !sources[source].snapshot.isProvisional {
            if let key = keys[source]?.current, version < key {
              faults.append("\(words): \(number) has the value of a former key")
            }
          }
        }
        for (number, made) in made.enumerated() where !made.isStale {
          if chosenParts(of: number).contains(where: { node($0).isStale }) {
            faults.append("\(words): \(number) is fresh, and a part is stale")
          }
          if made.value != expected(number) {
            faults.append("\(words): \(number) has \(String(describing: made.value))")
          }
        }
      }

      /// Everything is requested that is stale: then everything is right.
      func checkAll(_ words: String) {
        check(words)
        for (number, made) in made.enumerated() where made.isStale {
          faults.append("\(words): \(number) is stale")
        }
      }
    }

    @Test(
      "20 what is fresh is right, nothing is made of a mixture, and each is made once for a cause", arguments: 0..<40)
    func random(block: UInt64) async {
      for seed in block * 10..<(block + 1) * 10 {
        let world = World(seed: seed)
        await world.loadAll()
        world.checkAll("seed \(seed), at first")
        for step in 0..<20 {
          _ = world.takeCalls()
          let isOnce = await world.step()
          await world.settle()
          world.check("seed \(seed), step \(step)")
          let calls = world.takeCalls()
          if isOnce, calls.values.contains(where: { $0 > 1 }) {
            Issue.record("seed \(seed), step \(step) of kind \(world.lastStep): \(calls)")
          }
          await world.loadAll()
          world.checkAll("seed \(seed), step \(step), requested")
        }
        #expect(world.faults == [])
      }
    }

    @Test("20 steps one into another: at the end, what is fresh is right, and nothing runs", arguments: 0..<40)
    func overlapping(block: UInt64) async {
      for seed in 1_000 + block * 10..<1_000 + (block + 1) * 10 {
        let world = World(seed: seed)
        for made in world.made { made.start() }
        for _ in 0..<30 { _ = await world.step() }
        await world.settle()
        world.check("seed \(seed)")
        await world.loadAll()
        world.checkAll("seed \(seed), requested")
        #expect(world.faults == [])
      }
    }
  }
}
