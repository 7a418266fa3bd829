#if os(macOS) || os(Linux)
import AsyncState

/// A file browser: shows the folder that a navigation is in, and carries out commands.
@MainActor
final class Browser {
  private let navigation: Navigation
  private let size: Input<Size>
  private let conduct: Input<LaggyBackend.Conduct>

  private let cells: RowCells
  private let pacer: DisplayPacer
  private let spinner: Box<Spinner>
  private let titleBar = Box(TitleBar())
  private let statusBar = Box(StatusBar())
  /// The list of the folder that was shown last.
  private var list: FolderList?

  private lazy var host = AsyncHost(
    data: navigation.folder,
    policy: DisplayPolicy(idle: .noData) { folder in MainActor.assumeIsolated { folder.isEmpty } }, pacer: pacer,
    request: { [navigation] _, _ in navigation.request() }, children: { [weak self] in self?.children(for: $0) ?? [] })

  /// A browser that is not on the screen yet.
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
    let service = FolderService(LaggyBackend(self.conduct, seed: seed, clock: clock))
    navigation = Navigation(to: path, service: service)
    cells = RowCells(service: service)
    pacer = DisplayPacer(clock: clock)
    spinner = Box(Spinner(clock: clock))
    bindViews()
  }

  private func bindViews() {
    let folder = navigation.folder.observed
    let rows = folder.flatMap { $0.value?.rows.observed ?? .constant(AsyncSnapshot()) }
    titleBar.bind(\.path, to: navigation.location.map(\.description))
    titleBar.bind(\.isBusy, to: folder.isRunning.zip(rows.isRunning).map { $0 || $1 })
    titleBar.bind(\.conduct, to: conduct)
    spinner.bind(\.text, to: navigation.destination.map { "Opening \($0.label)" })
    statusBar.bind(\.note, to: rows.map { $0.error.map { "\($0)" } ?? "" })
  }

  // MARK: Appearing

  /// The browser comes on the screen, and opens its first folder.
  func appear() {
    // Asked first, so that there is no moment in which nobody has asked. The host's own request joins this one.
    navigation.request()
    host.load()
    host.container.delegate = self
    host.appear(animated: false)
  }

  /// The browser goes off the screen.
  func disappear() {
    navigation.cancel()
    host.container.willDisappear(animated: false)
    host.container.didDisappear(animated: false)
  }

  // MARK: Showing

  private func children(for status: AsyncStatus<Folder>) -> [any ChildController] {
    let hint = "r  ask again    ⌫  go up"
    switch status {
    case .loading:
      return [spinner.unbox]
    case .error(let error):
      return [Panel.message("✗ \(error)", .bad, hint: hint)]
    case .noData:
      let isKnown = navigation.folder.snapshot.isValueSet
      return [Panel.message(isKnown ? "This folder is empty." : "Nobody knows what is in here.", hint: hint)]
    case .data(let folder):
      return [list(of: folder)]
    }
  }

  /// The same list for the same folder: it knows which row is selected.
  private func list(of folder: Folder) -> FolderList {
    if let list, list.folder === folder { return list }
    let list = FolderList(folder, height: size.map { BrowserLayout(size: $0).body.rows }, cells: cells)
    self.list = list
    return list
  }

  private var listOnShow: FolderList? {
    host.container.children.lazy.compactMap { $0 as? FolderList }.first
  }

  /// The screen as it is now.
  var frame: Frame {
    let layout = BrowserLayout(size: size.value)
    let columns = layout.size.columns
    let body = host.container.children.compactMap { $0 as? any Drawable }.flatMap { $0.rows(in: layout.body) }
    return layout.frame(
      above: titleBar.unbox.rows(columns: columns, position: listOnShow?.position ?? ""),
      body: listOnShow == nil ? [Row()] + body.map { $0.indented(by: 3) } : body,
      below: statusBar.unbox.rows(columns: columns, cells: "\(cells.liveCount) cells, \(cells.spareCount) spare"))
  }

  // MARK: Commands

  func resize(to size: Size) {
    self.size.write(size)
  }

  func perform(_ command: BrowserCommand) {
    switch command {
    case .moveRows(let count): listOnShow?.update { $0.select($0.selection + count) }
    case .moveScreens(let count): listOnShow?.update { $0.select($0.selection + count * $0.height) }
    case .moveToFirst: listOnShow?.update { $0.select(0) }
    case .moveToLast: listOnShow?.update { $0.select($0.count - 1) }
    case .open: listOnShow?.selectedPath.map { navigation.open($0) }
    case .goUp: navigation.goUp()
    case .reload: navigation.open(navigation.location.value, startingAt: listOnShow?.selectedPath?.name)
    case .refresh: navigation.refresh()
    case .cancel: navigation.cancel()
    case .changeLag(let steps): conduct.change { $0.meanLag += .milliseconds(100) * steps }
    case .toggleFaults: conduct.change { $0.faultRate = $0.faultRate > 0 ? 0 : LaggyBackend.Conduct.usualFaultRate }
    }
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
