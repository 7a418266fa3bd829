// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  public import AsyncState
  public import SwiftUI

  /// Displays several resources as one: requests what is stale when the view appears, and all of them when the user pulls.
  ///
  /// ```swift
  /// AsyncGroup(weather, warnings) { weather, warnings in
  ///   Text(weather)
  ///   ForEach(warnings) { Text($0.title) }
  /// }
  /// ```
  ///
  /// It is loading while any of them is for the first time, displays the first error, and has content when all have a value.
  /// The button beside an error requests those that have failed. Otherwise it does what ``AsyncView`` does: a redraw
  /// starts and cancels nothing, and the requests that the view has made end with the view.
  public struct AsyncGroup<each Value, Content: View>: View {
    private let resources: (repeat AsyncResource<each Value>)
    private let policy: DisplayPolicy<(repeat each Value)>
    private let content: (repeat each Value) -> Content

    /// A view of several values.
    ///
    /// - Parameters:
    ///   - resources: What is displayed, and how it is requested.
    ///   - policy: Decides about the status where there is a choice.
    ///   - content: The view of the values.
    public init(
      _ resources: repeat AsyncResource<each Value>,
      policy: DisplayPolicy<(repeat each Value)> = DisplayPolicy<(repeat each Value)>(),
      @ViewBuilder content: @escaping (repeat each Value) -> Content
    ) {
      self.resources = (repeat each resources)
      self.policy = policy
      self.content = content
    }

    /// The view of the current status. Requests start when it appears.
    public var body: some View {
      let parts = parts
      let snapshot = zip(repeat (each resources).snapshot)
      let actions = AsyncActions(
        error: snapshot.error, retry: { for part in parts where part.hasFailed { _ = part.refresh() } },
        reload: { for part in parts { part.reload() } },
        refresh: { for load in parts.map({ $0.refresh() }) { await load.value } })
      ZStack {
        AsyncStatusView(determineState(snapshot, policy: policy), actions: actions) { values in
          content(repeat each values)
        }
      }
      // These closures belong to no actor in some versions of SwiftUI. What they call belongs to the main actor.
      .task(id: parts.map(\.id)) { await Part.load(parts) }
      .refreshable { await actions.refresh() }
    }

    private var parts: [Part] {
      var parts: [Part] = []
      for resource in repeat each resources { parts.append(Part(resource)) }
      return parts
    }
  }

  /// The handling of each resource of a group.
  @MainActor
  private struct Part {
    nonisolated let id: ObjectIdentifier
    let hasFailed: Bool
    let loadStale: @MainActor () async -> Void
    let reload: @MainActor () -> Void
    /// Requests again; the task ends with the request.
    let refresh: @MainActor () -> Task<Void, Never>

    init<Value>(_ resource: AsyncResource<Value>) {
      id = ObjectIdentifier(resource)
      hasFailed = resource.error != nil
      loadStale = { await resource.load(.refresh, when: .stale) }
      reload = { resource.reload() }
      refresh = {
        let load = resource.refresh()
        return Task { _ = await load.outcome() }
      }
    }

    /// Requests what is stale, all at the same time, until the task is cancelled.
    static func load(_ parts: [Part]) async {
      let loads = parts.map { part in Task { await part.loadStale() } }
      await withTaskCancellationHandler {
        for load in loads { await load.value }
      } onCancel: {
        for load in loads { load.cancel() }
      }
    }
  }
#endif
