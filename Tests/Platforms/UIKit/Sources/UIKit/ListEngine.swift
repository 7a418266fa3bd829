// SPDX-License-Identifier: MIT
/// What a table view and a collection view have in common: sections of rows, some of which are visible and have cells.
///
/// Apple documents that removals and the sources of moves index the list before the update, insertions and the
/// targets of moves the one after it, and that the numbers must add up; UIKit raises an exception where they do not.
@MainActor
final class ListEngine<Cell: UIView> {
  enum Operation {
    case deleteSection(Int), insertSection(Int), moveSection(Int, Int)
    case delete(IndexPath), insert(IndexPath), reconfigure(IndexPath)
    case move(IndexPath, IndexPath)
  }

  /// The cells of the rows; nil for one that is not visible.
  private(set) var grid: [[Cell?]] = []
  private var offset = 0
  var visibleCount = 5
  private var registered: [String: () -> Cell] = [:]
  private var reusable: [String: [Cell]] = [:]
  private var identifiers: [ObjectIdentifier: String] = [:]
  private var batch: [Operation]?
  private var dequeued: [IndexPath: Cell] = [:]

  var counts: () -> [Int] = { [] }
  var makeCell: (IndexPath) -> Cell? = { _ in nil }
  var willDisplay: (Cell, IndexPath) -> Void = { _, _ in }
  var didEndDisplaying: (Cell, IndexPath) -> Void = { _, _ in }
  var prepareForReuse: (Cell) -> Void = { _ in }
  weak var view: UIView?
  /// The calls of the list that are under way: its layout, and the updates that it carries out.
  private var openCalls = 0
  private var heights: [ObjectIdentifier: CGFloat] = [:]

  // UIKit stops at an update of a list inside its layout, its cells and its delegate's calls: "attempted to … while the
  // view is in the process of being updated".
  private func isFree(for update: String) -> Bool {
    StandIn.require(openCalls == 0, .assertion, "\(update) inside a call of the list itself")
    return openCalls == 0
  }

  private func calling(_ body: () -> Void) {
    openCalls += 1
    body()
    openCalls -= 1
  }

  // MARK: Cells

  func register(_ identifier: String, _ make: @escaping () -> Cell) { registered[identifier] = make }

  func dequeue(_ identifier: String, for path: IndexPath) -> Cell {
    if let current = dequeued[path] { return current }
    if let cell = reusable[identifier]?.popLast() {
      prepareForReuse(cell)
      return cell
    }
    guard let make = registered[identifier] else {
      StandIn.violation(.assertion, "Unable to dequeue a cell with identifier \(identifier): no class was registered")
      fatalError("There is no cell to go on with.")
    }
    let cell = make()
    identifiers[ObjectIdentifier(cell)] = identifier
    return cell
  }

  // MARK: Reading

  var isLoaded: Bool { !grid.isEmpty }

  func path(of cell: Cell) -> IndexPath? {
    for (section, rows) in grid.enumerated() {
      if let row = rows.firstIndex(where: { $0 === cell }) { return IndexPath(item: row, section: section) }
    }
    return nil
  }

  func cell(at path: IndexPath) -> Cell? {
    guard grid.indices.contains(path.section), grid[path.section].indices.contains(path.item) else { return nil }
    return grid[path.section][path.item]
  }

  var visiblePaths: [IndexPath] {
    grid.indices.flatMap { section in
      grid[section].indices.filter { grid[section][$0] != nil }.map { IndexPath(item: $0, section: section) }
    }
  }

  // MARK: Displaying

  func reload() {
    if isFree(for: "reloadData") { calling(loadAnew) }
  }

  private func loadAnew() {
    for path in visiblePaths { endDisplaying(grid[path.section][path.item], path) }
    grid = counts().map { Array(repeating: nil, count: $0) }
    layout()
  }

  func scroll(to offset: Int) {
    self.offset = max(offset, 0)
    calling(layout)
  }

  func enteredWindow() {
    if isLoaded { calling(layout) } else { reload() }
  }

  private func layout() {
    guard view?.window != nil else { return }
    let numbers = counts()
    // The data source may not change its mind between updates.
    StandIn.require(
      numbers == grid.map(\.count), .assertion,
      "The data source has \(numbers) rows, the list shows \(grid.map(\.count)): no update was announced")
    var index = 0
    for section in grid.indices {
      for row in grid[section].indices {
        let isVisible = index >= offset && index < offset + visibleCount
        let path = IndexPath(item: row, section: section)
        if !isVisible, let cell = grid[section][row] {
          grid[section][row] = nil
          endDisplaying(cell, path)
        }
        index += 1
      }
    }
    index = 0
    for section in grid.indices {
      for row in grid[section].indices {
        if index >= offset, index < offset + visibleCount, grid[section][row] == nil {
          let path = IndexPath(item: row, section: section)
          guard let cell = makeCell(path) else { return }
          StandIn.require(self.path(of: cell) == nil, .strict, "One cell was returned for two rows")
          grid[section][row] = cell
          willDisplay(cell, path)
          view?.addSubview(cell)
          measure(cell)
        }
        index += 1
      }
    }
  }

  private func endDisplaying(_ cell: Cell?, _ path: IndexPath) {
    guard let cell else { return }
    cell.removeFromSuperview()
    didEndDisplaying(cell, path)
    if let identifier = identifiers[ObjectIdentifier(cell)] { reusable[identifier, default: []].append(cell) }
  }

  // MARK: Sizes

  private func measure(_ cell: Cell) { heights[ObjectIdentifier(cell)] = cell.contentHeight }

  /// The height of a row that measures itself; nil for one that is not visible.
  func height(at path: IndexPath) -> CGFloat? { cell(at: path).flatMap { heights[ObjectIdentifier($0)] } }

  /// Rows are measured again by themselves where constraints are included.
  func measureRows() {
    for path in visiblePaths { cell(at: path).map(measure) }
  }

  // MARK: Updates

  func perform(_ updates: () -> Void) {
    let isOutermost = batch == nil
    if isOutermost {
      guard isFree(for: "An update") else { return }
      batch = []
    }
    updates()
    guard isOutermost, let operations = batch else { return }
    batch = nil
    calling { carryOut(operations) }
  }

  func note(_ operations: [Operation]) {
    if batch != nil { batch! += operations } else { perform { batch! += operations } }
  }

  private func carryOut(_ operations: [Operation]) {
    var former = grid
    let numbers = counts()
    var removed: [(IndexPath, Cell)] = []
    var gone: Set<IndexPath> = [], goneSections: Set<Int> = []
    var placed: [IndexPath: Cell?] = [:], newSections: Set<Int> = [], movedSections: [Int: Int] = [:]
    var reconfigured: [Cell] = []

    func take(_ path: IndexPath, _ what: String) -> Cell? {
      guard former.indices.contains(path.section), former[path.section].indices.contains(path.item) else {
        StandIn.violation(.assertion, "Invalid update: \(what) of \(path), which the list does not have")
        return nil
      }
      StandIn.require(gone.insert(path).inserted, .assertion, "Invalid update: \(what) of \(path), a second time")
      defer { former[path.section][path.item] = nil }
      return former[path.section][path.item]
    }

    for operation in operations {
      switch operation {
      case .deleteSection(let section):
        StandIn.require(former.indices.contains(section), .assertion, "Invalid update: removal of section \(section)")
        goneSections.insert(section)
        for (row, cell) in former[section].enumerated() {
          if let cell { removed.append((IndexPath(item: row, section: section), cell)) }
        }
      case .insertSection(let section): newSections.insert(section)
      case .moveSection(let from, let to):
        StandIn.require(former.indices.contains(from), .assertion, "Invalid update: move of section \(from)")
        StandIn.require(
          movedSections.updateValue(from, forKey: to) == nil, .assertion, "Two sections move to \(to)")
      case .delete(let path): take(path, "removal").map { removed.append((path, $0)) }
      case .insert(let path): placed[path] = .some(nil)
      case .move(let from, let to): placed[to] = .some(take(from, "move"))
      case .reconfigure(let path):
        if let cell = cell(at: path) { reconfigured.append(cell) }
      }
    }

    StandIn.require(
      movedSections.isEmpty || movedSections.count == operations.count, .strict,
      "A section moves, and the same update has other changes: UIKit does not carry out those of its rows")

    let kept = former.indices.filter { !goneSections.contains($0) && !movedSections.values.contains($0) }
    var next: [[Cell?]] = []
    var nextKept = kept.makeIterator()
    for section in numbers.indices {
      if newSections.contains(section) {
        next.append(Array(repeating: nil, count: numbers[section]))
        continue
      }
      guard let old = movedSections.removeValue(forKey: section) ?? nextKept.next() else {
        return StandIn.violation(.assertion, "Invalid update: \(numbers.count) sections after \(grid.count)")
      }
      var rest = former[old].indices.filter { !gone.contains(IndexPath(item: $0, section: old)) }.makeIterator()
      var rows: [Cell?] = []
      for row in 0..<numbers[section] {
        if let cell = placed.removeValue(forKey: IndexPath(item: row, section: section)) {
          rows.append(cell)
        } else if let index = rest.next() {
          rows.append(former[old][index])
        } else {
          return StandIn.violation(
            .assertion, "Invalid update: invalid number of rows in section \(section): \(numbers[section])")
        }
      }
      StandIn.require(rest.next() == nil, .assertion, "Invalid update: invalid number of rows in section \(section)")
      next.append(rows)
    }
    StandIn.require(
      nextKept.next() == nil && placed.isEmpty && movedSections.isEmpty, .assertion,
      "Invalid update: rows or sections are left")
    grid = next
    for (path, cell) in removed { endDisplaying(cell, path) }
    // The cell stays; it is neither prepared for reuse nor displayed again.
    for cell in reconfigured {
      guard let path = path(of: cell) else { continue }
      dequeued[path] = cell
      let same = makeCell(path)
      dequeued[path] = nil
      StandIn.require(same === cell, .assertion, "A reconfigured row got another cell")
      // Another configuration is one of the reasons to measure a cell again.
      measure(cell)
    }
    layout()
  }
}
