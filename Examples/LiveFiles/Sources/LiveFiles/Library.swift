// SPDX-License-Identifier: MIT
import AsyncState
import Foundation
import Hummingbird
import Logging

/// The visitors, what changes for all of them, and what their outboxes have left.
actor Library {
  private let files: Files
  private let store: MarkStore
  private let everyone = Backend()
  private let online = LoadGate()
  private let logger = Logger(label: "LiveFiles")
  private var visitors: [String: Visitor] = [:]
  /// Visitors that have ended, and whose outboxes could not be taken over yet.
  private var ended: Set<String> = []
  private var changed: Set<AsyncTag> = []
  private var isDelivering = false
  /// Sends what visitors have left.
  private var left: AsyncOutbox<MarkChange, Void>?

  init(files: Files, store: MarkStore) { (self.files, self.store) = (files, store) }

  /// - Parameter mayBeNew: Whether one that is not there, or not any more, is made: a window continues with the id that it has.
  func visitor(_ id: String, orNew mayBeNew: Bool = false) async throws -> Visitor {
    guard mayBeNew, UUID(uuidString: id) != nil, visitors[id] == nil else {
      guard let visitor = visitors[id] else { throw HTTPError(.gone, message: "This session has ended.") }
      return visitor
    }
    let visitor = Visitor(id, self, files: files, store: store, everyone: everyone)
    visitors[id] = visitor
    await visitor.begin()
    if visitors.count > 5_000 {
      // The visitor that is away for the longest time makes room.
      let gone = visitors.values.compactMap { visitor in visitor.windows.absence.map { (visitor, $0) } }
      guard let oldest = gone.filter({ $0.0 !== visitor }).max(by: { $0.1 < $1.1 })?.0 else {
        await end(visitor)
        throw HTTPError(.serviceUnavailable)
      }
      await end(oldest)
    }
    return visitor
  }

  /// The page has found that its window has a visitor already.
  func end(_ id: String) async {
    if let visitor = visitors[id], !visitor.windows.hasBeenOpen { await end(visitor) }
  }

  /// Invalidates for every visitor. What is changed while that is under way is invalidated together, after it.
  func invalidate(_ tags: Set<AsyncTag>) async {
    changed.formUnion(tags)
    guard !isDelivering else { return }
    isDelivering = true
    while !changed.isEmpty {
      let tags = changed
      changed = []
      for visitor in visitors.values { await visitor.invalidate(tags) }
    }
    isDelivering = false
  }

  func conditionsDidChange() async {
    if everyone.conditions.isOffline { online.close() } else { online.open() }
    left?.resume()
    for visitor in visitors.values { await visitor.conditionsDidChange() }
  }

  // MARK: Watching

  /// Once a second: visitors that are away end, and what changed on disk is invalidated for all that display it.
  func watch() async throws {
    takeOver()
    for second in 1... {
      try await Task.sleep(for: .seconds(1))
      for visitor in visitors.values where visitor.windows.isAbandoned { await end(visitor) }
      await sendLeft()
      await lookAtDisk()
      // Each window writes something from time to time, so that a reader that does not read is found.
      if second.isMultiple(of: 10) { for visitor in visitors.values { visitor.windows.wake() } }
    }
  }

  private func end(_ visitor: Visitor) async {
    visitors[visitor.id] = nil
    ended.insert(visitor.outbox)
    await visitor.end()
  }

  /// Takes over the outboxes of visitors that have ended. If the database cannot be written, the next second tries again.
  private func sendLeft() async {
    let outboxes = ended
    guard !outboxes.isEmpty else { return }
    do {
      try await store.leave(outboxes)
      ended.subtract(outboxes)
      takeOver()
    } catch {
      logger.error("What \(outboxes.count) visitors have left could not be taken over: \(error)")
    }
  }

  /// An outbox reads its store once, so another one sends what was added there. What is being sent is sent again under its key.
  private func takeOver() {
    left?.close()
    let next = store.changes(
      named: "left", LoadOptions(interceptors: [everyone], gate: online), for: self, isolation: self)
    next.resume()
    left = next
  }

  private func lookAtDisk() async {
    var displayed: Set<Path> = []
    for visitor in visitors.values { await displayed.formUnion(visitor.displayed) }
    let stamps = await files.stamps(of: displayed)
    for visitor in visitors.values { await visitor.look(at: stamps) }
  }
}
