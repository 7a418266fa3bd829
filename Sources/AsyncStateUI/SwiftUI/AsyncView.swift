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
  /// that one alone, and requests it if it is stale; the request for the previous one ends as if the view had disappeared:
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
    private let previous: PreviousValue
    private let policy: DisplayPolicy<Value>
    private let pacer: DisplayPacer?
    private let isRefreshable: Bool
    private let content: (AsyncStatus<Value>?, AsyncActions) -> Content?
    /// Whether content that is there stays below the message for a value that is empty.
    private let keepsContent: Bool
    @State private var memory = ViewMemory<Value>()
    @Environment(\.asyncLooks) private var looks
    @Environment(\.isPresented) private var isPresented

    /// A view of every status.
    ///
    /// - Parameters:
    ///   - resource: What is displayed, and how it is requested.
    ///   - previous: What is displayed of a previous resource while there is nothing of this one.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering, by default as the app says; nil: each status is displayed at once. It
    ///     stays, and the policy with it, as long as the resource is displayed.
    ///   - isRefreshable: Whether lists below, in sheets and pushed screens too, refresh the resource when they are pulled.
    ///     If not, place `.refreshable { await actions.refresh() }` where it belongs. Do not change it while the view is
    ///     there.
    ///   - content: The view of a status, with what its buttons may do.
    public init(
      status resource: AsyncResource<Value>, previous: PreviousValue = .hidden,
      policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = .app, isRefreshable: Bool = true,
      @ViewBuilder content: @escaping (AsyncStatus<Value>, AsyncActions) -> Content
    ) {
      self.init(resource, previous, policy, pacer, isRefreshable, keepsContent: false) { status, actions in
        status.map { content($0, actions) }
      }
    }

    /// - Parameter content: The view of a status; of nil, while the pacer displays nothing.
    init(
      _ resource: AsyncResource<Value>, _ previousValue: PreviousValue, _ policy: DisplayPolicy<Value>,
      _ pacer: DisplayPacer?,
      _ isRefreshable: Bool, keepsContent: Bool = true,
      content: @escaping (AsyncStatus<Value>?, AsyncActions) -> Content?
    ) {
      self.resource = resource
      self.previous = previousValue
      self.policy = policy
      self.pacer = pacer
      self.isRefreshable = isRefreshable
      self.keepsContent = keepsContent
      self.content = content
    }

    /// The view of the current status. A request starts when it appears.
    public var body: some View {
      let status = memory.status(of: resource, previous, policy, pacer, isPresented: isPresented)
      let actions = AsyncActions(resource, hasContent: status?.kind == .data, memory.announcer)
      // A root that is there even if the content is empty: a task of an empty view never starts.
      let emptied = keepsContent ? memory.emptied(status, policy) : nil
      let root = ZStack {
        content(emptied.map(AsyncStatus.data) ?? status, emptied == nil ? actions : actions.withoutError)
        if emptied != nil { content(status, actions) }
      }
      .animation(looks.animation, value: status?.kind)
      .requesting(memory.requests, isSample: looks.isSample)
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
    /// Requests again, keeps the content, and suspends until the request has ended, or waits at its gate: for a `refreshable` of
    /// one's own. It is not cancelled with the task that waits, which SwiftUI is known to cancel when a view is drawn again.
    public let refresh: @MainActor () async -> Void
    /// The error of the last request, also while the policy displays content; nil after a success.
    public let error: (any Error)?
    /// Whether there is anything to request: not where there is no key.
    let canRequest: Bool
    /// An error with another one is another error.
    let failure: FailureID
    /// Reads the messages of the view; nil: each of them reads itself.
    let announcer: Announcer?
    /// What a person has closed of the banners about these errors; nil: a banner remembers that itself.
    let closed: ClosedBanner?

    /// - Parameter hasContent: Content is displayed, which a retry keeps.
    init<Value>(_ resource: AsyncResource<Value>, hasContent: Bool, _ announcer: Announcer?) {
      self.announcer = announcer
      retry = {
        AskedFailure.noteRequest(of: resource)
        resource.retry(hidingContent: !hasContent, isolation: MainActor.shared)
      }
      reload = {
        AskedFailure.noteRequest(of: resource)
        resource.reload()
      }
      refresh = {
        AskedFailure.noteRequest(of: resource)
        resource.refresh()
        await resource.untilNothingIsRequested()
      }
      error = resource.error
      canRequest = resource.hasKey
      failure = FailureID(of: resource)
      closed = resource.error == nil ? nil : AskedFailure.closedBanner(of: resource)
    }

    /// Actions of one's own: for previews and tests, and for what is no resource.
    ///
    /// - Parameters:
    ///   - error: The error of the last request, to be displayed beside content.
    ///   - failureNumber: The number of the failure: a banner that was closed is displayed again for another one.
    ///   - retry: Requests again.
    ///   - reload: Requests again and hides the content meanwhile.
    ///   - refresh: Requests again, keeps the content, and suspends until the request has ended.
    public init(
      error: (any Error)? = nil, failureNumber: Int = 0, retry: @escaping @MainActor () -> Void = {},
      reload: @escaping @MainActor () -> Void = {}, refresh: @escaping @MainActor () async -> Void = {}
    ) {
      let failure = FailureID(number: UInt32(truncatingIfNeeded: failureNumber))
      self.init(error: error, failure: failure, retry: retry, reload: reload, refresh: refresh, announcer: nil)
    }

    /// What buttons do that are no resource's alone.
    init(
      error: (any Error)?, failure: FailureID, canRequest: Bool = true, retry: @escaping @MainActor () -> Void,
      reload: @escaping @MainActor () -> Void, refresh: @escaping @MainActor () async -> Void = {},
      announcer: Announcer?, closed: ClosedBanner? = nil
    ) {
      self.announcer = announcer
      self.closed = closed
      self.retry = retry
      self.reload = reload
      self.refresh = refresh
      self.error = error
      self.failure = failure
      self.canRequest = canRequest
    }

    /// For content that lies below the message about the error.
    fileprivate var withoutError: AsyncActions {
      AsyncActions(
        error: nil, failure: failure, canRequest: canRequest, retry: retry, reload: reload, refresh: refresh,
        announcer: announcer)
    }
  }

  /// The memory of a view beyond its values: the resource that it displays, its pacing, and the value of the previous
  /// one. As it holds the resource, no other one gets its address, which is the id of the view's task.
  @MainActor
  final class ViewMemory<Value> {
    private var resource: AsyncResource<Value>?
    private var paced: PacedStatus<Value>?
    private var former: Former?
    private var replacements = Replacements<Value>()
    let announcer = Announcer()
    let requests = ViewRequests()
    /// Content of the resource is displayed.
    private var hasContent = false
    /// What was displayed while the view was presented, as a pushed screen or a sheet; nil: it was not.
    private var presented: AsyncStatus<Value>??

    /// The value of a previous resource. It is displayed no more when that resource has lost it, as at a log-out.
    private struct Former {
      let value: Value
      weak var resource: AsyncResource<Value>?

      @MainActor
      init?(_ resource: AsyncResource<Value>) {
        guard let value = resource.value else { return nil }
        (self.value, self.resource) = (value, resource)
      }

      @MainActor var isForgotten: Bool { resource.map { $0.value == nil } ?? false }
    }

    nonisolated init() {}

    /// The action of a debug build on a warning.
    var warn: (String) -> Void = { message in
      AsyncStateWarnings.warn(message)
    }

    /// The value below what is displayed in the place of content that has become empty: it may be deleting its last row.
    func emptied(_ status: AsyncStatus<Value>?, _ policy: DisplayPolicy<Value>) -> Value? {
      if hasContent, let status, status.kind != .data, let value = resource?.value, policy.isNothing(value) {
        return value
      }
      hasContent = status?.kind == .data
      return nil
    }

    /// The status to display; nil for nothing yet. A screen that slides out keeps what it displays if its resource has lost its
    /// key, as by the selection that was cleared.
    func status(
      of next: AsyncResource<Value>, _ previousValue: PreviousValue, _ policy: DisplayPolicy<Value>,
      _ pacer: DisplayPacer?,
      isPresented: Bool
    ) -> AsyncStatus<Value>? {
      if !isPresented, !next.hasKey, let presented { return presented }
      let status = status(of: next, previousValue, policy, pacer)
      // One that is drawn with a key is there, and has not slid out.
      if isPresented { presented = .some(status) } else if next.hasKey { presented = nil }
      return status
    }

    private func makePaced(
      _ next: AsyncResource<Value>, _ policy: DisplayPolicy<Value>, _ pacer: DisplayPacer?
    ) -> PacedStatus<Value>? {
      next.isPreview ? nil : pacer.map { PacedStatus(next, policy: policy, pacer: $0) }
    }

    private func status(
      of next: AsyncResource<Value>, _ previousValue: PreviousValue, _ policy: DisplayPolicy<Value>,
      _ pacer: DisplayPacer?
    ) -> AsyncStatus<Value>? {
      if next !== resource {
        former = previousValue == .hidden ? nil : resource.flatMap { Former($0) } ?? former
        paced = nil
        if let resource, !resource.isOfSeveral, replacements.note(resource) { warn(Replacements<Value>.message) }
        resource = next
        hasContent = hasContent && former != nil
      }
      // In the place of a previous value there is no indicator, so nothing is paced. A preview displays each status at once.
      if paced == nil, former == nil { paced = makePaced(next, policy, pacer) }
      requests.display(next)
      let determined = if let paced { paced.status } else { next.status(policy: policy) }
      let status = requests.present(
        determined, isUntouched: next.snapshot.isUntouched, isPaced: paced != nil)
      let isAnswer =
        switch status {
        case nil, .loading, .waiting: false
        // Nothing was requested yet, and the policy displays that as idle.
        case .idle: !next.snapshot.isUntouched
        case .error, .noData, .data: true
        }
      announcer.note(status?.kind, next.error)
      if former != nil, isAnswer || former?.isForgotten == true {
        former = nil
        paced = makePaced(next, policy, pacer)
        // Without an answer an indicator follows, which is paced.
        if !isAnswer, let paced { return requests.present(paced.status, isUntouched: false, isPaced: true) }
      }
      guard let former else { return status }
      return determineState(AsyncSnapshot(value: former.value, isValueSet: false), policy: policy)
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
