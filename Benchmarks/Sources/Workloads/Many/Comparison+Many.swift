// SPDX-License-Identifier: MIT
extension Comparison {
  /// A host among many is made, appears, changes from loading to data, and is released.
  public static let hosts = Comparison(
    "hosts", crowd: 100_000,
    [
      Contender(.asyncState) { HostCrowd() },
      Contender(.byHand) { HandWrittenCrowd() },
    ])

  /// An actor among many makes a host, and loads.
  public static let actors = Comparison(
    "actors", crowd: 10_000,
    [
      Contender(.asyncState) { ActorCrowd() },
      Contender(.bareTask) { BareTaskCrowd() },
    ])
}
