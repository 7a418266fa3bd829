// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// A row of the list. Those that there are from the beginning have the tens as their numbers, and a person adds rows between them.
struct EndlessListRow: Identifiable, Equatable, Sendable, CustomStringConvertible {
  let id: Int
  var isLiked = false
  var description: String { "\(id)\(isLiked ? "♥" : "")" }
}

/// A change of a person's.
enum EndlessListChange {
  case remove(Int)
  case add(Int)
  case like(Int)
  /// The list begins where it does, and only the first four tens stay.
  case collapse

  func apply(to list: inout EndlessListServer.List) {
    switch self {
    case .remove(let id): list[id: id] = nil
    case .like(let id): list[id: id]?.isLiked = true
    case .add(let id):
      // It stands behind the row of its ten.
      guard list[id: id] == nil, let base = list.items.firstIndex(where: { $0.id == id / 10 * 10 }) else { return }
      let index = list.items[base...].firstIndex { $0.id > id } ?? list.items.count
      list.insert(EndlessListRow(id: id), at: index)
    case .collapse:
      guard let first = list.items.first?.id, let last = list.items.last?.id else { return }
      let end = first / 10 + 4
      let isLonger = list.next.map { $0 > end } ?? (last / 10 >= end)
      let rows = list.items.filter { $0.id / 10 < end }
      list = .init(first: .init(items: rows, next: isLonger ? end : list.next))
    }
  }
}

/// A server whose calls wait. A page has the rows of four tens, and every third one also those of the next ten.
@ModelActor
final class EndlessListServer {
  typealias List = Paged<EndlessListRow, Int>

  /// A call, which may be answered with what the server had when it was made, or with what it has when it is answered.
  @ModelActor
  final class Call {
    /// Of a page.
    let load: LoadRun?
    /// Of a change.
    let change: EndlessListChange?
    fileprivate let isEarly: Bool
    fileprivate var page: List.Page?
    private let gate: ManualServer<Void>

    fileprivate init(_ load: LoadRun?, _ change: EndlessListChange?, isEarly: Bool) {
      (self.load, self.change, self.isEarly) = (load, change, isEarly)
      // The call of a change ends with its caller: what the server does later than that, no one can know.
      gate = ManualServer(ignoresCancellation: load != nil)
    }

    fileprivate func wait() async throws { try await gate.wait() }

    /// What is made of the answer has happened when the actor is idle.
    fileprivate func end(with result: Result<Void, any Error>) async {
      gate.answer(call: 1, with: result)
      await gate.ended(1)
    }
  }

  private(set) var waiting: [Call] = []
  /// The cursors of all calls; the first page has 100, and a change nothing that could be one.
  let calls = ArrivedRequests<Int>()
  /// The tens that there are.
  var bounds = 68..<136 { didSet { everyBounds += [bounds] } }
  private var everyBounds = [68..<136]
  private(set) var removed: Set<Int> = []
  private var added: Set<Int> = []
  private var liked: Set<Int> = []
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed &+ 1_000_000) }

  // MARK: Rows

  var firstPage: List.Page { page(at: 100) }

  /// Whether a row was there all the time as far as the bounds go, which a list cannot know of.
  func isKnown(_ id: Int) -> Bool { everyBounds.allSatisfy { $0.contains(id / 10) } }

  /// The row of a ten that was never removed, and has rows behind it.
  func isBase(_ id: Int) -> Bool { added.contains { $0 / 10 * 10 == id } }

  func rows(in ids: ClosedRange<Int>) -> [EndlessListRow] {
    rows(of: ids.lowerBound / 10..<ids.upperBound / 10 + 1).filter { ids.contains($0.id) }
  }

  private func rows(of tens: Range<Int>) -> [EndlessListRow] {
    let ids = Set(tens.map { $0 * 10 } + added.filter { tens.contains($0 / 10) }).subtracting(removed)
    return ids.filter { bounds.contains($0 / 10) }.sorted().map { EndlessListRow(id: $0, isLiked: liked.contains($0)) }
  }

  private func page(at first: Int) -> List.Page {
    List.Page(
      items: rows(of: first..<first + (first.isMultiple(of: 3) ? 5 : 4)),
      next: first + 4 < bounds.upperBound ? first + 4 : nil, previous: first > bounds.lowerBound ? first - 4 : nil)
  }

  /// Once more, it changes nothing.
  func carryOut(_ change: EndlessListChange) {
    switch change {
    case .remove(let id): removed.insert(id)
    case .add(let id): added.insert(id)
    case .like(let id): liked.insert(id)
    case .collapse: break
    }
  }

  // MARK: Calls

  func page(_ request: PageRequest<EndlessListRow, Int>) async throws -> List.Page {
    let cursor = request.cursor ?? 100
    let call = Call(request.reporter.load, nil, isEarly: .random(using: &random))
    if call.isEarly { call.page = page(at: cursor) }
    try await wait(for: call, cursor)
    return call.page ?? page(at: cursor)
  }

  func send(_ change: EndlessListChange) async throws {
    let call = Call(nil, change, isEarly: Int.random(in: 0..<3, using: &random) == 0)
    if call.isEarly { carryOut(change) }
    defer { waiting.removeAll { $0 === call } }
    try await wait(for: call, 0)
  }

  private func wait(for call: Call, _ cursor: Int) async throws {
    waiting.append(call)
    calls.add(cursor)
    try await call.wait()
  }

  /// A call that the server answers next.
  func takeCall(using random: inout SeededGenerator) -> Call? {
    waiting.indices.randomElement(using: &random).map { waiting.remove(at: $0) }
  }

  /// - Returns: What was answered. Of a change, a failure says nothing about whether it was carried out.
  func answer(_ call: Call, with result: Result<Void, any Error>) async {
    if let change = call.change, !call.isEarly {
      if case .success = result { carryOut(change) } else if Bool.random(using: &random) { carryOut(change) }
    }
    await call.end(with: result)
  }
}
