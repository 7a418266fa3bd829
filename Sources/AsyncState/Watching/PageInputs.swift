// SPDX-License-Identifier: MIT
/// The inputs of the further pages of a list: those of each page that is requested, and of each that is in the list.
struct PageInputs {
  typealias Inputs = [any WatchedInput]

  /// The inputs of the page request that runs at an edge.
  private var requested: [PageEdge: Inputs] = [:]
  /// The inputs of the pages that have arrived at an edge, the page at the end of the list last.
  private var arrived: [PageEdge: [Inputs]] = [:]
  /// The number of pages between those at the edges, whose inputs are not known for each. Nil: not counted yet.
  private var innerCount: Int?
  /// The edge at which pages were removed last.
  private var evictedEdge: PageEdge?
  private var isOutdated = false

  var isEmpty: Bool { requested.isEmpty && arrived.isEmpty }

  var all: Inputs { requested.values.flatMap { $0 } + arrived.values.flatMap { $0.flatMap { $0 } } }

  /// The first input of a resource.
  func first(of source: AnyObject) -> (any WatchedInput)? {
    for inputs in requested.values { if let input = inputs.first(where: { $0.source === source }) { return input } }
    for pages in arrived.values {
      for inputs in pages { if let input = inputs.first(where: { $0.source === source }) { return input } }
    }
    return nil
  }

  private var arrivedCount: Int { arrived.values.reduce(0) { $0 + $1.count } }

  /// Notes that the operation of a page is about to read an input.
  ///
  /// - Parameter pageCount: The number of pages in the list.
  mutating func begin(_ pageCount: @autoclosure () -> Int?) {
    if innerCount == nil { innerCount = pageCount().map { max($0 - arrivedCount, 0) } }
  }

  /// Adds an input that the operation of a page has read.
  mutating func add(_ input: any WatchedInput, at edge: PageEdge) { requested[edge, default: []].append(input) }

  /// Keeps the inputs of a page that has arrived.
  mutating func arrive(at edge: PageEdge, evicts: Bool) {
    arrived[edge, default: []].append(end(at: edge))
    guard evicts else { return }
    evictedEdge = edge.opposite
    isOutdated = true
  }

  // MARK: Inputs that are not watched any more

  /// Removes the inputs of a page request that has ended.
  mutating func end(at edge: PageEdge) -> Inputs { requested.removeValue(forKey: edge) ?? [] }

  /// Removes the inputs of all page requests: these have ended without a page.
  mutating func endAll() -> Inputs { PageEdge.allCases.flatMap { end(at: $0) } }

  /// Removes all inputs: the list was replaced or removed.
  mutating func removeAll() -> Inputs {
    let former = all
    self = PageInputs()
    return former
  }

  /// Removes the inputs of pages that are not in the list any more.
  ///
  /// - Parameter pageCount: The number of pages in the list.
  mutating func removeEvicted(_ pageCount: @autoclosure () -> Int?) -> Inputs {
    guard isOutdated, let edge = evictedEdge, var innerCount else { return [] }
    isOutdated = false
    var excess = innerCount + arrivedCount - (pageCount() ?? 0)
    var former: Inputs = []
    while excess > 0 {
      excess -= 1
      if let page = arrived[edge]?.popLast() {
        former += page
      } else if innerCount > 0 {
        innerCount -= 1
      } else if arrived[edge.opposite]?.isEmpty == false, let page = arrived[edge.opposite]?.removeFirst() {
        former += page
      }
    }
    self.innerCount = innerCount
    return former
  }
}
