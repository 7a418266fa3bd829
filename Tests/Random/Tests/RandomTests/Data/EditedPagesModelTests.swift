// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// Edits beside pages and refreshes, against a server: at rest the list is the server's, or it is stale.
  @ModelActor
  struct EditedPagesModelTests {
    @Test(
      "3.13, 3.18, 3.19 beside edits, a list that is not stale is the server's", arguments: [14, 6, 3], [false, true])
    func random(steps: Int, counts: Bool) async {
      await check("edited pages", seeds: 300, steps: steps) {
        await EditedPagesWorld(seed: $0, counts: counts).run(steps: steps)
      }
    }
  }
}

@ModelActor
private final class EditedPagesWorld {
  struct Row: Identifiable, Equatable, CustomStringConvertible {
    let id: Int
    var text = 0
    var description: String { "\(id):\(text)" }
  }
  typealias List = Paged<Row, Int>

  /// Rows in the order of their numbers. A page has three.
  private var rows: [Int: Int] = [:]
  private var random: SeededGenerator
  private var waiting: [ManualServer<Void>] = []
  private var feed: AsyncResource<List>?
  private var calls: [Task<Void, Never>] = []
  /// The rows whose edits are undecided: of two that are sent at once, the order is not known.
  private var edited: Set<Int> = []
  private var history: [String] = []
  private let counts: Bool

  /// - Parameter counts: The server returns the rows behind a number of rows, and not behind a row.
  init(seed: UInt64, counts: Bool) {
    random = SeededGenerator(seed: seed)
    self.counts = counts
    for number in 0..<20 { rows[number * 2] = 0 }
    feed = AsyncResource(isolation: ModelActor.shared) { [unowned self] in .pages { page in try await self.page(page) }
    }
  }

  // MARK: The server

  private func turn() async throws {
    let gate = ManualServer<Void>()
    waiting.append(gate)
    try await gate.wait()
  }

  private func page(_ request: PageRequest<Row, Int>) async throws -> List.Page {
    let offset = counts ? request.list?.items.count ?? 0 : nil
    try await turn()
    let ids = rows.keys.sorted().filter { counts || $0 >= request.cursor ?? 0 }.dropFirst(offset ?? 0)
    let page = ids.prefix(3).map { Row(id: $0, text: rows[$0]!) }
    let next = ids.dropFirst(3).first
    try await turn()
    return List.Page(items: page, next: next)
  }

  /// Refused, carried out, or carried out and not known to be.
  private func commit(_ body: () -> Void) async throws {
    try await turn()
    let end = Int.random(in: 0..<8, using: &random)
    if end == 0 { throw Failure() }
    body()
    try await turn()
    if end == 1 { throw Failure() }
  }

  private func answer(_ result: Result<Void, any Error> = .success(())) async {
    guard let gate = waiting.indices.randomElement(using: &random).map({ waiting.remove(at: $0) }) else { return }
    gate.answer(call: 1, with: result)
    await gate.ended(1)
    await ModelActor.idle()
  }

  // MARK: Steps

  func run(steps: Int) async -> String? {
    guard let feed else { return "there is no list" }
    feed.start()
    await ModelActor.idle()
    for _ in 0..<2 { await answer() }
    for step in 1...steps {
      act(feed, text: step)
      await ModelActor.idle()
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        await answer(Int.random(in: 0..<12, using: &random) == 0 ? .failure(Failure()) : .success(()))
      }
    }
    for _ in 0..<400 where !waiting.isEmpty { await answer() }
    for call in calls { await call.value }
    await ModelActor.idle()
    return check(feed)
  }

  private func act(_ feed: AsyncResource<List>, text: Int) {
    let id = Int.random(in: 0..<40, using: &random)
    let command = Int.random(in: 0..<9, using: &random)
    history.append("\(command) \(id)")
    switch command {
    case 0, 1: calls.append(ModelActor.task { _ = await feed.loadNext() })
    case 2: feed.refresh()
    case 3...6 where edited.contains(id): break
    case 3, 4:
      mutate(feed, of: id, { $0[id: id]?.text = text }, { if $0[id] != nil { $0[id] = text } })
    case 5: mutate(feed, of: id, { $0[id: id] = nil }, { $0[id] = nil })
    case 6:
      mutate(
        feed, of: id,
        { list in
          guard list[id: id] == nil else { return }
          // A row beyond the cursor is one of a page that is not loaded yet.
          let end = list.items.firstIndex { $0.id >= 100 } ?? list.items.count
          let index = list.items[..<end].firstIndex { $0.id > id } ?? end
          if index < end || list.next.map({ id < $0 }) ?? true { list.insert(Row(id: id, text: text), at: index) }
        }, { if $0[id] == nil { $0[id] = text } })
    default:
      // The last row of all.
      let id = 100 + text
      mutate(feed, of: id, { $0.append(Row(id: id, text: text)) }, { $0[id] = text })
    }
  }

  private func mutate(
    _ feed: AsyncResource<List>, of id: Int, _ patch: @escaping (inout List) -> Void,
    _ body: @escaping (inout [Int: Int]) -> Void
  ) {
    edited.insert(id)
    calls.append(
      ModelActor.task {
        _ = await feed.mutate(patch, commit: { try await self.commit { body(&self.rows) } })
        self.edited.remove(id)
      })
  }

  private func check(_ feed: AsyncResource<List>) -> String? {
    guard let list = feed.value, feed.error == nil, !feed.isStale else { return nil }
    let ids = list.items.map(\.id)
    if Set(ids).count != ids.count || ids != ids.sorted() { return fault("in another order", list) }
    // What was added at the end is displayed there, before its page is.
    let end = counts ? list.items.last { $0.id < 100 }.map { $0.id + 1 } : list.next
    let all = rows.keys.sorted().map { Row(id: $0, text: rows[$0]!) }
    guard list.next != nil else {
      return list.items == all ? nil : fault("not the server's", list)
    }
    let loaded = all.filter { row in row.id < end ?? .max }
    let beyond = list.items.filter { $0.id >= 100 }
    let isRight = list.items.filter { $0.id < 100 } == loaded.filter { $0.id < 100 } && beyond.allSatisfy(all.contains)
    return isRight ? nil : fault("not the server's", list)
  }

  private func fault(_ words: String, _ list: List) -> String {
    "\(words): \(list.items), next \(list.next as Any); \(rows.sorted { $0.key < $1.key }); \(history)"
  }
}
