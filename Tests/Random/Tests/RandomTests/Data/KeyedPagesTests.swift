// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Pages that follow a key, with changes, at random: no model, but what must hold after every step.
  @ModelActor
  struct KeyedPagesTests {
    @Test("3.12, 3.13, 9.6 a list has the rows of one key, without a hole, each once; at rest nothing is left")
    func random() async {
      for seed in Soak.seeds(300) {
        let screen = KeyedPages(seed: seed)
        let reason = await ModelActor.stay { await screen.run(steps: 60) }
        guard let reason else { continue }
        Issue.record("seed \(seed): \(reason)")
        return
      }
    }
  }
}

/// A list of a key, whose backend answers when a test lets it, in any order, and ignores that it is cancelled.
@ModelActor
private final class KeyedPages {
  struct Row: Identifiable, Equatable {
    var id: Int
    var key: String
    var likes = 0
  }

  typealias List = Paged<Row, Int>

  private var random: SeededGenerator
  private let clock = ManualClock()
  private let key = Input<String?>("a")
  private let resource: AsyncResource<List>
  private let backend = Backend()
  private var tasks: [Task<Void, Never>] = []
  private let hasDelay: Bool
  private let previous: PreviousValue

  /// What waits for an answer.
  @ModelActor
  private final class Backend {
    var gates: [ManualServer<Void>] = []
    /// Each call is answered as soon as it is made.
    var answersAtOnce = false
    /// The likes of each row, as the server has them.
    var likes: [String: Int] = [:]

    func wait() async throws {
      if answersAtOnce { return }
      let gate = ManualServer<Void>(ignoresCancellation: true)
      gates.append(gate)
      try await gate.wait()
    }

    func rows(_ numbers: Range<Int>, of key: String) -> [Row] {
      numbers.map { Row(id: $0, key: key, likes: likes["\(key)\($0)"] ?? 0) }
    }
  }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    hasDelay = .random(using: &random)
    previous = .random(using: &random)
    resource = AsyncResource(
      isolation: ModelActor.shared, following: key, delay: hasDelay ? .seconds(2) : .zero, previous: previous,
      options: LoadOptions(clock: clock)
    ) { [backend] key in
      .value {
        try await backend.wait()
        return List(first: .init(items: backend.rows(100..<103, of: key), next: 103, previous: 100))
      }
    }
  }

  func run(steps: Int) async -> String? {
    resource.start()
    for step in 0..<steps {
      let name = await act()
      await ModelActor.idle()
      if let reason = difference() { return "step \(step), \(name): \(reason)" }
    }
    return await rest()
  }

  // MARK: Steps

  private func act() async -> String {
    let isNext = Bool.random(using: &random)
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<3: loadPage(isNext)
    case 3..<10: answer(nil)
    case 10: answer(Trouble(number: 1))
    case 11: answer(CancellationError())
    case 12..<16: like()
    case 16: tasks.randomElement(using: &random)?.cancel()
    case 17, 18:
      let next = ["a", "b", "c", nil].randomElement(using: &random)!
      key.write(next)
      return "key \(next ?? "nil")"
    case 19: await clock.advance(by: .seconds(1))
    case 20: resource.start()
    case 21: resource.reload()
    case 22: resource.cancel()
    default:
      if isNext { resource.reset() } else { resource.data.error = Trouble(number: 2) }
    }
    return "act"
  }

  private func answer(_ error: (any Error)?) {
    guard let index = backend.gates.indices.randomElement(using: &random) else { return }
    let gate = backend.gates.remove(at: index)
    gate.answer(call: 1, with: error.map { .failure($0) } ?? .success(()))
  }

  private func loadPage(_ isNext: Bool) {
    tasks.append(
      ModelActor.task { [resource, backend] in
        // The key whose list is extended: the one of its rows when the request begins. The call itself may be a turn of
        // the actor later than the task.
        if isNext {
          await resource.data.loadNext { cursor in
            let name = resource.value?.items.first?.key ?? "-"
            try await backend.wait()
            // Rows that were inserted meanwhile: the first repeats the last that is known.
            let items = backend.rows(cursor - 1..<cursor + 2, of: name)
            return .init(items: items, next: cursor + 2, previous: cursor)
          }
        } else {
          await resource.data.loadPrevious { cursor in
            let name = resource.value?.items.first?.key ?? "-"
            try await backend.wait()
            let items = backend.rows(cursor - 2..<cursor, of: name)
            return .init(items: items, next: cursor, previous: cursor - 2)
          }
        }
      })
  }

  private func like() {
    guard let row = resource.value?.items.randomElement(using: &random), !isOfFormerKey else { return }
    tasks.append(
      ModelActor.task { [resource, backend] in
        await resource.mutate { list in
          guard let index = list.items.firstIndex(where: { $0.id == row.id && $0.key == row.key }) else { return }
          list[index].likes += 1
        } commit: {
          try await backend.wait()
          backend.likes["\(row.key)\(row.id)", default: 0] += 1
        }
      })
  }

  // MARK: What must hold

  private var isOfFormerKey: Bool {
    let snapshot = resource.snapshot
    return snapshot.value != nil && !snapshot.isValueSet && snapshot.isProvisional
  }

  private func difference() -> String? {
    let snapshot = resource.snapshot
    guard let rows = snapshot.value?.items else { return nil }
    let keys = Set(rows.map(\.key))
    if keys.count > 1 { return "rows of \(keys)" }
    if !isOfFormerKey, let name = keys.first, name != key.current {
      return "rows of \(name) for \(key.current ?? "nil")"
    }
    if isOfFormerKey, snapshot.error != nil { return "a former value beside an error" }
    if isOfFormerKey, resource.data.hasPendingChanges { return "a change of a former value" }
    let numbers = rows.map(\.id)
    if let first = numbers.first, numbers != Array(first..<first + numbers.count) { return "the list is \(numbers)" }
    return nil
  }

  /// All that waits is answered, and what is displayed is what the server has, if the data is fresh.
  private func rest() async -> String? {
    while !backend.gates.isEmpty {
      answer(nil)
      await ModelActor.idle()
      if let reason = difference() { return "at the end: \(reason)" }
    }
    // Tasks of the library return to the actor by a way of their own, and may call after it was idle.
    backend.answersAtOnce = true
    while !backend.gates.isEmpty { answer(nil) }
    for task in tasks { await task.value }
    await clock.advance(by: .seconds(2))
    await resource.settled()
    if clock.sleeperCount > 0 { return "\(clock.sleeperCount) sleepers are left" }
    if resource.data.hasPendingChanges { return "a change is not decided" }
    if !isOfFormerKey, !resource.isStale, let rows = resource.value?.items {
      for row in rows where row.likes > backend.likes["\(row.key)\(row.id)"] ?? 0 {
        return "\(row) has \(backend.likes["\(row.key)\(row.id)"] ?? 0) likes, and nothing is stale"
      }
    }
    return difference()
  }
}
