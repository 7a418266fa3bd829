// SPDX-License-Identifier: MIT
/// A work, and the ways of doing it that are measured side by side.
public struct Comparison: Sendable {
  /// What the work is called, on the command line too.
  public let name: String

  /// How many operations are worth a run of their own.
  public let batch: Int

  /// How many operations belong together, where doing many at a time is what is measured.
  public let crowd: Int?

  /// The library's way first.
  public let contenders: [Contender]

  init(_ name: String, batch: Int = 1000, crowd: Int? = nil, _ contenders: [Contender]) {
    self.name = name
    self.batch = batch
    self.crowd = crowd
    self.contenders = contenders
  }

  /// The way of `side`, if it takes part.
  public func contender(_ side: Contender.Side) -> Contender? {
    contenders.first { $0.side == side }
  }

  /// Everything that is measured by the operation.
  public static let all: [Comparison] =
    [.flip, .flipAtOnce, .sameState, .appearing, .sharedChild, .childForNone, .unseen, .animated]
    + [.observed, .diamond] + observerCounts.map { .observers($0) }
    + [.loadingFlag, .batchOverOne, .batchOverTen, .binding, .boundProperty]
    + [.start, .load, .failingLoad, .firstPage, .furtherPage, .guardedLoad, .gatedLoad]
    + [.freshResource, .freshStart, .mutation, .command, .displayedCommand, .outboxInput]
    + [.liveElement, .watchedChange, .yieldedValue, .invalidation]
    + [.tracked, .untracked] + families + journals + chains + [.hosts, .actors]
}
