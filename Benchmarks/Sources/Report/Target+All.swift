import Workloads

extension Target {
  /// What the library is to be shown against.
  static let all: [Target] = [
    Target("flip, time beside the hand-written one", .atMost(must: 5, aim: 2.5), .times) {
      $0.ratio(.flip, to: .byHand)
    },
    Target("flip, faster than OpenCombine's pipeline", .atLeast(must: 5, aim: 10), .times) {
      $0.advantage(.flip, over: .openCombine)
    },
    Target("flip, allocations", .atMost(must: 0, aim: 0), .allocations) { $0.allocations(.flip) },
    Target("same state, allocations", .atMost(must: 0, aim: 0), .allocations) { $0.allocations(.sameState) },
    Target("observed through two maps, faster than OpenCombine", .atLeast(must: 8, aim: 15), .times) {
      $0.advantage(.observed, over: .openCombine)
    },
    Target("a write, allocations", .atMost(must: 0, aim: 0), .allocations) { $0.allocations(.observed) },
    Target("observers, each one more, from 10 to 10,000", .atMost(must: 12, aim: 5), .nanoseconds) {
      $0.growth(from: 10, to: 10_000)
    },
    Target("`start` and its outcome, time beside a bare awaited `Task`", .atMost(must: 1.5, aim: 1.15), .times) {
      $0.ratio(.start, to: .bareTask)
    },
    Target("`load`, time beside a bare awaited `Task`", .atMost(must: 1.5, aim: 1.15), .times) {
      $0.ratio(.load, to: .bareTask)
    },
    Target("tracked change, time beside Observation's own", .atMost(must: 1.3, aim: 1.1), .times) {
      $0.ratio(.tracked, to: .observation)
    },
    Target("heap of an `AsyncData<Int>`", .atMost(must: 256, aim: 160), .bytes) { $0.weight(.data) },
    Target("heap of a `StateContainer` with two children", .atMost(must: 512, aim: 320), .bytes) {
      $0.weight(.container)
    },
    Target("100,000 hosts released, heap beside the start", .atMost(must: 0.01, aim: 0), .percent) {
      $0.crowd.heap.growth / $0.crowd.heapAtStart
    },
    Target("chain of a million, stack beside a chain of ten", .atMost(must: 0, aim: 0), .bytes) {
      $0.chains.map(\.stackGrowth).max() ?? .nan
    },
    Target("chain of a million, growth of the heap", .atMost(must: 0, aim: 0), .bytes) {
      $0.chains.map(\.heap.growth).max() ?? .nan
    },
  ]
}
