// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  public import AsyncState
  public import SwiftUI

  /// The value of a resource, for a place that has no room for an indicator or an error, such as a toolbar or a badge.
  ///
  /// ```swift
  /// struct UnreadBadge: View {
  ///   @ResourceValue var unread: Int?
  ///
  ///   init(_ unread: AsyncResource<Int>) { _unread = ResourceValue(unread) }
  ///
  ///   var body: some View {
  ///     Button("Unread: \(unread ?? 0)") { $unread.refresh() }
  ///   }
  /// }
  /// ```
  ///
  /// A body that reads it is drawn again when the value changes. The first body that reads it requests it if it is stale; a
  /// redraw starts and cancels nothing. The request ends when the view is removed, or when it displays another resource, unless
  /// another view or caller wants it.
  ///
  /// A property is not notified that its view appears: a screen that was covered and is back requests nothing by it, and a
  /// covered one keeps its request. Add `.task { await unread.load(when: .stale) }` to a view where that matters. Where a status
  /// is displayed use ``AsyncView``.
  @propertyWrapper
  public struct ResourceValue<Value>: DynamicProperty {
    private let resource: AsyncResource<Value>
    @State private var request = ValueRequest<Value>()

    /// The value of `resource`.
    public init(_ resource: AsyncResource<Value>) { self.resource = resource }

    /// The value; nil if there is none yet, if there is nothing, or if there was only an error.
    @MainActor public var wrappedValue: Value? {
      request.begin(for: resource)
      return resource.value
    }

    /// The resource, to refresh it, or to read its error.
    public var projectedValue: AsyncResource<Value> { resource }
  }

  /// The request of a view, which ends with it.
  @MainActor
  private final class ValueRequest<Value> {
    private var resource: AsyncResource<Value>?
    private var task: Task<Void, Never>?

    nonisolated init() {}
    deinit { task?.cancel() }

    /// Requests what is stale, unless this resource was the last one.
    func begin(for next: AsyncResource<Value>) {
      guard next !== resource else { return }
      resource = next
      task?.cancel()
      // Not inside the body that reads the value: Observation must not be notified there.
      task = Task { await next.load(when: .stale) }
    }
  }
#endif
