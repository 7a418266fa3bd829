// SPDX-License-Identifier: MIT
/// Releases the last reference to an object on another thread.
@MainActor
func releaseElsewhere<Object: AnyObject & Sendable>(_ object: inout Object?) async {
  let (turn, mayRelease) = AsyncStream.makeStream(of: Void.self)
  let release = Task.detached { [object] in
    for await _ in turn { break }
    withExtendedLifetime(object) {}
  }
  object = nil
  mayRelease.yield()
  await release.value
}
