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
  /// The button beside an error, and beside no data, requests those that have failed or have no value. Otherwise it does what
  /// ``AsyncView`` does: a redraw starts and cancels nothing, and the requests that the view has made end with the view.
  public struct AsyncGroup<each Value, Content: View>: View {
    private let resources: (repeat AsyncResource<each Value>)
    private let policy: DisplayPolicy<(repeat each Value)>
    private let pacer: DisplayPacer?
    private let content: (repeat each Value) -> Content
    @State private var memory = GroupMemory<(repeat each Value)>()
    @Environment(\.asyncLooks) private var looks

    /// A view of several values.
    ///
    /// - Parameters:
    ///   - resources: What is displayed, and how it is requested.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering, by default as the app says; nil: each status is displayed at once. It
    ///     stays, and the policy with it, as long as the resources are displayed.
    ///   - content: The view of the values.
    public init(
      _ resources: repeat AsyncResource<each Value>,
      policy: DisplayPolicy<(repeat each Value)> = DisplayPolicy<(repeat each Value)>(), pacer: DisplayPacer? = .app,
      @ViewBuilder content: @escaping (repeat each Value) -> Content
    ) {
      self.resources = (repeat each resources)
      self.policy = policy
      self.pacer = pacer
      self.content = content
    }

    /// The view of the current status. Requests start when it appears.
    public var body: some View {
      let snapshot = zip(repeat (each resources).snapshot)
      let status = memory.status(of: objects, unpaced: determineState(snapshot, policy: policy), paced: paced)
      let parts = parts(hasContent: status?.kind == .data)
      let _ = memory.announcer.note(status?.kind)
      let actions = AsyncActions(
        error: snapshot.error,
        failure: FailureID(source: parts.first?.id, number: parts.reduce(0) { $0 &+ $1.failure }),
        retry: { for part in parts where part.isMissing { part.retry() } },
        reload: { for part in parts { part.reload() } },
        refresh: { for load in parts.map({ $0.refresh() }) { await load.value } }, announcer: memory.announcer)
      ZStack {
        status.map { AsyncStatusView($0, actions: actions) { values in content(repeat each values) } }
      }
      .animation(looks.animation, value: status?.kind)
      // These closures belong to no actor in some versions of SwiftUI. What they call belongs to the main actor.
      .task(id: looks.isSample ? [] : parts.map(\.id)) { [looks] in if !looks.isSample { await Part.load(parts) } }
      .refreshable { await actions.refresh() }
    }

    private var objects: [AnyObject] {
      var objects: [AnyObject] = []
      for resource in repeat each resources { objects.append(resource) }
      return objects
    }

    /// Nil: each status is displayed at once, as in a preview.
    private func paced() -> PacedStatus<(repeat each Value)>? {
      guard let pacer, !objects.isEmpty else { return nil }
      for resource in repeat each resources {
        if resource.isPreview { return nil }
      }
      return PacedStatus(
        ofSeveral: repeat each resources, policy: policy, pacer: pacer, isolation: MainActor.shared)
    }

    private func parts(hasContent: Bool) -> [Part] {
      var parts: [Part] = []
      for resource in repeat each resources { parts.append(Part(resource, hasContent: hasContent)) }
      return parts
    }
  }

  /// The memory of a group beyond its values: the resources that it displays, and their pacing.
  @MainActor
  private final class GroupMemory<Value> {
    private var resources: [AnyObject] = []
    private var paced: PacedStatus<Value>?
    let announcer = Announcer()

    nonisolated init() {}

    /// The status to display; nil for nothing yet.
    ///
    /// - Parameter paced: The pacing of other resources than before.
    func status(
      of next: [AnyObject], unpaced: AsyncStatus<Value>, paced pace: () -> PacedStatus<Value>?
    ) -> AsyncStatus<Value>? {
      if !next.elementsEqual(resources, by: ===) { (resources, paced) = (next, pace()) }
      return if let paced { paced.status } else { unpaced }
    }
  }

  /// The handling of each resource of a group.
  @MainActor
  private struct Part {
    nonisolated let id: ObjectIdentifier
    /// It has failed, or there is no value.
    let isMissing: Bool
    let failure: UInt32
    let loadStale: @MainActor () async -> Void
    let reload: @MainActor () -> Void
    let retry: @MainActor () -> Void
    /// Requests again; the task ends with the request.
    let refresh: @MainActor () -> Task<Void, Never>

    init<Value>(_ resource: AsyncResource<Value>, hasContent: Bool) {
      let actions = AsyncActions(resource, hasContent: hasContent, Announcer())
      id = ObjectIdentifier(resource)
      isMissing = resource.error != nil || resource.value == nil
      failure = actions.failure.number
      loadStale = { await resource.load(when: .stale) }
      (retry, reload) = (actions.retry, actions.reload)
      refresh = { Task { await actions.refresh() } }
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
