// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

  /// The text for a status: that of the content if it has one, else that of the app; nil for a value.
  @MainActor
  func statusMessage<Value>(for status: AsyncStatus<Value>, _ content: (any AsyncContent<Value>)?) -> AsyncText? {
    switch status {
    case .data: nil
    case .loading: AsyncTexts.app.loading
    case .error(let error): content?.statusMessages.error(error).map { AsyncText($0) } ?? AsyncTexts.app.failure(error)
    case .waiting: content?.statusMessages.waiting.map { AsyncText($0) } ?? AsyncTexts.app.waiting
    case .idle: content?.statusMessages.idle.map { AsyncText($0) } ?? AsyncTexts.app.idle
    case .noData: content?.statusMessages.noData.map { AsyncText($0) } ?? AsyncTexts.app.noData
    }
  }
#endif
