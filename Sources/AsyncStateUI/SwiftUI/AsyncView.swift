// SPDX-License-Identifier: MIT
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
  ///
  /// Keep the resource in `@State`, or in a model that outlives the view. One that is created in `body` is another one at
  /// each redraw, and requests each time; a debug build prints a message.
  public struct AsyncView<Value, Content: View>: View {
    private let resource: AsyncResource<Value>
    private let keepsFormer: Bool
    private let policy: DisplayPolicy<Value>
    private let pacer: DisplayPacer?
    private let isRefreshable: Bool
    private let content: (AsyncStatus<Value>?, AsyncActions) -> Content?
    @State private var memory = ViewMemory<Value>()
    @Environment(\.asyncLooks) private var looks

    /// A view of every status.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - keepsFormer: Whether the value of a former resource is displayed until this one has a value or an error.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once. It stays, and the policy
    ///     with it, as long as the resource is displayed.
    ///   - isRefreshable: Whether lists below, in sheets and pushed screens too, refresh the resource when they are pulled.
    ///     If not, place `.refreshable { await actions.refresh() }` where it belongs. Do not change it while the view is
    ///     there.
    ///   - content: The view of a status, with what its buttons may do.
    public init(
      status resource: AsyncResource<Value>, keepsFormer: Bool = false,
      policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil, isRefreshable: Bool = true,
      @ViewBuilder content: @escaping (AsyncStatus<Value>, AsyncActions) -> Content
    ) {
      self.init(resource, keepsFormer, policy, pacer, isRefreshable) { status, actions in
        status.map { content($0, actions) }
      }
    }

    /// - Parameter content: The view of a status; of nil, while the pacer displays nothing.
    init(
      _ resource: AsyncResource<Value>, _ keepsFormer: Bool, _ policy: DisplayPolicy<Value>, _ pacer: DisplayPacer?,
      _ isRefreshable: Bool, content: @escaping (AsyncStatus<Value>?, AsyncActions) -> Content?
    ) {
      self.resource = resource
      self.keepsFormer = keepsFormer
      self.policy = policy
      self.pacer = pacer
      self.isRefreshable = isRefreshable
      self.content = content
    }

    /// The view of the current status. A request starts when it appears.
    public var body: some View {
      let status = memory.status(of: resource, keepsFormer, policy, pacer)
      let actions = AsyncActions(resource, beside: status, attempt: memory.attempt)
      // A root that is there even if the content is empty: a task of an empty view never starts.
      let root = ZStack {
        content(status, actions)
      }
      .animation(looks.animation, value: status?.kind)
      // These closures belong to no actor in some versions of SwiftUI. What they call belongs to the main actor.
      .task(id: ObjectIdentifier(resource)) { [memory] in await memory.request() }
      if isRefreshable { root.refreshable { await actions.refresh() } } else { root }
    }
  }

  /// The actions of a view's buttons on the resource that it displays.
  @MainActor
  public struct AsyncActions {
    /// Requests again, for a button: beside content it keeps that, in the place of content it displays the indicator.
    public let retry: @MainActor () -> Void
    /// Requests again and hides the content meanwhile.
    public let reload: @MainActor () -> Void
    /// Requests again, keeps the content, and suspends until the request has ended: for a `refreshable` of one's own. It is
    /// not cancelled with the task that waits, which SwiftUI is known to cancel when a view is drawn again.
    public let refresh: @MainActor () async -> Void
    /// The error of the last request, also while the policy displays content; nil after a success.
    public let error: (any Error)?
    /// The number of the last request: an error of another one is another error.
    let attempt: Int

    init<Value>(_ resource: AsyncResource<Value>, beside status: AsyncStatus<Value>?, attempt: Int) {
      let hasContent = if case .data? = status { true } else { false }
      retry = { if hasContent { resource.refresh() } else { resource.reload() } }
      reload = { resource.reload() }
      refresh = { _ = await resource.refresh().outcome() }
      error = resource.error
      self.attempt = attempt
    }

    /// Actions of one's own, for previews and tests.
    public init(
      error: (any Error)? = nil, retry: @escaping @MainActor () -> Void = {},
      reload: @escaping @MainActor () -> Void = {}, refresh: @escaping @MainActor () async -> Void = {}
    ) {
      self.retry = retry
      self.reload = reload
      self.refresh = refresh
      self.error = error
      attempt = 0
    }
  }

  /// The memory of a view beyond its values: the resource that it displays, its pacing, and the value of the former
  /// one. As it holds the resource, no other one gets its address, which is the id of the view's task.
  @MainActor
  final class ViewMemory<Value> {
    private var resource: AsyncResource<Value>?
    private var paced: PacedStatus<Value>?
    private var former: Value?
    private var replacements = Replacements<Value>()
    private var requests: ObservedToken?
    /// How many requests have ended since the view appeared.
    private(set) var attempt = 0

    nonisolated init() {}

    /// The action of a debug build on a warning.
    var warn: (String) -> Void = { message in
      #if DEBUG
        print(message)
      #endif
    }

    /// Requests what is stale, until the view disappears or displays another resource.
    func request() async {
      guard let resource else { return }
      requests = resource.observed.isRunning.observe { [weak self] isRunning in
        if !isRunning { self?.attempt += 1 }
      }
      await resource.load(.refresh, when: .stale)
    }

    /// The status to display; nil for nothing yet.
    func status(
      of next: AsyncResource<Value>, _ keepsFormer: Bool, _ policy: DisplayPolicy<Value>, _ pacer: DisplayPacer?
    ) -> AsyncStatus<Value>? {
      if next !== resource {
        former = keepsFormer ? resource?.value ?? former : nil
        paced = pacer.map { PacedStatus(next, policy: policy, pacer: $0) }
        if let resource, replacements.note(resource) { warn(Replacements<Value>.message) }
        resource = next
      }
      let status = if let paced { paced.status } else { next.status(policy: policy) }
      let isAnswer =
        switch status {
        case nil, .loading: false
        case .noData(let isIdle, _): !isIdle
        case .data, .error: true
        }
      if isAnswer { former = nil }
      guard let former else { return status }
      return determineState(.provisional(former), policy: policy)
    }
  }

  /// Resources that were displayed one after another. One that is created in `body` is left without an answer, and has no
  /// other owner.
  struct Replacements<Value> {
    private weak var last: AsyncResource<Value>?
    private var count = 0

    /// - Returns: Whether three in a row look as if they were created in `body`. True once.
    mutating func note(_ former: AsyncResource<Value>) -> Bool {
      count = last == nil && former.value == nil && former.error == nil ? count + 1 : 0
      last = former
      return count == 3
    }

    static var message: String {
      """
      AsyncStateUI: an AsyncView has displayed three resources one after another that have no other owner, and none had \
      an answer. A resource that is created in `body` is another one at each redraw, and requests each time: keep it in \
      `@State`, or in a model that outlives the view.
      """
    }
  }
#endif
