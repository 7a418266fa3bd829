// SPDX-License-Identifier: MIT
import AsyncState
import Hummingbird
import Logging
import Stores

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
  private var stamps: [Path: Int?] = [:]
  private var changed: Set<AsyncTag> = []
  private var isDelivering = false
  private lazy var left = makeLeft()

  init(files: Files, store: MarkStore) { (self.files, self.store) = (files, store) }

  private func makeLeft() -> AsyncOutbox<MarkChange, Void> {
    let options = LoadOptions(retry: .changes, interceptors: [everyone], gate: online)
    return AsyncOutbox(
      isolation: self, store: DatabaseOutboxStore<MarkChange>(store.database, name: "left"), options: options,
      lane: { $0.path.text }, isPermanent: { _, _ in false }
    ) { [store, weak self] change, request in
      try await store.apply(change, key: request.idempotencyKey)
      await self?.invalidate([AsyncTag("mark", change.path)])
    }
  }

  func visitor(_ id: String, orNew mayBeNew: Bool = false) async throws -> Visitor {
    if let visitor = visitors[id] { return visitor }
    guard mayBeNew else { throw HTTPError(.gone, message: "This session has ended.") }
    if visitors.count >= 5_000 {
      // The visitor that is away for the longest time makes room.
      let gone = visitors.values.compactMap { visitor in visitor.windows.absence.map { (visitor, $0) } }
      guard let oldest = gone.max(by: { $0.1 < $1.1 })?.0 else { throw HTTPError(.serviceUnavailable) }
      await end(oldest)
    }
    let visitor = Visitor(self, files: files, store: store, everyone: everyone)
    visitors[visitor.id] = visitor
    await visitor.begin()
    return visitor
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
    await left.resume()
    for visitor in visitors.values { await visitor.conditionsDidChange() }
  }

  // MARK: Watching

  /// Once a second: visitors that are away end, and what changed on disk is invalidated for all that display it.
  func watch() async throws {
    await left.resume()
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
    ended.insert(visitor.id)
    await visitor.end()
  }

  /// Takes over the outboxes of visitors that have ended. If the database cannot be written, the next second tries again.
  private func sendLeft() async {
    let outboxes = ended
    guard !outboxes.isEmpty else { return }
    do {
      try await store.leave(outboxes)
      ended.subtract(outboxes)
      await left.resume()
    } catch {
      logger.error("What \(outboxes.count) visitors have left could not be taken over: \(error)")
    }
  }

  private func lookAtDisk() async {
    var displayed: Set<Path> = []
    for visitor in visitors.values {
      let location = await visitor.location
      displayed.insert(location.folder)
      if let file = location.file { displayed.insert(file) }
    }
    let current = Dictionary(uniqueKeysWithValues: displayed.map { ($0, files.stamp(of: $0)) })
    let tags = current.filter { path, stamp in stamps[path].map { $0 != stamp } == true }
      .map { AsyncTag("path", $0.key) }
    stamps = current
    if !tags.isEmpty { await invalidate(Set(tags)) }
  }
}
