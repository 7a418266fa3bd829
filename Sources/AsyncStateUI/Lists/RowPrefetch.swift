// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  public import AsyncState

  /// Requests the values of rows before they are displayed, and gives up those of rows that will not be: for
  /// `tableView(_:prefetchRowsAt:)` and `tableView(_:cancelPrefetchingForRowsAt:)`, and the same of a collection.
  ///
  /// A request that is given up, or whose prefetch is released, ends unless someone else wants it: a row that is displayed by
  /// then keeps it.
  @MainActor
  public final class RowPrefetch<Key: Hashable, Value> {
    private let family: AsyncFamily<Key, Value>
    private var requests: [Key: Request] = [:]

    /// Ends with its last reference.
    private final class Request {
      let task: Task<Void, Never>
      init(_ task: Task<Void, Never>) { self.task = task }
      deinit { task.cancel() }
    }

    /// A prefetch of the values of a family.
    public init(_ family: AsyncFamily<Key, Value>) { self.family = family }

    /// Requests what is stale of some keys. One that is being requested here is not requested again.
    public func begin(_ keys: some Sequence<Key>) {
      for key in keys where requests[key] == nil {
        requests[key] = Request(
          Task { [weak self, family] in
            _ = await family[key].load(when: .stale)
            if !Task.isCancelled { self?.requests[key] = nil }
          })
      }
    }

    /// Gives up the requests of some keys.
    public func end(_ keys: some Sequence<Key>) {
      for key in keys { requests[key] = nil }
    }
  }
#endif
