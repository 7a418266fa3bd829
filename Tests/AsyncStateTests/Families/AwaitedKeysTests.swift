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
      let gates: [String: ManualServer<Void>]
      private(set) var requests: [String] = []
      private(set) var family: AsyncFamily<String, Int>!

      init(_ needs: [String: [String]], gates: [String: ManualServer<Void>] = [:]) {
        self.needs = needs
        self.gates = gates
        family = AsyncFamily(keepUnused: .max) { [weak self] key in try await self?.answer(key) }
      }

      private func answer(_ key: String) async throws -> Int {
        requests.append(key)
        try await gates[key]?.wait()
        var sum = 1
        for need in needs[key] ?? [] { sum += try await family[need].load().get() ?? 0 }
        return sum
      }
    }

    @Test("9.13 a load that an operation awaits has begun when the operation suspends")
    func beginsAtOnce() async throws {
      @MainActor final class Pair {
        private(set) var hadBegun: Bool?
        lazy var family: AsyncFamily<String, Int> = AsyncFamily(keepUnused: .max) { [weak self] key in
          guard let self, key == "outer" else { return 1 }
          let inner = family["inner"]
          // It has its turn when the operation suspends for the first time.
          perform(on: MainActor.shared) { self.hadBegun = inner.isRunning }
          return try await inner.load().get()
        }
      }
      let pair = Pair()
      try await expectEqual(pair.family["outer"].load().get(), 1)
      expectEqual(pair.hadBegun, true)
    }

    @Test("9.13 what is awaited twice, and again after it has ended, is no cycle")
    func again() async throws {
      let graph = Graph(["a": ["b", "b", "c"], "c": ["b"]])
      try await expectEqual(graph.family["a"].load().get(), 5)
      graph.needs = ["b": ["a"]]
      try await expectEqual(graph.family["b"].load().get(), 2)
    }

    @Test("9.13 a task that outlives its operation is no part of it")
    func leftover() async throws {
      let gate = ManualServer<Void>()
      var leftover: Task<Int?, any Error>?
      var family: AsyncFamily<String, Int>!
      family = AsyncFamily(keepUnused: .max) { key in
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
      try await expectEqual(leftover?.value, 1)
    }
  }
}
