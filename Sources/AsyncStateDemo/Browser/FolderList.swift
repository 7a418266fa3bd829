// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateLists
import AsyncState
import Observation

/// The rows of a folder, of which those in view have cells.
@MainActor @Observable
final class FolderList {
  let folder: Folder
  private(set) var viewport: Viewport

  @ObservationIgnored private let cells: RowCells
  @ObservationIgnored private let source: ListDataSource<FileEntry, RowCells.Cell>
  private var shown: [Int: RowCells.Cell] = [:]
  @ObservationIgnored private var isVisible = false
  @ObservationIgnored private var tokens: [ObservedToken] = []

  init(_ folder: Folder, height: Observed<Int>, cells: RowCells) {
    self.folder = folder
    self.cells = cells
    let items = folder.rows.observed.map { $0.value?.items ?? [] }
    source = ListDataSource(
      items: items, dequeue: { [cells] _ in cells.dequeue() },
      configure: { [path = folder.path] cell, entry in
        cell.configure(with: FileRow.Model(entry: entry, path: path.appending(entry.name)))
      })
    let start = items.current.firstIndex { $0.name == folder.startingName }
    viewport = Viewport(count: items.current.count, height: height.current, selection: start ?? 0)
    tokens = [
      source.observeChanges { [weak self] change in
        guard change.apply() else { return }
        self?.update { $0.apply(change) }
      },
      height.observe { [weak self] height in self?.update { $0.resize(height: height) } },
    ]
  }

  /// The entry of the selected row.
  var selectedEntry: FileEntry? { viewport.count > 0 ? source.item(at: viewport.selection) : nil }

  /// The path of the selected row.
  var selectedPath: FilePath? {
    selectedEntry.map { folder.path.appending($0.name) }
  }

  /// Which row is selected, of how many that are known.
  var position: String {
    let more = folder.rows.snapshot.value?.next == nil ? "" : "+"
    return viewport.count == 0 ? "" : "\(viewport.selection + 1) of \(viewport.count)\(more)"
  }

  /// Changes what is in view.
  func update(_ change: (inout Viewport) -> Void) {
    change(&viewport)
    if isVisible { layOut() }
  }

  /// Requests the details of the rows in view again, and keeps those that are displayed meanwhile.
  func refreshDetails() {
    for cell in shown.values { cell.controller?.load(.refresh) }
  }

  /// Cancels the requests of the rows in view.
  func cancelDetails() {
    for cell in shown.values { cell.controller?.cancel() }
  }

  /// Gives a cell to every row in view and to no other.
  private func layOut() {
    let visible = viewport.visible
    // First give, then take: so there are never more cells than rows in view and spare ones.
    for (index, cell) in shown {
      if visible.contains(index), cell.controller?.model?.entry == source.item(at: index) { continue }
      cells.recycle(cell)
      shown[index] = nil
    }
    for index in visible where shown[index] == nil {
      let cell = source.cell(at: index)
      shown[index] = cell
      cell.willDisplay()
    }
    if let last = visible.last { folder.noteDisplay(of: last) }
  }
}

extension FolderList: @MainActor ChildController {
  func willAppear(animated: Bool) {
    isVisible = true
    layOut()
  }

  // Will and not did: the outgoing list returns its cells before the incoming one takes some.
  func willDisappear(animated: Bool) {
    isVisible = false
    for cell in shown.values { cells.recycle(cell) }
    shown = [:]
  }
}

extension FolderList: @MainActor Drawable {
  func rows(in size: Size) -> [Row] {
    viewport.visible.map { index in
      let view = shown[index]?.controller?.view.unbox
      return view?.row(columns: size.columns, isSelected: index == viewport.selection) ?? Row()
    }
  }
}
#endif
