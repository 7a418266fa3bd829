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
}

/// The errors of the last page requests, in one immutable object: few snapshots have any.
final class PageErrors: Sendable {
  let next: (any Error)?
  let previous: (any Error)?

  private init(next: (any Error)?, previous: (any Error)?) {
    self.next = next
    self.previous = previous
  }

  /// Returns nil if there is no error.
  static func boxed(next: (any Error)?, previous: (any Error)?) -> PageErrors? {
    next == nil && previous == nil ? nil : PageErrors(next: next, previous: previous)
  }
}
