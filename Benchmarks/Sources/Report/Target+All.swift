// SPDX-License-Identifier: MIT
import Workloads

extension Target {
  /// What the library is to be shown against.
  static let all: [Target] = [
    Target("the four life-cycle calls, time beside the hand-written ones", .atMost(must: 3, aim: 2), .times) {
      $0.ratio(.appearing, to: .byHand)
    },
    Target(
      "a host: made, appears, loading to data, released; beside the hand-written one", .atMost(must: 3, aim: 2), .times
    ) {
      $0.ratio(.hosts, to: .byHand)
    },
    Target("flip, time beside the hand-written one", .atMost(must: 4.5, aim: 2.5), .times) {
      $0.ratio(.flip, to: .byHand)
    },
    Target("flip, faster than OpenCombine's pipeline", .atLeast(must: 2, aim: 4), .times) {
      $0.advantage(.flip, over: .openCombine)
    },
    Target("two children, one stays; beside one child for another", .atMost(must: 2, aim: 1.5), .times) {
      $0.ratio(.sharedChild, to: .simplerCase)
    },
    Target("animated, children that take part; beside one child for another", .atMost(must: 4, aim: 3), .times) {
      $0.ratio(.animated, to: .simplerCase)
    },
    Target("animated, children that take part, allocations", .atMost(must: 4, aim: 2), .allocations) {
      $0.allocations(.animated)
    },
    Target("every other path of a container, allocations", .atMost(must: 0, aim: 0), .allocations) { findings in
      [.appearing, .flip, .flipAtOnce, .sameState, .sharedChild, .childForNone, .unseen]
        .map(findings.allocations).max() ?? .nan
    },
    Target("`value =` with `isLoading` observed, beside unobserved", .atMost(must: 3, aim: 2), .times) {
      $0.ratio(.loadingFlag, to: .simplerCase)
    },
    Target("a batch over one input, beside a write", .atMost(must: 2, aim: 1.5), .times) {
      $0.ratio(.batchOverOne, to: .simplerCase)
    },
    Target("a batch over ten inputs and their sum (28 nodes), beside a write", .atMost(must: 40, aim: 25), .times) {
      $0.ratio(.batchOverTen, to: .simplerCase)
    },
    Target("observed through two maps, faster than OpenCombine", .atLeast(must: 4, aim: 8), .times) {
      $0.advantage(.observed, over: .openCombine)
    },
    Target("writes and batches, allocations", .atMost(must: 0, aim: 0), .allocations) { findings in
      [.observed, .diamond, .loadingFlag, .batchOverOne, .batchOverTen].map(findings.allocations).max() ?? .nan
    },
    Target("a write to a bound property", .atMost(must: 250, aim: 150), .nanoseconds) { $0.time(.boundProperty) },
    Target("a binding made and released", .atMost(must: 1200, aim: 800), .nanoseconds) { $0.time(.binding) },
    Target("a binding made and released, allocations", .atMost(must: 7, aim: 5), .allocations) {
      $0.allocations(.binding)
    },
    Target("a load that fails, beside one that answers", .atMost(must: 1.3, aim: 1.1), .times) {
      $0.ratio(.failingLoad, to: .simplerCase)
    },
    Target("the first page, beside a load that answers", .atMost(must: 1.3, aim: 1.1), .times) {
      $0.ratio(.firstPage, to: .simplerCase)
    },
    Target("a load with retry and timeout, beside one without", .atMost(must: 2, aim: 1.5), .times) {
      $0.ratio(.guardedLoad, to: .simplerCase)
    },
    Target("a load through an open gate, beside one without", .atMost(must: 1.5, aim: 1.2), .times) {
      $0.ratio(.gatedLoad, to: .simplerCase)
    },
    Target("observers, each one more, from 10 to 10,000", .atMost(must: 12, aim: 5), .nanoseconds) {
      $0.growth(from: 10, to: 10_000)
    },
    Target("`start` and its outcome, time beside a bare awaited `Task`", .atMost(must: 1.5, aim: 1.3), .times) {
      $0.ratio(.start, to: .bareTask)
    },
    Target("`load`, time beside a bare awaited `Task`", .atMost(must: 1.5, aim: 1.3), .times) {
      $0.ratio(.load, to: .bareTask)
    },
    Target("tracked change, time beside Observation's own", .atMost(must: 1.3, aim: 1.1), .times) {
      $0.ratio(.tracked, to: .observation)
    },
    Target("the resource of a family's key, beside a look-up in a dictionary", .atMost(must: 3, aim: 2), .times) {
      $0.ratio(.familyAccess, to: .byHand)
    },
    Target("an invalidation of one entry among 10,000, beside one among 100", .atMost(must: 2, aim: 1.5), .times) {
      $0.ratio(.tagInvalidation, to: .simplerCase)
    },
    Target("a key in a batch of fifty, beside a request of its own", .atMost(must: 1.5, aim: 1), .times) {
      $0.ratio(.batchedKey, to: .simplerCase)
    },
    Target("a million keys with `keepUnused: 100`, most entries at a time", .atMost(must: 208, aim: 208), .entries) {
      Double($0.family.most)
    },
    Target("a million keys with `keepUnused: 100`, blocks left on the heap", .atMost(must: 0, aim: 0), .blocks) {
      max($0.family.heap.blocks, 0)
    },
    Target("a change that a journal records, beyond one without a journal", .atMost(must: 1000, aim: 300), .nanoseconds)
    {
      $0.surplus(.recordedChange)
    },
    Target("a change that a journal records, allocations", .atMost(must: 0, aim: 0), .allocations) {
      $0.allocations(.recordedChange)
    },
    Target("a million recorded changes, growth of the heap", .atMost(must: 0, aim: 0), .bytes) {
      $0.journal.heap.growth
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
