// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState
import Observation

/// The browser's journal, over time: lanes, and the causes of one entry.
@MainActor @Observable
final class Inspector {
  /// How often the bars of what is running grow.
  private static let tick = Duration.milliseconds(60)
  private static let mostZoom = 8

  /// Whether the panel is displayed. The journal records in any case.
  @ObservationIgnored let isOpen = Input(false)

  @ObservationIgnored private let journal: StateJournal
  /// The entries of the rows' details. Of those there are many, so that they would displace all else.
  @ObservationIgnored private let detailsJournal: StateJournal
  @ObservationIgnored private let clock: any Clock<Duration>
  @ObservationIgnored private let time: () -> Duration
  @ObservationIgnored private var tokens: [ObservedToken] = []
  @ObservationIgnored private var ticking: Task<Void, Never>?
  @ObservationIgnored private var folderCount = 0
  @ObservationIgnored private var detailsCount = 0
  private var lanes = JournalLanes()
  private var now = Duration.zero
  /// The entry that was selected; nil: the last one that can be seen, whichever that is.
  private var selectedNumber: Int?
  private var zoom = 0

  init(clock: any Clock<Duration>, capacity: Int = 500) {
    self.clock = clock
    journal = StateJournal(capacity: capacity, clock: clock)
    detailsJournal = StateJournal(capacity: capacity, clock: clock)
    time = Self.stopwatch(clock)
    tokens = [
      journal.observe { [weak self] in self?.add($0) },
      detailsJournal.observe { [weak self] in self?.add($0, isAside: true) },
    ]
  }

  // MARK: Subjects

  /// Records what becomes of a host and its data.
  func attach(_ host: AsyncHost<Folder>, of data: AsyncData<Folder>) {
    journal.attach(data, name: "folder")
    journal.attach(host, name: "screen")
  }

  /// Records what becomes of the rows of another folder.
  func attach(_ folder: Folder) {
    folderCount += 1
    journal.attach(folder.rows, name: "rows[\(folderCount)]")
  }

  /// Records what becomes of the details of another row.
  func attach(_ details: AsyncData<FileDetails>) {
    detailsCount += 1
    detailsJournal.attach(details, name: "details[\(detailsCount)]")
  }

  private func add(_ entry: StateJournal.Entry, isAside: Bool = false) {
    lanes.add(entry, isAside: isAside)
    now = entry.time
    growBars()
  }

  // MARK: Commands

  func toggle() {
    isOpen.write(!isOpen.current)
    selectedNumber = nil
    zoom = 0
    now = time()
    growBars()
  }

  /// Selects an entry before or after the selected one.
  func select(by steps: Int) {
    let next = selection + steps
    selectedNumber = next < lanes.lastMarkedNumber ? max(next, journal.dropped + 1) : nil
  }

  /// Makes the time axis larger or, below zero, smaller.
  func zoom(by steps: Int) {
    zoom = min(max(zoom + steps, -Self.mostZoom), Self.mostZoom)
  }

  private var selection: Int { max(selectedNumber ?? lanes.lastMarkedNumber, journal.dropped + 1) }

  /// Draws again and again as long as something is running that can be seen.
  private func growBars() {
    guard isOpen.current, lanes.isBusy, ticking == nil else { return }
    ticking = Task { [weak self, clock] in
      while (try? await clock.sleep(for: Self.tick)) != nil, self?.growBarsOnce() == true {}
      self?.ticking = nil
    }
  }

  /// - Returns: Whether to go on.
  private func growBarsOnce() -> Bool {
    now = max(now, time())
    return isOpen.current && lanes.isBusy
  }

  private static func stopwatch<C: Clock>(_ clock: C) -> () -> Duration where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  // MARK: Drawing

  /// The panel as it is now; without enough room nothing is read, and so nothing is drawn again for it.
  func rows(in size: Size) -> [Row] {
    guard size.rows >= InspectorPanel.leastRows else { return [] }
    let causes = [journal[selection]].compactMap(\.self) + journal.causes(of: selection)
    let panel = InspectorPanel(
      lanes: lanes, now: lanes.isBusy ? now : .zero, causes: causes, dropped: journal.dropped, zoom: zoom)
    return panel.rows(in: size)
  }
}
#endif
