// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

  /// The text for a status: that of the content if it has one, else that of the app; nil for a value.
  @MainActor
  func statusMessage<Value>(for status: AsyncStatus<Value>, _ content: (any AsyncContent<Value>)?) -> AsyncText? {
    switch status {
    case .data: nil
    case .loading: AsyncTexts.app.loading
    case .error(let error): content?.errorMessage(for: error).map { AsyncText($0) } ?? AsyncTexts.app.failure(error)
    case .noData(_, isWaiting: true): content?.waitingMessage.map { AsyncText($0) } ?? AsyncTexts.app.waiting
    case .noData(isIdle: true, _): content?.idleMessage.map { AsyncText($0) } ?? AsyncTexts.app.noData
    case .noData(isIdle: false, _): content?.noDataMessage.map { AsyncText($0) } ?? AsyncTexts.app.noData
    }
  }

  /// When a banner beside content is replaced or removed: at the end of each request, and when an error is set or removed.
  /// One that was closed does not return before that.
  struct RequestEnds {
    private var last = (isRunning: false, hasFailed: false)

    /// - Returns: Whether a request has ended since the snapshot before.
    mutating func note<Value>(_ snapshot: AsyncSnapshot<Value>) -> Bool {
      let isNews = last.isRunning || last.hasFailed != (snapshot.error != nil)
      last.isRunning = snapshot.isRunning
      guard !snapshot.isRunning, isNews else { return false }
      last.hasFailed = snapshot.error != nil
      return true
    }
  }
#endif
