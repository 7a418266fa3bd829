// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import Testing

@MainActor
final class ListRig: ReentryRig {
  enum Callback: CaseIterable {
    case dequeue, configure, observer, equality, create, willAppear, didAppear, willDisappear, didDisappear
    case prepareForReuse, configureRow, releaseOfARow
  }

  enum Method: CaseIterable {
    case count, cell, apply, writeItems, writeNone, observe, cancelToken, dropSource, configure, willDisplay,
      didEndDisplaying
    case prepareForReuse, dropCell
  }

  struct Item: Hashable {
    let number: Int
    let reentry: Reentry<ListRig>

    static func == (left: Item, right: Item) -> Bool {
      left.reentry.reached(.equality)
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  final class Row: ReusableController {
    let reentry: Reentry<ListRig>
    let log: Log
    private let farewell: Farewell
    private var walk = "gone"

    init(_ reentry: Reentry<ListRig>, _ log: Log) {
      self.reentry = reentry
      self.log = log
      farewell = Farewell { reentry.reached(.releaseOfARow) }
    }

    private func step(_ from: String, _ to: String, _ callback: Callback) {
      if walk != from { log.broken.append("\(callback) while \(walk)") }
      walk = to
      reentry.reached(callback)
    }

    func configure(with model: Int) { reentry.reached(.configureRow) }
    func prepareForReuse() { reentry.reached(.prepareForReuse) }
    func willAppear(animated: Bool) { step("gone", "appearing", .willAppear) }
    func didAppear(animated: Bool) { step("appearing", "visible", .didAppear) }
    func willDisappear(animated: Bool) { step("visible", "disappearing", .willDisappear) }
    func didDisappear(animated: Bool) { step("disappearing", "gone", .didDisappear) }
  }

  final class Log { var broken: [String] = [] }

  let reentry: Reentry<ListRig>
  private let log = Log()
  private let items: Input<[Item]>
  private var source: ListDataSource<Item, Row>?
  private var cell: CellHost<Row>?
  private var token: ObservedToken?
  private var tokens: [ObservedToken] = []
  /// What the observer of changes is at.
  private final class Shown {
    var change: ListChange?
    var isOutdated = false
  }
  private let shown = Shown()
  private weak var weakCell: CellHost<Row>?
  private weak var weakSource: ListDataSource<Item, Row>?

  init(_: OneKind, _ reentry: Reentry<ListRig>) {
    self.reentry = reentry
    items = Input((0..<3).map { Item(number: $0, reentry: reentry) })
    let log = log
    source = ListDataSource(
      items: items,
      dequeue: { _ in
        reentry.reached(.dequeue)
        return Row(reentry, log)
      },
      configure: { row, item in
        reentry.reached(.configure)
        row.configure(with: item.number)
      })
    cell = CellHost {
      reentry.reached(.create)
      return Row(reentry, log)
    }
    (weakCell, weakSource) = (cell, source)
  }

  private func list(_ numbers: [Int]) -> [Item] { numbers.map { Item(number: $0, reentry: reentry) } }

  // MARK: The scenario

  func run() {
    observe()
    useCell()
    items.write(list([1, 2, 3]))
    useCell()
    items.write(list([1]))
    cell?.configure(with: 1)
    cell?.willDisplay()
    cell?.configure(with: 2)
    cell?.didEndDisplaying()
    cell?.willDisplay()
    cell?.prepareForReuse()
    cell?.configure(with: 3)
    cell?.willDisplay()
    _ = cell.take()
    items.write(list([4, 5, 6]))
    useCell()
  }

  private func useCell() {
    guard let source, source.count > 0 else { return }
    _ = source.cell(at: 0)
  }

  private func observe() {
    let (reentry, shown) = (reentry, shown)
    token = source?.observeChanges { change in
      shown.change = change
      reentry.reached(.observer)
      shown.isOutdated = !change.apply()
      _ = shown.change.take()
    }
  }

  // MARK: The methods

  func call(_ method: Method) {
    switch method {
    case .count: _ = source?.count
    case .cell: if let source, source.count > 0 { _ = source.cell(at: source.count - 1) }
    case .apply: shown.change?.apply()
    case .writeItems: items.write(list([7, 1, 8]))
    case .writeNone: items.write([])
    case .observe: if let source { tokens.append(source.observeChanges { _ in }) }
    case .cancelToken: _ = token.take()
    case .dropSource: _ = source.take()
    case .configure: cell?.configure(with: 9)
    case .willDisplay: cell?.willDisplay()
    case .didEndDisplaying: cell?.didEndDisplaying()
    case .prepareForReuse: cell?.prepareForReuse()
    case .dropCell: _ = cell.take()
    }
  }

  // MARK: The laws

  func expectAllIsWell(_ what: String) {
    reentry.end()
    if let source, token != nil { #expect(source.count == items.current.count, "8.1, \(what)") }
    _ = (cell.take(), source.take())
    _ = token.take()
    _ = tokens.takeAll()
    #expect(log.broken.isEmpty, "8.2, \(what): \(log.broken)")
    #expect(weakCell == nil && weakSource == nil, "1.6, \(what)")
  }
}
