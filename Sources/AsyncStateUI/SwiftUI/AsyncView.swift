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
  ///
  /// A redraw may name another resource, such as that of another key of a family. From then on the view displays and holds
  /// that one alone, and requests it if it is stale; the request for the former one ends as if the view had disappeared:
  ///
  /// ```swift
  /// if let selection {
  ///   AsyncView(articles[selection]) { Text($0.title) }
  /// } else {
  ///   Text("Select an article.")
  /// }
  /// ```
  public struct AsyncView<Value, Content: View>: View {
    private let resource: AsyncResource<Value>
    private let keepsFormer: Bool
    private let policy: DisplayPolicy<Value>
    private let pacer: DisplayPacer?
    private let content: (AsyncStatus<Value>, AsyncActions) -> Content
    @State private var memory = ViewMemory<Value>()

    /// A view of every status.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - keepsFormer: Whether the value of a former resource is displayed until this one has a value or an error.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once. It stays, and the policy
    ///     with it, as long as the resource is displayed.
    ///   - content: The view of a status, with what its buttons may do.
    public init(
      status resource: AsyncResource<Value>, keepsFormer: Bool = false,
      policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
      @ViewBuilder content: @escaping (AsyncStatus<Value>, AsyncActions) -> Content
    ) {
      self.resource = resource
      self.keepsFormer = keepsFormer
      self.policy = policy
      self.pacer = pacer
      self.content = content
    }

    /// The view of the current status. A request starts when it appears.
    public var body: some View {
      let status = memory.status(of: resource, keepsFormer, policy, pacer)
      let actions = AsyncActions(resource)
      // A root that is there even if the content is empty: a task of an empty view never starts.
      ZStack {
        if let status { content(status, actions) }
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

  /// What a view remembers beyond its values: the resource that it displays, its pacing, and the value of the former one.
  /// As it holds the resource, no other one gets its address, which is the id of the view's task.
  @MainActor
  final class ViewMemory<Value> {
    private var resource: AsyncResource<Value>?
    private var paced: PacedStatus<Value>?
    private var former: Value?

    nonisolated init() {}

    /// The status to display; nil for nothing yet.
    func status(
      of next: AsyncResource<Value>, _ keepsFormer: Bool, _ policy: DisplayPolicy<Value>, _ pacer: DisplayPacer?
    ) -> AsyncStatus<Value>? {
      if next !== resource {
        former = keepsFormer ? resource?.value ?? former : nil
        paced = pacer.map { PacedStatus(next, policy: policy, pacer: $0) }
        resource = next
      }
      let status = if let paced { paced.status } else { next.status(policy: policy) }
      let isAnswer =
        switch status {
        case nil, .loading: false
        case .noData(let isIdle): !isIdle
        case .data, .error: true
        }
      if isAnswer { former = nil }
      guard let former else { return status }
      return determineState(AsyncSnapshot(value: former, isValueSet: false), policy: policy)
    }
  }
#endif
