// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// Families in numbers: many entries at once, many keys one after another, many actors, many callers.
  @MainActor
  struct FamilyStormTests {
    /// Answers requests when so many run, and counts them.
    @MainActor
    final class Desk {
      private let width: Int
      private let total: Int
      private(set) var most = 0
      private(set) var count = 0
      private var running: [CheckedContinuation<Void, Never>] = []

      init(width: Int, total: Int) {
        self.width = width
        self.total = total
      }

      func answer(_ key: Int) async -> Int {
        await withCheckedContinuation { continuation in
          running.append(continuation)
          count += 1
          most = max(most, running.count)
          guard running.count == width || count == total else { return }
          // All have ended before the next ones can begin.
          for continuation in running { continuation.resume() }
          running = []
        }
        return key
      }

      func begin() {
        most = 0
        count = 0
      }
    }

    @Test(
      "11.2, 11.4 a storm over 1,000 held entries: each is notified once when it is marked, four requests at a time")
    func storm() async {
      let count = 1_000
      let desk = Desk(width: 4, total: count)
      let board = AsyncTagBoard(gate: LoadGate(width: 4))
      let family = AsyncFamily<Int, Int>(board: board, tags: { _, _ in ["all"] }) { key in await desk.answer(key) }
      var held: [AsyncResource<Int>] = []
      for key in 0..<count {
        let resource = family[key]
        held.append(resource)
        resource.data.value = key
      }
      for resource in held { resource.start() }
      await family.settled()
      expectEqual(desk.count, count)
      var marks = 0
      var loads = 0
      let tokens = held.map { resource in
        resource.observed.observe { snapshot in
          if snapshot.isInvalidated && !snapshot.isRunning { marks += 1 }
          if snapshot.isRunning { loads += 1 }
        }
      }
      desk.begin()
      board.invalidate("all", "others")
      expectEqual(marks, count)
      await board.settled()
      expectEqual(desk.most, 4)
      expectEqual(desk.count, count)
      expectEqual(loads, count)
      #expect(held.allSatisfy { !$0.isStale })

      // The same with the board closed and opened.
      desk.begin()
      marks = 0
      loads = 0
      board.gate.close()
      board.invalidate("all")
      board.invalidate("all")
      expectEqual(marks, 2 * count)
      await board.settled()
      expectEqual(desk.count, 0)
      #expect(held.allSatisfy { $0.isStale })
      board.gate.open()
      await board.settled()
      expectEqual(desk.most, 4)
      expectEqual(desk.count, count)
      expectEqual(loads, count)
      expectEqual(marks, 2 * count)
      #expect(held.allSatisfy { !$0.isStale })
      withExtendedLifetime(tokens) {}
    }

    @Test("10.2 many thousand different keys leave at most 208 entries, and nothing of the others")
    func memory() {
      final class Life {
        nonisolated(unsafe) static var count = 0
        init() { Life.count += 1 }
        deinit { Life.count -= 1 }
      }
      let family = AsyncFamily<Int, Life>(keepUnused: 100) { _ in Life() }
      var most = 0
      // With a soak a million of them.
      for key in 0..<(Soak.isOn ? 1_000_000 : 10_000) {
        family[key].data.value = Life()
        most = max(most, family.table.count)
      }
      #expect(most <= 208)
      expectEqual(Life.count, family.table.count)
      family.trim()
      expectEqual(Life.count, 100)
      family.trim(toIdle: 0)
      expectEqual(Life.count, 0)
    }

    actor Session {
      private lazy var family: AsyncFamily<Int, Int> = AsyncFamily(isolation: self, keepUnused: 3) { key in
        .value { key }
      }

      func serve() async -> Int {
        var sum = 0
        for key in 0..<5 { sum += (try? await family[key].load().get()) ?? 0 }
        return sum
      }
    }

    @Test("10.7 a thousand actors, each with a family of its own")
    func thousandActors() async {
      let sums = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<1_000 {
          group.addTask { await Session().serve() }
        }
        var sums: [Int] = []
        for await sum in group { sums.append(sum) }
        return sums
      }
      expectEqual(sums, Array(repeating: 10, count: 1_000))
    }

    actor Desks {
      private let gate: ManualServer<Void>
      private lazy var family: AsyncFamily<Int, Int> = AsyncFamily(isolation: self, keepUnused: 10) { [gate] key in
        .value {
          try await gate.wait(for: key)
          return key
        }
      }

      init(_ gate: ManualServer<Void>) { self.gate = gate }

      func get(_ key: Int) async -> Int? { try? await family[key].load(when: .stale).get() }
    }

    @Test("3.5 a thousand callers of ten keys on one actor: ten requests")
    func thousandCallers() async {
      let gate = ManualServer<Void>()
      let desks = Desks(gate)
      let answers = await withTaskGroup(of: Int?.self) { group in
        for caller in 0..<1_000 { group.addTask { await desks.get(caller % 10) } }
        await gate.arrived(10)
        for call in 1...10 { gate.answer(call: call, with: .success(())) }
        var counts: [Int?: Int] = [:]
        for await answer in group { counts[answer, default: 0] += 1 }
        return counts
      }
      expectEqual(answers.count, 10)
      #expect(answers.values.allSatisfy { $0 == 100 })
      expectEqual(gate.arguments(as: Int.self).sorted(), Array(0..<10))
    }
  }
}
