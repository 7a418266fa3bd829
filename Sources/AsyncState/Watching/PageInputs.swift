// SPDX-License-Identifier: MIT
/// What the further pages of a list were made of: of each page that is requested, and of each that is in the list.
struct PageInputs {
  typealias Inputs = [any WatchedInput]

  /// Of the page request that runs at an edge.
  private var requested: [PageEdge: Inputs] = [:]
  /// Of the pages that have arrived at an edge, the one at the end of the list last.
  private var arrived: [PageEdge: [Inputs]] = [:]
  /// The number of pages between those at the two edges: nothing is known of them alone. Nil: it was not looked at.
  private var innerCount: Int?
  /// Where pages were removed last, and whether those are still to be forgotten.
  private var evictedEdge: PageEdge?
  private var isOutdated = false

  var isEmpty: Bool { requested.isEmpty && arrived.isEmpty }

  var all: Inputs { requested.values.flatMap { $0 } + arrived.values.flatMap { $0.flatMap { $0 } } }

  /// The first one of a resource.
  func first(of source: AnyObject) -> (any WatchedInput)? {
    for inputs in requested.values { if let input = inputs.first(where: { $0.source === source }) { return input } }
    for pages in arrived.values {
      for inputs in pages { if let input = inputs.first(where: { $0.source === source }) { return input } }
    }
    return nil
  }

  private var arrivedCount: Int { arrived.values.reduce(0) { $0 + $1.count } }

  /// The operation of a page is about to get something.
  ///
  /// - Parameter pageCount: The number of pages in the list.
  mutating func begin(_ pageCount: @autoclosure () -> Int?) {
    if innerCount == nil { innerCount = pageCount().map { $0 - arrivedCount } }
  }

  /// It has got something.
  mutating func add(_ input: any WatchedInput, at edge: PageEdge) { requested[edge, default: []].append(input) }

  /// A page has arrived.
  mutating func arrive(at edge: PageEdge, evicts: Bool) {
    arrived[edge, default: []].append(end(at: edge))
    guard evicts else { return }
    evictedEdge = edge.opposite
    isOutdated = true
  }

  // MARK: What is not watched any more

  /// The request of a page has ended.
  mutating func end(at edge: PageEdge) -> Inputs { requested.removeValue(forKey: edge) ?? [] }

  /// All page requests have ended without a page.
  mutating func endAll() -> Inputs { PageEdge.allCases.flatMap { end(at: $0) } }

  /// There is another list, or none.
  mutating func removeAll() -> Inputs {
    let former = all
    self = PageInputs()
    return former
  }

  /// Pages may have been removed from the list.
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
