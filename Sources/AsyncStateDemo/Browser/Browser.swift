// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// A file browser: displays the folder of a navigation, and carries out commands.
@MainActor
final class Browser {
  private let navigation: Navigation
  private let size: Input<Size>
  private let layout: Observed<BrowserLayout>
  private let inspector: Inspector
  private let conduct: Input<LaggyBackend.Conduct>

  private let cells: RowCells
  private let pacer: DisplayPacer
  private let spinner: Box<Spinner>
  private let titleBar = Box(TitleBar())
  private let statusBar = Box(StatusBar())
  private let preview: FilePreview
  /// The list of the folder that was displayed last.
  private var list: FolderList?
  /// Reads one page after another, up to the last row.
  private var goingToEnd: Task<Void, Never>?

  private lazy var host = AsyncHost(
    data: navigation.folder,
    policy: DisplayPolicy(idle: .idle) { folder in MainActor.assumeIsolated { folder.isEmpty } }, pacer: pacer,
    request: { [navigation] _, _ in navigation.request() }, children: { [weak self] in self?.children(for: $0) ?? [] })

  /// A browser that is not displayed yet.
  ///
  /// - Parameters:
  ///   - path: The folder to begin with.
  ///   - conduct: How the backend behaves at first.
  ///   - seed: What its lags and faults follow from.
  ///   - size: How large the terminal is.
  ///   - clock: What lags, spinners and pacing are measured by.
  init(at path: FilePath, conduct: LaggyBackend.Conduct, seed: UInt64, size: Size, clock: any Clock<Duration>) {
    self.size = Input(size)
    self.conduct = Input(conduct)
    inspector = Inspector(clock: clock)
    layout = self.size.zip(inspector.isOpen).map { BrowserLayout(size: $0, isInspecting: $1) }
    let service = FolderService(LaggyBackend(self.conduct, seed: seed, clock: clock))
    navigation = Navigation(to: path, service: service)
    cells = RowCells { [inspector] in
      let row = FileRow(service: service)
      inspector.attach(row.details)
      return row
    }
    preview = FilePreview(service: service)
    pacer = DisplayPacer(clock: clock)
    spinner = Box(Spinner(clock: clock))
    bindViews()
  }

  private func bindViews() {
    let folder = navigation.folder.observed
    let rows = folder.flatMap { $0.value?.rows.observed ?? .constant(.untouched) }
    titleBar.bind(\.path, to: navigation.location.map(\.description))
    titleBar.bind(\.isBusy, to: folder.isRunning.zip(rows.isRunning).map { $0 || $1 })
    titleBar.bind(\.conduct, to: conduct)
    spinner.bind(\.text, to: navigation.destination.map { "Opening \($0.label)" })
    statusBar.bind(\.failure, to: rows.map { $0.error.map { "\($0)" } ?? "" })
    statusBar.bind(\.note, to: preview.text)
  }

  // MARK: Appearing

  /// The browser appears, and opens its first folder.
  func appear() {
    inspector.attach(host, of: navigation.folder)
    // Requested first, so that there is no moment without a request. The host's own request joins this one.
    navigation.request()
    host.start()
    host.container.delegate = self
    host.appear(animated: false)
  }

  /// The browser disappears.
  func disappear() {
    cancel()
    host.container.willDisappear(animated: false)
    host.container.didDisappear(animated: false)
  }

  // MARK: Displaying

  private func children(for status: AsyncStatus<Folder>) -> [any ChildController] {
    let hint = "r  try again    ⌫  the folder above"
    switch status {
    case .loading:
      return [spinner.unbox]
    case .error(let error):
      return [Message("✗ \(error)", .bad, hint: hint)]
    case .noData:
      return [Message("This folder is empty.", hint: hint)]
    case .idle, .waiting:
      return [Message("This folder was not read.", hint: hint)]
    case .data(let folder):
      return [list(of: folder)]
    }
  }

  /// The same list for the same folder: it knows which row is selected.
  private func list(of folder: Folder) -> FolderList {
    if let list, list.folder === folder { return list }
    let list = FolderList(folder, height: layout.map(\.body.rows), cells: cells)
    self.list = list
    inspector.attach(folder)
    return list
  }

  private var displayedList: FolderList? {
    host.container.children.lazy.compactMap { $0 as? FolderList }.first
  }

  /// The screen as it is now.
  var frame: Frame {
    let layout = layout.current
    let columns = layout.size.columns
    let room = displayedList == nil ? Size(columns: columns - 6, rows: layout.body.rows - 1) : layout.body
    let body = host.container.children.compactMap { $0 as? any Drawable }.flatMap { $0.rows(in: room) }
    return layout.frame(
      above: titleBar.unbox.rows(columns: columns, position: displayedList?.position ?? ""),
      body: displayedList == nil ? [Row()] + body.map { $0.indented(by: 3) } : body,
      panel: inspector.rows(in: layout.panel),
      below: statusBar.unbox.rows(columns: columns, cells: "\(cells.liveCount) cells, \(cells.spareCount) spare"))
  }

  // MARK: Commands

  func resize(to size: Size) {
    self.size.write(size)
  }

  func perform(_ command: BrowserCommand) {
    if !command.isAside {
      stopGoingToEnd()
      preview.close()
    }
    switch command {
    case .moveRows(let count): displayedList?.update { $0.select($0.selection + count) }
    case .moveScreens(let count): displayedList?.update { $0.select($0.selection + count * $0.height) }
    case .moveToFirst: displayedList?.update { $0.select(0) }
    case .moveToLast: goToEnd()
    case .open: open()
    case .goUp: navigation.goUp()
    case .reload: navigation.open(navigation.location.current, startingAt: displayedList?.selectedPath?.name)
    case .refresh:
      navigation.refresh()
      displayedList?.refreshDetails()
    case .cancel: cancel()
    case .changeLag(let steps): conduct.change { $0.meanLag += .milliseconds(100) * steps }
    case .toggleInspector: inspector.toggle()
    case .inspect(let steps): inspector.select(by: steps)
    case .zoom(let steps): inspector.zoom(by: steps)
    case .toggleFaults: conduct.change { $0.faultRate = $0.faultRate > 0 ? 0 : LaggyBackend.Conduct.usualFaultRate }
    }
  }

  /// Cancels all that is running: the folder, its pages, the details of its rows, and a preview.
  private func cancel() {
    stopGoingToEnd()
    // Before the navigation, whose list may appear again, and request the details of its rows.
    displayedList?.cancelDetails()
    navigation.cancel()
    preview.close()
  }

  /// Opens the selected folder; a file gets a preview in the status bar, and the list stays.
  private func open() {
    guard let path = displayedList?.selectedPath else { return }
    if FileSystem.isFile(path) { preview.open(path) } else { navigation.open(path) }
  }

  /// Selects the last row, and again with each further page, until there is none.
  private func goToEnd() {
    guard let list = displayedList else { return }
    list.update { $0.select($0.count - 1) }
    titleBar.unbox.isGoingToEnd = true
    goingToEnd = Task { [titleBar] in
      var isFurther = true
      while isFurther {
        isFurther = await list.folder.loadNext()
        // Another command has cancelled this.
        if Task.isCancelled { return }
        list.update { $0.select($0.count - 1) }
      }
      titleBar.unbox.isGoingToEnd = false
    }
  }

  private func stopGoingToEnd() {
    goingToEnd?.cancel()
    titleBar.unbox.isGoingToEnd = false
  }
}

extension Browser: @MainActor StateContainerDelegate {
  func container(
    _ container: StateContainer<AsyncStatus<Folder>>, willTransitionTo nextState: AsyncStatus<Folder>, animated: Bool
  ) {
    statusBar.unbox.will = "\(container.currentState.kind) → \(nextState.kind)"
  }

  func container(
    _ container: StateContainer<AsyncStatus<Folder>>, didTransitionFrom previousState: AsyncStatus<Folder>?,
    animated: Bool
  ) {
    statusBar.unbox.did = "\((previousState ?? container.currentState).kind) → \(container.currentState.kind)"
  }
}
#endif
