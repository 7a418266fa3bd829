// SPDX-License-Identifier: MIT
/// The inputs of a mutation that have not ended, in lanes, in the order in which they are sent: the first of a lane has its turn.
///
/// It does not know the types of inputs and outputs, which would be looked up at each use: they are a third of what a command takes.
struct MutationLanes {
  /// Nil is the lane of a mutation that has only one.
  private var lanes: [AnyHashable?: [AnyObject]] = [:]
  /// The inputs that have their turn, in the order in which they began.
  private(set) var active: [AnyObject] = []

  var isEmpty: Bool { lanes.isEmpty }

  /// All, in the order of each lane.
  var all: [AnyObject] { lanes.values.flatMap { $0 } }

  /// The inputs of a lane, in order.
  subscript(lane: AnyHashable?) -> [AnyObject] { lanes[lane] ?? [] }

  mutating func add(_ run: AnyObject, to lane: AnyHashable?, isFirst: Bool) {
    if isFirst { lanes[lane, default: []].insert(run, at: 0) } else { lanes[lane, default: []].append(run) }
  }

  mutating func begin(_ run: AnyObject) { active.append(run) }

  /// - Returns: True if it was there.
  mutating func remove(_ run: AnyObject, from lane: AnyHashable?) -> Bool {
    guard var runs = lanes[lane], let index = runs.firstIndex(where: { $0 === run }) else { return false }
    // Not copied: the dictionary does not hold them while they change.
    lanes[lane] = nil
    runs.remove(at: index)
    if !runs.isEmpty { lanes[lane] = runs }
    if let index = active.firstIndex(where: { $0 === run }) { active.remove(at: index) }
    return true
  }
}
