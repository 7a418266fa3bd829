// SPDX-License-Identifier: MIT
import AsyncState
import Foundation
import Synchronization

/// A tag that processes can send each other: an `AsyncTag` cannot be encoded.
public struct SharedTag: Codable, Hashable, Sendable {
  let kind: String
  let id: String

  /// A tag for one object of a kind.
  public init(_ kind: String, _ id: String) { (self.kind, self.id) = (kind, id) }

  /// The tag of a family's entry.
  public var tag: AsyncTag { AsyncTag(kind, id) }

  var text: String { "\(kind) \(id)" }
}

/// Invalidates in every process what one of them has changed.
///
/// ```swift
/// let notes = AsyncFamily<Int, String>(isolation: self, board: board, tags: { id, _ in TagBridge.tags([.note(id)]) }) { id in … }
/// Task { await bridge.run(board) }
/// try await bridge.change([.note(5)], [Statement("UPDATE note SET text = $2 WHERE id = $1", "5", text)])
/// ```
///
/// A change and its notification are one transaction, so nothing is notified that was not changed, and nothing changed that
/// was not notified. While the connection is lost messages are, too: that invalidates everything, when it is noticed, and
/// again when the connection is back.
public final class TagBridge: Sendable {
  private let database: PostgresDatabase
  private let waiting = Mutex<[String: AsyncStream<Never>.Continuation]>([:])
  private let runs = Mutex(0)

  /// A bridge of this process.
  public init(_ database: PostgresDatabase) { self.database = database }

  /// The tags of an entry, and the one that everything has: a board has no other way to invalidate all.
  public static func tags(_ tags: [SharedTag]) -> Set<AsyncTag> { Set(tags.map(\.tag)).union([everything]) }

  private static let everything: AsyncTag = "TagBridge.everything"

  /// Invalidates on a board what any process changes, this one included, until the task is cancelled.
  public func run(_ board: AsyncTagBoard, isolation: isolated any Actor = #isolation) async {
    runs.withLock { $0 += 1 }
    defer { runs.withLock { $0 -= 1 } }
    for await event in database.notices.events() {
      switch event {
      case .connected, .lost:
        board.invalidate(Self.everything)
        waiting.withLock { all in
          for waiter in all.values { waiter.finish() }
          all = [:]
        }
      case .notice(let notice):
        if let tags = notice.tags { board.invalidate(tags.map(\.tag)) }
        if let number = notice.number { waiting.withLock { $0.removeValue(forKey: number) }?.finish() }
      }
    }
  }

  /// Changes the database and invalidates the tags in all processes. Afterwards this one requests again what has them.
  ///
  /// - Throws: ``PostgresError``; if the connection was lost, the change may have been made nevertheless, and then all
  ///   processes are notified of it.
  public func change(_ tags: [SharedTag], _ statements: [Statement]) async throws {
    let number = UUID().uuidString
    let (arrival, waiter) = AsyncStream<Never>.makeStream()
    if runs.withLock({ $0 > 0 }) { waiting.withLock { $0[number] = waiter } } else { waiter.finish() }
    do {
      try await database.transaction(
        StoreTables.invalidating(tags, by: statements) + [try Notice(tags: tags, number: number).statement()])
    } catch {
      waiting.withLock { $0.removeValue(forKey: number) }?.finish()
      throw error
    }
    for await _ in arrival {}
  }
}
