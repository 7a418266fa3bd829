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
}
