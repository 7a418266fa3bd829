// SPDX-License-Identifier: MIT
extension Comparison {
  /// A load whose operation answers at once, from `start` to its outcome.
  public static let start = Comparison(
    "start",
    [
      Contender(.asyncState) { StartedLoad() },
      Contender(.bareTask) { BareTask() },
    ])

  /// A load whose operation answers at once, awaited with `load`.
  public static let load = Comparison(
    "load",
    [
      Contender(.asyncState) { AwaitedLoad() },
      Contender(.bareTask) { BareTask() },
    ])

  /// A load whose operation throws, beside one that answers.
  public static let failingLoad = Comparison(
    "load that fails", [Contender(.asyncState) { FailingLoad() }, Contender(.simplerCase) { AwaitedLoad() }])

  /// The first page of a list, beside a load that answers.
  public static let firstPage = Comparison(
    "the first page",
    [Contender(.asyncState) { PageLoads(isFurther: false) }, Contender(.simplerCase) { AwaitedLoad() }])

  /// The page after the last one, beside a load that answers.
  public static let furtherPage = Comparison(
    "a further page",
    [Contender(.asyncState) { PageLoads(isFurther: true) }, Contender(.simplerCase) { AwaitedLoad() }])

  /// A load with a retry policy and a timeout, beside one without.
  public static let guardedLoad = Comparison(
    "load with retry and timeout",
    [Contender(.asyncState) { GuardedLoad() }, Contender(.simplerCase) { AwaitedLoad() }])

  /// A load with a gate that is open, beside one without.
  public static let gatedLoad = Comparison(
    "load through a gate", [Contender(.asyncState) { GatedLoad() }, Contender(.simplerCase) { AwaitedLoad() }])

  /// A call that finds a fresh value, beside a load that answers: it is awaited, or started as each cell of a list does.
  public static let freshResource = Comparison(
    "a fresh load of a resource",
    [Contender(.asyncState) { FreshResource(isAwaited: true) }, Contender(.simplerCase) { AwaitedLoad() }])

  /// The same, started.
  public static let freshStart = Comparison(
    "a fresh start of a resource",
    [Contender(.asyncState) { FreshResource(isAwaited: false) }, Contender(.simplerCase) { AwaitedLoad() }])

  /// A change that is displayed at once and committed, beside a load that answers.
  public static let mutation = Comparison(
    "mutate", [Contender(.asyncState) { Mutation() }, Contender(.simplerCase) { AwaitedLoad() }])

  /// An input of an outbox, beside a load that answers.
  public static let outboxInput = Comparison(
    "an outbox input", batch: 200,
    [Contender(.asyncState) { OutboxInput() }, Contender(.simplerCase) { AwaitedLoad() }])

  /// A command, beside a load that answers.
  public static let command = Comparison(
    "command", [Contender(.asyncState) { Command(isDisplayed: false) }, Contender(.simplerCase) { AwaitedLoad() }])

  /// The same, of a command that changes a resource at once.
  public static let displayedCommand = Comparison(
    "command with a change",
    [Contender(.asyncState) { Command(isDisplayed: true) }, Contender(.simplerCase) { AwaitedLoad() }])

  /// An element of an open stream, beside a load that answers.
  public static let liveElement = Comparison(
    "live element", [Contender(.asyncState) { LiveElement() }, Contender(.simplerCase) { AwaitedLoad() }])

  /// A value that an operation reports before its answer, beside a load that answers.
  public static let yieldedValue = Comparison(
    "yield", [Contender(.asyncState) { YieldedValues() }, Contender(.simplerCase) { AwaitedLoad() }])

  /// An invalidation without observers, beside a load that answers.
  public static let invalidation = Comparison(
    "invalidate", [Contender(.asyncState) { Invalidated() }, Contender(.simplerCase) { AwaitedLoad() }])

  /// A change of what a resource is made of, and its load, beside a load that answers.
  public static let watchedChange = Comparison(
    "watched change", [Contender(.asyncState) { WatchedChange() }, Contender(.simplerCase) { AwaitedLoad() }])
}
