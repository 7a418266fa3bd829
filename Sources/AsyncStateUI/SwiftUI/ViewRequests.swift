// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  import AsyncState
  import SwiftUI

  /// A resource that a view displays, whatever its value.
  @MainActor
  protocol ViewSource: AnyObject {
    var isRunning: Bool { get }
    var canRequest: Bool { get }
    /// There is neither a value nor the answer that there is none.
    var isUnanswered: Bool { get }
    /// Requests what is stale.
    ///
    /// - Returns: Suspends until the request has ended. Its interest is that of the task that calls it.
    func requestStale() -> @MainActor () async -> Void
  }

  extension AsyncResource: @MainActor ViewSource {
    @MainActor var isUnanswered: Bool { value == nil && !snapshot.isValueSet }

    @MainActor
    func requestStale() -> @MainActor () async -> Void {
      let call: ResourceCall<Value> = call(when: .stale, isolation: MainActor.shared)
      return { _ = await call.outcome(isolation: MainActor.shared) }
    }
  }

  /// The request of a view for the resource that it displays, from its appearance to its disappearance.
  @MainActor
  @Observable
  final class ViewRequests {
    /// What is drawn. As it is held, no other resource gets its address.
    @ObservationIgnored private var source: (any ViewSource)?
    @ObservationIgnored private var request: ViewRequest?
    /// The requests of resources that are not drawn any more.
    @ObservationIgnored private var left: [ViewRequest] = []
    private var disappearances = 0

    nonisolated init() {}

    var id: ObjectIdentifier? { source.map { ObjectIdentifier($0) } }

    /// Notes what is drawn.
    func display(_ next: any ViewSource) {
      guard next !== source else { return }
      source = next
      if let request { left.append(request) }
      request = nil
    }

    /// Requests what is drawn, if it is stale and was not requested yet. What has left is given up after that: what both get from
    /// elsewhere is not requested twice. Suspends until the request has ended.
    ///
    /// - Parameter isSample: Nothing is requested.
    func begin(isSample: Bool) async {
      // The view has disappeared.
      guard !Task.isCancelled else { return }
      if isSample { return end() }
      if request == nil { request = source.map { ViewRequest($0) } }
      for request in left { request.cancel() }
      left = []
      await request?.untilEnded()
    }

    /// The view has disappeared. When it appears again, it requests anew, and displays that from the beginning.
    func end() {
      for request in left { request.cancel() }
      request?.cancel()
      (left, request) = ([], nil)
      disappearances += 1
    }

    /// What ended without an answer is requested when the view appears: by then it is loading, and not idle.
    ///
    /// - Parameters:
    ///   - isUntouched: Nothing was requested yet, and the policy displays that as idle.
    ///   - isPaced: An indicator is displayed later.
    func present<Value>(
      _ status: AsyncStatus<Value>?, isUntouched: @autoclosure () -> Bool, isPaced: Bool
    ) -> AsyncStatus<Value>? {
      guard case .idle = status, !isUntouched() else { return status }
      _ = disappearances
      guard let source, !source.isUnanswered || isExpected(source) else { return status }
      return isPaced ? nil : .loading
    }

    /// A request that a person has cancelled ends a moment later.
    private func isExpected(_ source: any ViewSource) -> Bool {
      guard source.canRequest, let request else { return source.canRequest }
      return !request.hasEnded && source.isRunning
    }
  }

  /// The request of one resource, which ends with its view.
  @MainActor
  private final class ViewRequest {
    private(set) var hasEnded = false
    private var task: Task<Void, Never>?

    init(_ source: any ViewSource) {
      let untilEnded = source.requestStale()
      task = Task { [self] in
        await untilEnded()
        hasEnded = true
      }
    }

    func cancel() { task?.cancel() }
    func untilEnded() async { await task?.value }
  }

  extension View {
    /// Requests what a view displays: each time it appears, and when it displays another resource. A redraw does nothing.
    func requesting(_ requests: ViewRequests, isSample: Bool) -> some View {
      // These closures belong to no actor in some versions of SwiftUI. What they call belongs to the main actor.
      task(id: isSample ? nil : requests.id) { await requests.begin(isSample: isSample) }
        .onDisappear { requests.end() }
    }
  }
#endif
