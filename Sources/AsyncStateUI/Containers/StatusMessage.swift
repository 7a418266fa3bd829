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
    case .noData(isIdle: true, _): content?.idleMessage.map { AsyncText($0) } ?? AsyncTexts.app.idle
    case .noData(isIdle: false, _): content?.noDataMessage.map { AsyncText($0) } ?? AsyncTexts.app.noData
    }
  }
#endif
