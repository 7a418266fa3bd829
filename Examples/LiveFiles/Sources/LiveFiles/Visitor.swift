// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateJournal
import Foundation
import Stores

/// What the page has switched. Belongs to its visitor.
final class Backend {
  var lag = Duration.milliseconds(30)
  var isFailing = false
  var isOffline = false

  func pass() async throws {
    try await Task.sleep(for: lag)
    if isOffline { throw Refusal(description: "You are offline.") }
    if isFailing { throw Refusal(description: "The backend has failed.") }
  }
}

/// A child that displays a status.
final class Fragment<Value>: ChildController {
  let status: AsyncStatus<Value>
  init(_ status: AsyncStatus<Value>) { self.status = status }
}

/// Reports each change of what a container displays.
private final class Watcher<State>: StateContainerDelegate {
  private let changed: @Sendable () -> Void
  init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }
  func container(_ container: StateContainer<State>, didTransitionFrom previousState: State?, animated: Bool) {
    changed()
  }
}

typealias Listing = Paged<Entry, Int>

/// One window: its page is made of what its hosts display.
actor Visitor {
  nonisolated let id = UUID().uuidString
  nonisolated let token = UUID().uuidString
  private let files: Files
  private let store: MarkStore
  private let changed: @Sendable (MarkChange) async -> Void

  private let backend = Backend()
  private let board = AsyncTagBoard()
  private let journal = StateJournal(capacity: 200)
  private(set) var folder = ""
  private let query = Input<String?>(nil)
  private let selection = Input<String?>(nil)
  private var showsJournal = false
  private var tokens: [ObservedToken] = []
  private var watchers: [AnyObject] = []
  /// The marks that are displayed: a resource that is held is requested again when its tag is invalidated.
  private var shown: [String: (AsyncResource<Mark>, ObservedToken)] = [:]
  private var streams: [UUID: AsyncStream<Void>.Continuation] = [:]
  private var lastSeen = ContinuousClock.now
  private var message = ""

  private lazy var folders = AsyncFamily<String, Listing>(
    isolation: self, board: board, tags: { folder, _ in [AsyncTag("folder", folder)] },
    pages: { [files, backend] folder, cursor in
      try await backend.pass()
      return try await files.page(of: folder, from: cursor ?? 0)
    })
  private lazy var results = AsyncResource<[Entry]>(
    isolation: self, following: query, delay: .milliseconds(250), keepsFormer: true
  ) { [files, backend] text in
    try await backend.pass()
    return try await files.search(text)
  }
  private lazy var details = AsyncResource<Details>(isolation: self, following: selection) { [files, backend] path in
    try await backend.pass()
    return try await files.details(of: path)
  }
  private lazy var marks = AsyncFamily<String, Mark>(
    isolation: self, board: board, tags: { path, _ in [AsyncTag("mark", path)] }, store: .cache(store)
  ) { [store, backend] path in
    try await backend.pass()
    return try await store.mark(path)
  }
  private lazy var change = AsyncMutation<MarkChange, Void>(
    isolation: self, outbox: DatabaseOutboxStore<MarkChange>(store.database, name: id), board: board,
    options: LoadOptions(retry: .exponential(first: .milliseconds(200), retries: 5)), lane: { $0.path },
    isPermanent: { _ in false }
  ) { [store, backend, changed] change, request in
    try await backend.pass()
    try await store.apply(change, key: request.idempotencyKey)
    await changed(change)
  }.changing({ [marks] in marks[$0.path] }) { mark, change in change.apply(to: &mark) }
  private lazy var listHost = makeListHost()
  private lazy var resultsHost = AsyncHost(
    results, policy: .emptyIsNoData(), pacer: DisplayPacer(), children: { [Fragment($0)] })
  private lazy var detailHost = AsyncHost(details, pacer: DisplayPacer(), children: { [Fragment($0)] })

  init(files: Files, store: MarkStore, changed: @escaping @Sendable (MarkChange) async -> Void) {
    (self.files, self.store, self.changed) = (files, store, changed)
  }

  private func makeListHost() -> AsyncHost<Listing> {
    let host = AsyncHost(
      folders[folder], policy: DisplayPolicy(isEmpty: { $0.items.isEmpty }), pacer: DisplayPacer(),
      children: { [Fragment($0)] })
    watch(host)
    return host
  }

  private func watch<Value>(_ host: AsyncHost<Value>) {
    let watcher = Watcher<AsyncStatus<Value>>(poke)
    host.container.delegate = watcher
    watchers.append(watcher)
    host.appear(animated: false)
  }

  private nonisolated var poke: @Sendable () -> Void {
    { [weak self] in Task { await self?.push() } }
  }

  private func push() {
    for stream in streams.values { stream.yield() }
  }

  func begin() {
    journal.attach(folders, name: "folders")
    journal.attach(results, name: "search")
    journal.attach(details, name: "details")
    journal.attach(marks, name: "marks")
    journal.attach(change, name: "change")
    listHost.start()
    watch(resultsHost)
    watch(detailHost)
    resultsHost.start()
    detailHost.start()
    tokens = [
      change.observedOutboxState.observe { [poke] _ in poke() }, change.observed.observe { [poke] _ in poke() },
    ]
  }

  // MARK: Commands

  func visit(_ values: [String: String]) async {
    lastSeen = .now
    if let folder = values["folder"], folder != self.folder {
      listHost.disappear(animated: false)
      watchers.removeFirst()
      self.folder = folder
      listHost = makeListHost()
      listHost.start()
      // The newest watcher is the list's, and the list's is the first.
      watchers.insert(watchers.removeLast(), at: 0)
    }
    query.write(values["q"].flatMap { $0.isEmpty ? nil : $0 })
    selection.write(values["file"].flatMap { $0.isEmpty ? nil : $0 })
    showsJournal = values["journal"] == "1"
    push()
  }

  /// Waits for what the page needs, at most for the time of a reader's patience.
  func settle() async {
    let deadline = ContinuousClock.now + .milliseconds(1_500)
    while page().isLoading || detailHost.data.snapshot.isRunning, .now < deadline {
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  func perform(_ values: [String: String]) async {
    lastSeen = .now
    let path = values["path"] ?? ""
    switch values["do"] {
    case "favourite": await send(.favourite(path, values["on"] == "1"))
    case "note": await send(.note(path, String((values["note"] ?? "").prefix(2_000))))
    case "more": await folders[folder].loadNext()
    case "retry":
      if query.observed.current != nil { resultsHost.reload() } else { listHost.reload() }
      if selection.observed.current != nil { detailHost.reload() }
    case "backend":
      backend.lag = .milliseconds(min(10_000, max(0, Int(values["lag"] ?? "") ?? 0)))
      backend.isFailing = values["failing"] == "1"
      backend.isOffline = values["offline"] == "1"
      board.isOpen = !backend.isOffline
      if board.isOpen { await change.resume() }
    default: message = "This command is unknown."
    }
    push()
  }

  private func send(_ change: MarkChange) async {
    do {
      _ = try files.resolve(change.path)
      try await self.change.perform(change).accepted()
      message = ""
    } catch { message = "Not saved: \(error)" }
  }

  func invalidate(_ tags: AsyncTag...) { board.invalidate(tags) }

  // MARK: The page

  func makeStream() -> (UUID, AsyncStream<Void>) {
    let key = UUID()
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    streams[key] = continuation
    continuation.yield()
    return (key, stream)
  }

  func endStream(_ key: UUID) {
    streams.removeValue(forKey: key)?.finish()
    lastSeen = .now
  }

  /// No window has been there for that long.
  func isAbandoned(for time: Duration) -> Bool { streams.isEmpty && lastSeen.duration(to: .now) > time }

  /// Nothing is left of the visitor but what its outbox holds, which the library sends.
  func end() async {
    tokens = []
    shown = [:]
    for stream in streams.values { stream.finish() }
    streams = [:]
    change.cancel()
    details.cancel()
    results.cancel()
    folders.existing(folder)?.cancel()
    try? await store.leave(id)
  }

  func page() -> Page {
    let fragments = query.observed.current == nil ? listHost.container.children : resultsHost.container.children
    let list: AsyncStatus<[Entry]>
    switch fragments.last {
    case let fragment as Fragment<Listing>: list = fragment.status.map(\.items)
    case let fragment as Fragment<[Entry]>: list = fragment.status
    default: list = .loading
    }
    let rows = list.value ?? []
    let paths = Set(rows.map(\.id) + [selection.observed.current].compactMap { $0 })
    shown = shown.filter { paths.contains($0.key) }
    for path in paths where shown[path] == nil {
      let mark = marks[path]
      shown[path] = (mark, mark.observed.observe { [poke] _ in poke() })
      mark.start(when: .stale)
    }
    let isPaged = query.observed.current == nil
    return Page(
      visitor: id, token: token, folder: folder, query: query.observed.current, file: selection.observed.current,
      list: list,
      marks: shown.compactMapValues { $0.0.value },
      hasMore: isPaged && folders[folder].value?.next != nil, moreError: folders[folder].nextPage.error.map { "\($0)" },
      detail: (detailHost.container.children.last as? Fragment<Details>)?.status ?? .noData(isIdle: true),
      selectedMark: selection.observed.current.flatMap { shown[$0]?.0.value } ?? Mark(),
      waiting: change.outboxState.waitingCount, message: message,
      journal: showsJournal ? journal.entries.suffix(30).map(\.description) : nil,
      lag: Int(backend.lag / .milliseconds(1)), isFailing: backend.isFailing, isOffline: backend.isOffline)
  }
}
