// SPDX-License-Identifier: MIT
/// The actor that a work lives on while it is measured.
public actor Home {
  private let work: any Work

  /// Makes the work on a new actor.
  public init(_ contender: Contender) {
    work = contender.make()
  }

  /// Does the work `count` times.
  public func run(_ count: Int) async {
    await work.run(count, on: self)
  }

  /// Does the work `count` times, and says how long that took.
  public func time(_ count: Int) async -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    await work.run(count, on: self)
    return start.duration(to: clock.now)
  }
}
