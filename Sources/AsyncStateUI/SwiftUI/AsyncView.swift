#if canImport(SwiftUI)
  public import AsyncState
  public import SwiftUI

  /// Displays a resource: requests it when the view appears, and again when the user pulls.
  ///
  /// ```swift
  /// AsyncView(articles) { articles in
  ///   List { ForEach(articles) { Text($0.title) } }
  /// }
  /// ```
  ///
  /// A redraw starts, restarts and cancels nothing. The request that the view has made ends with the view, unless another
  /// view or caller wants it; a refresh that the user has begun ends by itself. All views of one resource share one
  /// request.
  public struct AsyncView<Value, Content: View>: View {
    private let resource: AsyncResource<Value>
    private let policy: DisplayPolicy<Value>
    private let pacer: DisplayPacer?
    private let content: (AsyncStatus<Value>, AsyncActions) -> Content
    @State private var pacing = PacingSlot<Value>()

    /// A view of every status.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested. Another resource is requested when it is given.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once.
    ///   - content: The view of a status, with what its buttons may do.
    public init(
      status resource: AsyncResource<Value>, policy: DisplayPolicy<Value> = DisplayPolicy(),
      pacer: DisplayPacer? = nil,
      @ViewBuilder content: @escaping (AsyncStatus<Value>, AsyncActions) -> Content
    ) {
      self.resource = resource
      self.policy = policy
      self.pacer = pacer
      self.content = content
    }

    /// The view of the current status. A request starts when it appears.
    public var body: some View {
      let actions = AsyncActions(resource)
      // A root that is there even if the content is empty: a task of an empty view never starts.
      ZStack {
        if let status = pacing.status(of: resource, policy, pacer) { content(status, actions) }
      }
      .task(id: ObjectIdentifier(resource)) { @MainActor in
        await resource.load(.refresh, when: .stale)
      }
      .refreshable { @MainActor in
        // Pinned: SwiftUI is known to cancel this task when the view is drawn again.
        _ = await resource.refresh().outcome()
      }
    }
  }

  /// What the buttons of a view do with the resource that it displays.
  @MainActor
  public struct AsyncActions {
    /// Requests again and keeps the content that is there. Beside an error without content, the indicator is displayed.
    public let retry: @MainActor () -> Void
    /// Requests again and hides the content meanwhile.
    public let reload: @MainActor () -> Void
    /// The error of the last request, also while the policy displays content; nil after a success.
    public let error: (any Error)?

    init<Value>(_ resource: AsyncResource<Value>) {
      retry = { resource.refresh() }
      reload = { resource.reload() }
      error = resource.error
    }

    /// Actions of one's own, for previews and tests.
    public init(
      error: (any Error)? = nil, retry: @escaping @MainActor () -> Void = {},
      reload: @escaping @MainActor () -> Void = {}
    ) {
      self.retry = retry
      self.reload = reload
      self.error = error
    }
  }

  /// Keeps the pacing of a view, which outlives the values of the view.
  @MainActor
  final class PacingSlot<Value> {
    private var paced: (resource: AsyncResource<Value>, status: PacedStatus<Value>)?

    nonisolated init() {}

    /// The status to display; nil for nothing yet.
    func status(
      of resource: AsyncResource<Value>, _ policy: DisplayPolicy<Value>, _ pacer: DisplayPacer?
    ) -> AsyncStatus<Value>? {
      guard let pacer else { return resource.status(policy: policy) }
      if let paced, paced.resource === resource { return paced.status.status }
      let status = PacedStatus(resource, policy: policy, pacer: pacer)
      paced = (resource, status)
      return status.status
    }
  }
#endif
