// SPDX-License-Identifier: MIT
// Mail: what is displayed and has become stale is requested when the app returns, and nothing in the background.

import AsyncState

protocol MailService: Sendable {
  func mails(in folder: String) async throws -> [String]
}

@MainActor
final class Mail {
  let folders: AsyncFamily<String, [String]>
  private let board = AsyncTagBoard()
  private let isInForeground = Input(true)
  private var freshness: ObservedToken?

  init(service: any MailService, clock: any Clock<Duration> = ContinuousClock()) {
    folders = AsyncFamily(
      options: LoadOptions(staleAfter: .seconds(60), clock: clock), board: board, tags: { _, _ in [AsyncTag("mail")] }
    ) { folder in try await service.mails(in: folder) }
    let token = board.gate.follow(isInForeground)
    if !Mistake.boardIsNotBound.isMade { freshness = token }
  }

  func didEnterBackground() { isInForeground.write(false) }

  func willEnterForeground() {
    isInForeground.write(true)
    if Mistake.everyReturnRequests.isMade { board.invalidate(AsyncTag("mail")) }
  }

  /// The server says that there is mail.
  func didReceivePush() { board.invalidate(AsyncTag("mail")) }
}
