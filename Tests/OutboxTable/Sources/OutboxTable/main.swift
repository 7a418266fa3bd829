// SPDX-License-Identifier: MIT
// Every sequence of events of an outbox's table with its store, up to a length: OutboxTable LENGTH [LATER-LENGTH]
//
// Once from nothing, and once from a later start: three inputs are accepted, and the first one is being sent.

import Foundation

/// The worlds that were found from a start, each with the one before it.
struct Search {
  private var worlds: [(world: World, from: Int, event: Event?)]
  private var seen: Set<World>
  private(set) var transitionCount = 0

  init(from start: World) {
    worlds = [(start, -1, nil)]
    seen = [start]
  }

  var worldCount: Int { worlds.count }

  /// - Returns: What must not be, and how it came to that.
  mutating func run(to length: Int) -> String? {
    var begin = 0
    for _ in 0..<length {
      let end = worlds.count
      for index in begin..<end {
        let world = worlds[index].world
        for event in world.events {
          transitionCount += 1
          var next = world
          let fault = next.perform(event)
          guard fault != nil || seen.insert(next).inserted else { continue }
          worlds.append((next, index, event))
          if let fault = fault ?? next.drained(storeWorks: true) ?? next.drained(storeWorks: false) {
            return "\(fault)\nafter: \(path(worlds.count - 1))\n\(next.table.rows.values.map(\.stored))\n\(next)"
          }
        }
        worlds[index].world = World()
      }
      begin = end
    }
    return nil
  }

  private func path(_ index: Int) -> String {
    var (index, names) = (index, [String]())
    while index >= 0, let event = worlds[index].event {
      names.insert("\(event)", at: 0)
      index = worlds[index].from
    }
    return names.joined(separator: "; ")
  }
}

func search(_ name: String, from start: World, to length: Int) -> Bool {
  var search = Search(from: start)
  let clock = ContinuousClock()
  let begin = clock.now
  if let fault = search.run(to: length) {
    print("\(name): \(fault)")
    return false
  }
  print(
    """
    \(name), length \(length): \(search.worldCount) worlds, \(search.transitionCount) transitions, no fault, \
    \((clock.now - begin).components.seconds) s
    """)
  return true
}

/// The world after some events.
func world(after events: [Event]) -> World {
  var world = World()
  for event in events {
    if let fault = world.perform(event) { fatalError("The start of a search: \(fault)") }
  }
  return world
}

let isRead: [Event] = [.call, .read(unreadable: nil)]
let isStored: [Event] = [.call, .end(isDone: true, isThrowing: false)]
/// The first input is accepted and being sent, and nothing else was performed.
let oneIsSent = world(after: isRead + [.perform(0)] + isStored + [.begin("a"), .count(0)] + isStored + [.make(0)])
/// Three are accepted, the first one is being sent, and the third has its lane.
let threeAreStored = world(
  after: isRead + [.perform(0), .perform(1), .perform(2)] + isStored + [.begin("a"), .begin("b"), .count(0)] + isStored
    + [.make(0)])

let lengths = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let (length, laterLength) = (lengths.first ?? 10, lengths.last ?? 8)
// The shorter ones first.
guard search("from one that is sent", from: oneIsSent, to: laterLength),
  search("from three inputs", from: threeAreStored, to: laterLength),
  search("from nothing", from: World(), to: length)
else { exit(1) }
