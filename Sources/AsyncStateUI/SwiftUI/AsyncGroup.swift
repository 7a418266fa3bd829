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
  /// The button beside an error, and beside no data, requests those that have failed or have no value, else all. Otherwise it
  /// does what ``AsyncView`` does: a redraw starts and cancels nothing, and the requests that the view has made end with the
  /// view, or when another resource takes the place of theirs.
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
      let status = memory.status(of: sources, snapshot, policy, paced: paced)
      let _ = memory.announcer.note(status?.kind, snapshot.error)
      let actions = AsyncActions(of: parts(hasContent: status?.kind == .data), snapshot.error, memory.announcer)
      ZStack {
        status.map { AsyncStatusView($0, actions: actions) { values in content(repeat each values) } }
      }
      .animation(looks.animation, value: status?.kind)
      .requesting(memory.requests, isSample: looks.isSample)
      .refreshable { await actions.refresh() }
    }

    private var sources: [any ViewSource] {
      var sources: [any ViewSource] = []
      for resource in repeat each resources { sources.append(resource) }
      return sources
    }

    /// Nil: each status is displayed at once, as in a preview.
    private func paced() -> PacedStatus<(repeat each Value)>? {
      guard let pacer, !sources.isEmpty else { return nil }
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

  /// The memory of a group beyond its values: its requests, and their pacing.
  @MainActor
  private final class GroupMemory<Value> {
    private var paced: PacedStatus<Value>?
    let announcer = Announcer()
    let requests = ViewRequests()

    nonisolated init() {}

    /// The status to display; nil for nothing yet.
    ///
    /// - Parameter paced: The pacing of other resources than before.
    func status(
      of sources: [any ViewSource], _ snapshot: AsyncSnapshot<Value>, _ policy: DisplayPolicy<Value>,
      paced pace: () -> PacedStatus<Value>?
    ) -> AsyncStatus<Value>? {
      if requests.display(sources) { paced = pace() }
      let status = if let paced { paced.status } else { determineState(snapshot, policy: policy) }
      return requests.present(status, isUntouched: snapshot.isUntouched, isPaced: paced != nil)
    }
  }

  /// One resource of a group.
  @MainActor
  private struct Part {
    let actions: AsyncActions
    /// It has failed, or there is no value.
    let isMissing: Bool

    init<Value>(_ resource: AsyncResource<Value>, hasContent: Bool) {
      actions = AsyncActions(resource, hasContent: hasContent, nil)
      isMissing = resource.error != nil || resource.value == nil
    }
  }

  extension AsyncActions {
    /// Those of several resources together. A retry requests what is missing, and all where the policy says that what there is
    /// is nothing.
    fileprivate init(of parts: [Part], _ error: (any Error)?, _ announcer: Announcer) {
      let missing = parts.filter(\.isMissing)
      let retried = (missing.isEmpty ? parts : missing).map(\.actions)
      let all = parts.map(\.actions)
      let failed = all.first { $0.error != nil } ?? all.first
      self.init(
        error: error, failure: failed?.failure ?? FailureID(number: 0),
        canRequest: retried.contains(where: \.canRequest),
        retry: { for part in retried { part.retry() } }, reload: { for part in all { part.reload() } },
        refresh: { for pull in all.map({ part in Task { await part.refresh() } }) { await pull.value } },
        announcer: announcer, closed: failed?.closed)
    }
  }
#endif
