// SPDX-License-Identifier: MIT
/// Something that is measured: made once, brought into its steady state by its initialiser, and then done as often as
/// one likes.
public protocol Work: AnyObject {
  /// Does it `count` times on the actor that the work lives on.
  func run(_ count: Int, on home: isolated any Actor) async
}

/// Work that never waits for anything.
public protocol SynchronousWork: Work {
  /// Starts what can only be started on an actor. Called before each run.
  func begin(on home: isolated any Actor)
  /// Does it `count` times.
  func run(_ count: Int)
}

extension SynchronousWork {
  /// Nothing is to be started.
  public func begin(on home: isolated any Actor) {}

  /// Does it `count` times without suspending.
  public func run(_ count: Int, on home: isolated any Actor) async {
    begin(on: home)
    run(count)
  }
}
