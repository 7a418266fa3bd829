// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateJournal
import Foundation

typealias Listing = Paged<Entry, Entry>

/// One window: its page is what the visible children of its root draw.
actor Visitor {
  /// What the root displays beside the details.
  private enum Scene {
    case folder(AsyncHost<Listing>)
    case search(AsyncHost<[Entry]>)
  }

  nonisolated let id: String
  /// The name of the outbox. It is not the id: a window that was away continues with that in another visitor.
  nonisolated let outbox = UUID().uuidString
  nonisolated let token = UUID().uuidString
  nonisolated let windows = Windows()
  private let backend = Backend()
  private let online = LoadGate()
  private let options: LoadOptions
  private let files: Files
  private let stamps = Stamps()
  private let store: MarkStore
  private let everyone: Backend
  private weak let library: Library?

  private let board = AsyncTagBoard()
  private let journal = StateJournal(capacity: 300)
  private(set) var location = Location()
  private let query = Input<String?>(nil)
  private let selection = Input<Path?>(nil)
  private var selected: AsyncResource<Mark>?
  private var message = ""
  /// Without JavaScript: a note that was refused.
  private var unsaved: String?
  private var rows: [Page.Row] = []
  private var tokens: [ObservedToken] = []

  private lazy var folders = AsyncFamily<Path, Listing>(
    isolation: self, options: options, board: board, tags: { folder, _ in [AsyncTag("path", folder)] }
  ) { [files] folder in .pages { page in try await files.page(of: folder, after: page.cursor) } }
  private lazy var results = AsyncResource<[Entry]>(
    isolation: self, following: query, delay: .milliseconds(250), previous: .untilAnswered, options: options
  ) { [files] text in .value { try await files.search(text) } }
  private lazy var details = AsyncResource<Details>(
    isolation: self, following: selection, previous: .untilAnswered, options: options
  ) { [files] path in .value { try await files.details(of: path) } }
  private lazy var summaries = AsyncFamily<Path, String>(
    isolation: self, options: options, board: board, tags: { path, _ in [AsyncTag("path", path)] }
  ) { [files] path in .value { try await files.summary(of: path) } }
  private lazy var marks = AsyncFamily<Path, Mark>(
    isolation: self, options: options, board: board, tags: { path, _ in [AsyncTag("mark", path)] }, store: store
  ) { [store] path in .value { try await store.mark(path) } }
  private lazy var change = store.changes(named: outbox, options, for: library, isolation: self)
    .changing({ [marks] in marks[$0.path] }) { mark, change in change.apply(to: &mark) }

  private lazy var detailHost = AsyncHost(
    details, pacer: DisplayPacer(),
    children: { [details] status in
      [
        Fragment { page in
          page.detail = status
          guard case .data = status else { return }
          page.detailError = details.error.map { "\($0)" }
          page.isDeleted = details.error as? Refusal == .notThere
        }
      ]
    })
  private lazy var resultsHost = AsyncHost(
    results, policy: .emptyIsNoData(), pacer: DisplayPacer(),
    children: { [results, rows = makeRows()] status in
      [Fragment { $0.setList(status.map { _ in () }, results.error) }] + rows(status.value ?? [])
    })
  private lazy var listHost = makeListHost()
  private lazy var root = StateContainer<Scene>(
    initialState: .folder(listHost),
    children: { [detailHost] scene in
      switch scene {
      case .folder(let host): [host, detailHost]
      case .search(let host): [host, detailHost]
      }
    })

  init(_ id: String, _ library: Library, files: Files, store: MarkStore, everyone: Backend) {
    var files = files
    files.stamps = stamps
    (self.id, self.library, self.files, self.store, self.everyone) = (id, library, files, store, everyone)
    options = LoadOptions(interceptors: [everyone, backend], gate: online)
  }

  private func makeRows() -> Rows {
    Rows { [marks, summaries, weak self] entry in
      FileRow(entry, mark: marks[entry.id], summary: summaries[entry.id], visitor: self)
    }
  }

  private func makeListHost() -> AsyncHost<Listing> {
    let folder = folders[location.folder]
    let host = AsyncHost(
      folder, policy: DisplayPolicy(isEmpty: { $0.items.isEmpty }), pacer: DisplayPacer(),
      children: { [rows = makeRows()] status in
        let fragment = Fragment { page in
          page.setList(status.map { _ in () }, folder.error)
          page.hasMore = folder.value?.next != nil
          page.more = folder.nextPage
        }
        return [fragment] + rows(status.value?.items ?? [])
      })
    journal.attach(host, name: "list")
    return host
  }

  func begin() {
    journal.attach(query, name: "query")
    journal.attach(selection, name: "selection")
    journal.attach(board, name: "board")
    journal.attach(folders, name: "folder")
    journal.attach(results, name: "search")
    journal.attach(resultsHost, name: "results")
    journal.attach(details, name: "details")
    journal.attach(detailHost, name: "pane")
    journal.attach(summaries, name: "summary")
    journal.attach(marks, name: "mark")
    journal.attach(change, name: "change")
    journal.attach(root, name: "page", state: { if case .folder = $0 { "folder" } else { "search" } })
    // Whatever happens to them may change the page.
    tokens = [
      journal.observe { [windows] _ in windows.wake() },
      change.observedState.observe { [windows] _ in windows.wake() },
    ]
    setGate()
    root.appear(animated: false)
    listHost.start()
    resultsHost.start()
    detailHost.start()
  }

  // MARK: Commands

  /// - Parameter isTyped: Whether more may be typed, so that a search waits.
  func visit(_ next: Location, isTyped: Bool) {
    windows.touch()
    let former = location
    location = next
    if next.folder != former.folder {
      listHost = makeListHost()
      listHost.start()
    }
    query.write(next.query)
    selection.write(next.file)
    if next.query != nil, !isTyped { results.start(when: .stale) }
    if next.folder != former.folder || (next.query == nil) != (former.query == nil) {
      root.setNeedsTransition(to: next.query == nil ? .folder(listHost) : .search(resultsHost), animated: false)
    }
    if next.file != former.file {
      unsaved = nil
      selected = next.file.map { marks[$0] }
      selected?.start(when: .stale)
    }
    windows.wake()
  }

  /// Waits until everything is there that the page has a place for, at most for a reader's patience.
  func settle() async {
    await withTaskGroup { [windows] group in
      group.addTask { for await _ in windows.stream() where await self.page(isPlain: true).isComplete { return } }
      group.addTask { try? await Task.sleep(for: .milliseconds(1_500)) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Throws if the server does not have what the person did: then the page keeps it.
  func perform(_ values: [String: String]) async throws {
    windows.touch()
    (message, unsaved) = ("", nil)
    defer { windows.wake() }
    let isSearch = location.query != nil
    switch values["do"] {
    case nil where values["favourite"] != nil: try await send(values, values["favourite"], .favourite(true))
    case nil where values["unfavourite"] != nil: try await send(values, values["unfavourite"], .favourite(false))
    case "note":
      // Forms are sent with the ends of lines of the network.
      let texts = [values["note"], values["base"]].map { ($0 ?? "").replacing("\r\n", with: "\n") }
      guard texts[0].count <= Mark.longestNote else {
        throw Refusal(
          description: "A note has at most \(Mark.longestNote) characters, and this one has \(texts[0].count).")
      }
      try await send(values, values["path"], .note(texts[0], over: texts[1]))
    case "more": Task { await loadMore() }
    case "send": change.resume()
    case "refresh": if isSearch { resultsHost.refresh() } else { listHost.refresh() }
    case "reload": if isSearch { resultsHost.reload() } else { listHost.reload() }
    case "refresh details": detailHost.refresh()
    case "reload details": detailHost.reload()
    case "own":
      backend.conditions = Conditions(values)
      await conditionsDidChange()
    case "everyone":
      everyone.conditions = Conditions(values)
      await library?.conditionsDidChange()
    default: throw Refusal(description: "This command is unknown.")
    }
  }

  /// Without JavaScript the next page says so, and has the text still.
  func didRefuse(_ values: [String: String], _ error: any Error) {
    message = "Not saved: \(error)"
    if values["do"] == "note" { unsaved = values["note"] }
    windows.wake()
  }

  private func loadMore() async { await folders[location.folder].loadNext() }

  private func send(_ values: [String: String], _ path: String?, _ kind: MarkChange.Kind) async throws {
    let key = values["key"].map { String($0.prefix(100)) } ?? UUID().uuidString
    let change = MarkChange(path: Path(path ?? ""), key: key, kind: kind)
    try await files.check(change.path)
    try await self.change.perform(change).accepted()
  }

  /// Sends what waits, unless the visitor is offline.
  func conditionsDidChange() async {
    setGate()
    change.resume()
    windows.wake()
  }

  private func setGate() {
    if backend.conditions.isOffline || everyone.conditions.isOffline { online.close() } else { online.open() }
  }

  // MARK: What changes elsewhere

  func invalidate(_ tags: Set<AsyncTag>) {
    board.invalidate(tags)
    if let file = location.file, tags.contains(AsyncTag("path", file)) { detailHost.refresh() }
  }

  /// The paths that are looked at on the disk.
  var displayed: [Path] { [location.folder] + rows.map(\.entry.id) + [location.file].compactMap(\.self) }

  /// Once a second: what the disk says about the paths that are displayed; 0 if one is not there.
  func look(at disk: [Path: Int]) {
    let changed = stamps.changes(of: displayed, on: disk)
    if !changed.isEmpty { invalidate(Set(changed.map { AsyncTag("path", $0) })) }
    if location.query != nil, changed.contains(where: { disk[$0] == 0 }) { resultsHost.refresh() }
  }

  /// Nothing is left of the visitor but what its outbox holds, which the library sends.
  func end() {
    windows.close()
    tokens = []
    root.disappear(animated: false)
    change.close()
    details.cancel()
    results.cancel()
    folders[location.folder].cancel()
  }

  // MARK: The page

  /// The journal as a page of its own, rows included.
  var journalPage: String { journal.page(title: "LiveFiles") }

  func page(isPlain: Bool = false) -> Page {
    var page = Page(
      visitor: id, token: token, isPlain: isPlain, location: location, own: backend.conditions,
      everyone: everyone.conditions)
    page.waiting = change.state.waitingCount
    if let error = change.entries.lazy.compactMap(\.error).first { page.message = "Not sent: \(error)" }
    if !message.isEmpty { page.message = message }
    (page.selectedMark, page.unsaved) = (selected?.value, unsaved)
    page.note(details.snapshot)
    page.note(results.snapshot)
    page.isOffline = !online.isOpen
    if location.showsJournal {
      page.journal = StateJournal.timeline(of: journal.entries.filter { !$0.isOfRow }.suffix(60))
    }
    root.draw(&page)
    rows = page.rows
    return page
  }
}

extension StateJournal.Entry {
  /// Rows appear and load in dozens, and their marks are stored.
  fileprivate var isOfRow: Bool {
    subject.hasPrefix("summary") || text.hasSuffix("appear") || text.hasPrefix("children: ")
      || ["stored", "read from the store", "not in the store"].contains(text)
  }
}
