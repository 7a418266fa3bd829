// SPDX-License-Identifier: MIT
#if canImport(AppKit) && !canImport(UIKit)
  import AsyncStateLists
  import Foundation

  /// The moves of a change one after another, as AppKit counts them: each from the update before, and to the place that the row
  /// has when it was taken out.
  struct SingleMoves {
    private(set) var steps: [(from: Int, to: Int)] = []

    /// - Parameters:
    ///   - moves: Ascending by their places in the new list.
    ///   - stay: The rows of the previous list that stay, in their order. The others are removed before.
    ///   - insertions: The places in the new list of rows that are inserted afterwards.
    init(of moves: [ListChange.Places], among stay: [Int], _ insertions: IndexSet) {
      guard !moves.isEmpty else { return }
      let targets = Dictionary(uniqueKeysWithValues: moves.map { ($0.to.row, $0.from.row) })
      let moved = Set(targets.values)
      var others = stay.filter { !moved.contains($0) }[...]
      var order = stay
      var former: Int?
      // Each row that moves follows the one that is before it in the new list.
      for place in 0..<(stay.count + insertions.count) where !insertions.contains(place) {
        guard let row = targets[place] else {
          former = others.removeFirst()
          continue
        }
        guard let from = order.firstIndex(of: row) else { continue }
        order.remove(at: from)
        let to = former.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        order.insert(row, at: to)
        steps.append((from, to))
        former = row
      }
    }
  }
#endif
