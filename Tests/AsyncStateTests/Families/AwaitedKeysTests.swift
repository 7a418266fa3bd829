// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct AwaitedKeysTests {
    @MainActor
    final class Graph {
      /// What each key awaits.
      var needs: [String: [String]]
      let gates: [String: Gate<Void>]
      private(set) var requests: [String] = []
      private(set) var family: AsyncFamily<String, Int>!

      init(_ needs: [String: [String]], gates: [String: Gate<Void>] = [:]) {
        self.needs = needs
        self.gates = gates
        family = AsyncFamily(keepIdle: .max) { [weak self] key in try await self?.answer(key) }
      }

      private func answer(_ key: String) async throws -> Int {
        requests.append(key)
        try await gates[key]?.wait()
        var sum = 1
        for need in needs[key] ?? [] { sum += try await family[need].load().get() ?? 0 }
        return sum
      }
    }

    private func path(_ outcome: AsyncOutcome<Int?>) -> [String]? {
      guard case .failure(let error as LoadCycleError) = outcome else { return nil }
      return error.path
    }

    @Test("9.13 an operation may await other keys, and one of them from several sides")
    func diamond() async throws {
      let graph = Graph(["a": ["b", "c"], "b": ["d"], "c": ["d"]])
      #expect(try await graph.family["a"].load().get() == 5)
      #expect(graph.requests == ["a", "b", "d", "c", "d"])
    }

    @Test("9.13 a key that awaits itself fails with its path")
    func itself() async {
      let graph = Graph(["a": ["a"]])
      #expect(path(await graph.family["a"].load()) == ["a", "a"])
    }

    @Test("9.13 a cycle fails with an error that names the path")
    func cycle() async {
      let graph = Graph(["a": ["b"], "b": ["c"], "c": ["a"]])
      let outcome = await graph.family["a"].load()
      #expect(path(outcome) == ["c", "a", "b", "c"])
      guard case .failure(let error) = outcome else { return }
      #expect("\(error)".contains("c → a → b → c"))
      await graph.family.settled()
    }

    @Test("9.13 a cycle through a load that was joined fails, too")
    func joined() async {
      let gates = ["a": Gate<Void>(), "b": Gate<Void>()]
      let graph = Graph(["a": ["b"], "b": ["a"]], gates: gates)
      let first = graph.family["a"].start()
      let second = graph.family["b"].start()
      await gates["a"]?.arrived(1)
      await gates["b"]?.arrived(1)
      for gate in gates.values { gate.answer(call: 1, with: .success(())) }
      let paths = [path(await first.outcome()), path(await second.outcome())]
      #expect(paths.compactMap(\.self).allSatisfy { $0.count == 3 && $0.first == $0.last })
      #expect(paths.contains { $0 != nil })
    }

    @Test("9.13 a cycle through the handle of a load fails, too")
    func handle() async {
      @MainActor final class Pair {
        lazy var family: AsyncFamily<Int, Int> = AsyncFamily(keepIdle: .max) { [weak self] key in
          try await self?.family[1 - key].start().outcome().get()
        }
      }
      let pair = Pair()
      #expect(await pair.family[0].load().word.hasPrefix("failure"))
      await pair.family.settled()
    }

    @Test("9.13 a load that an operation awaits has begun when the operation suspends")
    func beginsAtOnce() async throws {
      @MainActor final class Pair {
        private(set) var hadBegun: Bool?
        lazy var family: AsyncFamily<String, Int> = AsyncFamily(keepIdle: .max) { [weak self] key in
          guard let self, key == "outer" else { return 1 }
          let inner = family["inner"]
          // It has its turn when the operation suspends for the first time.
          perform(on: MainActor.shared) { self.hadBegun = inner.isRunning }
          return try await inner.load().get()
        }
      }
      let pair = Pair()
      #expect(try await pair.family["outer"].load().get() == 1)
      #expect(pair.hadBegun == true)
    }

    @Test("9.13 what is awaited twice, and again after it has ended, is no cycle")
    func again() async throws {
      let graph = Graph(["a": ["b", "b", "c"], "c": ["b"]])
      #expect(try await graph.family["a"].load().get() == 5)
      graph.needs = ["b": ["a"]]
      #expect(try await graph.family["b"].load().get() == 2)
    }

    actor Station {
      let name: String
      weak var other: Station?
      private var family: AsyncFamily<String, String>!

      init(_ name: String) { self.name = name }

      func connect(_ other: Station?) {
        self.other = other
        family = AsyncFamily(isolation: self, keepIdle: .max) { [weak self] key in
          .value { try await self?.answer(key) }
        }
      }

      private func answer(_ key: String) async throws -> String {
        guard let other else { return name }
        return try await other.get("\(name)\(key)")
      }

      func get(_ key: String) async throws -> String {
        try await family[key == "loop" || key.hasSuffix("loop") ? "loop" : key].load().get() ?? ""
      }
    }

    @Test("9.13 a cycle between families on two actors fails, too")
    func actors() async throws {
      let north = Station("n")
      let south = Station("s")
      await north.connect(south)
      await south.connect(nil)
      #expect(try await north.get("x") == "s")
      await south.connect(north)
      await #expect(throws: LoadCycleError.self) { try await north.get("loop") }
      withExtendedLifetime((north, south)) {}
    }

    @Test("9.13 a task that outlives its operation is no part of it")
    func leftover() async throws {
      let gate = Gate<Void>()
      var leftover: Task<Int?, any Error>?
      var family: AsyncFamily<String, Int>!
      family = AsyncFamily(keepIdle: .max) { key in
        if key == "a", leftover == nil {
          leftover = Task {
            try await gate.wait()
            return try await family["b"].load().get()
          }
        }
        return key == "b" ? try await family["a"].load().get() : 1
      }
      await family["a"].load()
      gate.answer(call: 1, with: .success(()))
      #expect(try await leftover?.value == 1)
    }
  }
}
