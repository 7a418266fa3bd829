// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateGTK
import AsyncStateJournal

/// The file browser without its window: what is loaded, what is displayed, and the commands.
@Gtk package final class Browser {
  /// What the large part of the window displays.
  enum Scene {
    case folder(FolderPage)
    case search
    case journal
  }

  let backend = Backend()
  let renames: Renames
  let details: DetailsPane
  let stage: Stage<Scene>
  /// The selected file of what is displayed.
  let selection: Observed<Entry?>
  /// The folder that is displayed, or in which a search began.
  var location: Observed<String> { stack.observed.map { $0.last?.path ?? "" } }
  /// Whether there is a folder, a search or a journal to leave.
  var canGoBack: Observed<Bool> {
    let isAbove = query.observed.zip(isReadingJournal.observed).map { $0 != nil || $1 }
    return stack.observed.zip(isAbove).map { $0.count > 1 || $1 }
  }
  /// What a window says about the folder that is displayed.
  let note: Observed<String>

  private let options: LoadOptions
  private let journal = StateJournal(capacity: 500)
  private let folders: AsyncFamily<String, Listing>
  private let query = Input<String?>(nil)
  private let search: SearchPage
  private let stack = Input<[FolderPage]>([], isEqual: { $0.elementsEqual($1, by: ===) })
  private let scenes: StateContainer<Scene>
  private let isReadingJournal = Input(false)
  private let selections = Input<Observed<Entry?>>(.constant(nil), isEqual: ===)

  package init(at path: String) {
    let options = LoadOptions(interceptors: [backend])
    let board = AsyncTagBoard()
    folders = AsyncFamily(
      isolation: Gtk.shared, options: options, keepUnused: 10, board: board, tags: { path, _ in [.folder(path)] }
    ) { path in .pages { page in try await Files.page(of: path, at: page.cursor) } }
    renames = Renames(in: folders, board: board, options: options, journal: journal)
    let stack = stack
    let results = AsyncResource(isolation: Gtk.shared, following: query, delay: .milliseconds(300), options: options) {
      text in
      .value { try await Files.search(text, below: stack.observed.current.last?.path ?? "/") }
    }
    search = SearchPage(results, options: options)
    selection = selections.observed.flatMap { $0 }
    details = DetailsPane(
      AsyncResource(isolation: Gtk.shared, following: selection, delay: .milliseconds(120), options: options) { key in
        .value { try await Files.details(of: key) }
      })
    let found = results.observed.map { $0.value.map { "\($0.count) found" } ?? "" }
    note = stack.observed.zip(query.observed).flatMap { stack, query in
      query == nil ? stack.last?.resource.observed.map(\.note) ?? .constant("") : found
    }
    let (first, journalPage) = (FolderPage(path, folders[path], options: options), JournalPage(journal))
    scenes = StateContainer(initialState: .folder(first), animator: FrameClockAnimator()) { [search] scene in
      switch scene {
      case .folder(let page): [page.screen.stage]
      case .search: [search.screen.stage]
      case .journal: [journalPage]
      }
    }
    stage = Stage(scenes)
    self.options = options
    attachJournal()
    search.list.onActivate = { [weak self] in self?.open($0) }
    push(first)
    search.screen.host.start()
    details.screen.host.start()
  }

  private func attachJournal() {
    journal.attach(query, name: "query")
    journal.attach(folders, name: "folder")
    journal.attach(search.screen.resource, name: "search")
    journal.attach(details.screen.resource, name: "details")
    journal.attach(details.screen.host, name: "pane")
    journal.attach(scenes, name: "window", state: { $0.name }, child: { $0 is JournalPage ? "journal" : "page" })
  }

  // MARK: Commands

  package func open(_ path: String) { push(FolderPage(path, folders[path], options: options)) }

  private func open(_ entry: Entry) {
    if entry.isFolder { open(entry.path) }
  }

  private func push(_ page: FolderPage) {
    page.list.onActivate = { [weak self] in self?.open($0) }
    journal.attach(page.screen.host, name: "list")
    stack.change { $0.append(page) }
    query.write(nil)
    // Requested first, so that there is no moment without a request. The host's own request joins this one.
    page.resource.start(when: .stale)
    page.screen.host.start(when: .stale)
    display()
  }

  /// Leaves the journal, the search, or the folder, in this order.
  package func goBack() {
    if isReadingJournal.observed.current { return toggleJournal() }
    guard !isSearching, stack.observed.current.count > 1 else { return find("") }
    stack.change { _ = $0.popLast() }
    display()
  }

  var isSearching: Bool { query.observed.current != nil }

  func find(_ text: String) {
    query.write(text.isEmpty ? nil : text)
    display()
  }

  func toggleJournal() {
    isReadingJournal.change { $0.toggle() }
    display()
  }

  func refresh() {
    if isSearching { search.screen.refresh() } else { page?.screen.refresh() }
    if details.screen.resource.value != nil { details.screen.refresh() }
  }

  func cancel() {
    page?.screen.resource.cancel()
    search.screen.resource.cancel()
    details.screen.resource.cancel()
  }

  func rename(to name: String) {
    guard let entry = selection.current, !name.isEmpty, name != entry.name, !name.contains("/") else { return }
    renames.perform(Rename(from: entry.path, to: entry.folder + "/" + name))
  }

  // MARK: Displaying

  /// The folder that is displayed, or in which a search began.
  package var currentPage: FolderPage { stack.observed.current[stack.observed.current.count - 1] }

  private var page: FolderPage? { stack.observed.current.last }

  private func display() {
    guard let page else { return }
    selections.write(isSearching ? search.list.selection : page.list.selection)
    let scene = isReadingJournal.observed.current ? .journal : isSearching ? .search : Scene.folder(page)
    guard !scene.isSame(as: scenes.currentState) || !scenes.hasDeterminedState else { return }
    scenes.setNeedsTransition(to: scene, animated: true)
  }
}

extension Browser.Scene {
  var name: String {
    switch self {
    case .folder(let page): page.path
    case .search: "search"
    case .journal: "journal"
    }
  }

  @Gtk func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.folder(let page), .folder(let other)): page === other
    case (.search, .search), (.journal, .journal): true
    default: false
    }
  }
}

extension AsyncSnapshot where Value == Listing {
  /// What a window says about a folder.
  fileprivate var note: String {
    guard let value else { return "" }
    let count = value.items.count == 1 ? "1 entry" : "\(value.items.count) entries"
    return value.next == nil ? count : nextPage.isRunning ? "\(count), loading more …" : "\(count), and more"
  }
}
