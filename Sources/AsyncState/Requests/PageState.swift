// SPDX-License-Identifier: MIT
/// The visible state of the requests for a further page.
public struct PageState: Sendable {
  /// A request runs.
  public var isRunning: Bool
  /// True while the running request waits for its ``LoadGate``, as for the network.
  public var isWaiting: Bool
  /// The error of the last request, until another one starts or an answer replaces the pages.
  public var error: (any Error)?

  /// A state with these properties.
  public init(isRunning: Bool = false, isWaiting: Bool = false, error: (any Error)? = nil) {
    self.isRunning = isRunning
    self.isWaiting = isWaiting
    self.error = error
  }

  /// Ends the running request.
  mutating func end() { self = PageState(error: error) }
}

/// The page requests of a snapshot, in one immutable object: few snapshots have any.
final class PageStates: Sendable {
  let next: PageState
  let previous: PageState

  private init(next: PageState, previous: PageState) {
    self.next = next
    self.previous = previous
  }

  /// Returns nil if there is nothing to keep.
  static func boxed(next: PageState, previous: PageState) -> PageStates? {
    if !next.isRunning, !previous.isRunning, next.error == nil, previous.error == nil { return nil }
    return PageStates(next: next, previous: previous)
  }

  /// The same with no request running.
  var ended: PageStates? {
    guard next.isRunning || previous.isRunning else { return self }
    return Self.boxed(next: PageState(error: next.error), previous: PageState(error: previous.error))
  }
}

extension PageState: CustomStringConvertible {
  /// The state in words: `loading`, `waiting`, or the error of the last request.
  public var description: String {
    isWaiting ? "waiting" : isRunning ? "loading" : error.map { "error: \(brief($0))" } ?? "idle"
  }
}
