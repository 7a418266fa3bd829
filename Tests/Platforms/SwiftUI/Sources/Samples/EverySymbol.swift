// SPDX-License-Identifier: MIT
// A client of the public symbols that no sample uses, so that each compiles in every mode that a client may have.

import AsyncState
import AsyncStateUI
import SwiftUI

struct EveryLook: View {
  @ResourceValue private var unread: Int?
  let articles: AsyncResource<[Article]>
  let board: AsyncTagBoard

  init(unread: AsyncResource<Int>, articles: AsyncResource<[Article]>, board: AsyncTagBoard) {
    _unread = ResourceValue(unread)
    self.articles = articles
    self.board = board
  }

  var body: some View {
    AsyncView(articles) { articles in
      List(articles) { Text($0.title) }
    } loading: {
      AsyncPlaceholder(hasIndicator: true) { List([Article.sample]) { Text($0.title) } }
    } failure: { error, actions in
      Button(action: actions.reload) { AsyncFailureView(actions.error ?? error, actions) }
    } empty: { actions in
      StaleBanner(actions) { AsyncEmptyView(actions) }
    }
    .asyncFailure { error, actions in AsyncFailureView(error, actions) }
    .asyncEmpty { actions in AsyncEmptyView(actions) }
    .asyncIdle { actions in AsyncIdleView(actions) }
    .asyncWaiting { AsyncWaitingView() }
    .asyncLoading { AsyncLoadingView() }
    .asyncErrorText { error in AsyncText.describing(error).string }
    .asyncFreshness(board, isOnline: LoadGate.isOnline)
    .asyncAnimation(.default)
    .asyncPullDisabled()
    .disabled(_unread.wrappedValue == nil && _unread.projectedValue.isRunning)
  }
}

@MainActor
func everyText() -> [AsyncText] {
  var texts = AsyncTexts()
  texts.dismiss = .dismiss
  texts.failure = { error in error is Offline ? .failure : .timeout }
  texts.loading = .loading
  texts.noData = .noData
  texts.notUpdated = .notUpdated
  texts.retry = AsyncText(AsyncText.retry.string)
  texts.waiting = .waiting
  AsyncTexts.app = texts
  return [
    texts.dismiss, texts.failure(Offline()), texts.loading, texts.noData, texts.notUpdated, texts.retry, texts.waiting,
  ]
}

@MainActor
func whenOnline() -> AsyncResource<String> {
  LoadGate.assumeOnline()
  return AsyncResource(options: LoadOptions(gate: .online)) { try await Service.shared.article() }
}
