// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Observation
import Testing

extension AllTests {
  @MainActor
  struct StatusBoardTests {
    final class Content: AsyncContent {
      var applied: [String] = []
      var message: String?
      var failure: String?
      var reloads = false
      var asked = 0
      /// Done when a value is applied.
      var onApply: () -> Void = {}

      func apply(_ value: Int, animated: Bool) {
        applied.append("\(value),\(letter(animated))")
        onApply()
      }
      var statusMessages: StatusMessages {
        asked += 1
        return StatusMessages(noData: message, error: { [failure] _ in failure })
      }
      var canReload: Bool {
        asked += 1
        return reloads
      }
    }

    private static let failed = StatusPart.error(
      message: StatusBoard<Int>.defaultMessage(for: Failure()), showsReload: false)
    private static let noData = StatusPart.noData(message: StandardTexts.noData, showsReload: false)

    let content = Content()
    let data = AsyncData<Int>()

    @Test(
      "6.5 messages and reload controls are requested at each transition; there are words for idle, waiting and timeouts"
    )
    func asked() {
      let board = StatusBoard(content: content, data: data)
      board.transitionToNoData(animated: false)
      content.message = "No articles"
      content.reloads = true
      board.transitionToNoData(animated: false)
      expectEqual(board.visiblePart, .noData(message: "No articles", showsReload: true))
      content.failure = "No connection"
      board.transitionToError(Failure(), animated: false)
      expectEqual(board.visiblePart, .error(message: "No connection", showsReload: true))
      content.reloads = false
      board.transitionToError(Failure(), animated: false)
      expectEqual(board.visiblePart, .error(message: "No connection", showsReload: false))
      expectEqual(content.asked, 8)
      (content.failure, content.reloads) = (nil, true)
      board.transitionToIdle(animated: false)
      expectEqual(board.visiblePart, .noData(message: "Not loaded.", showsReload: true))
      // It is requested already.
      board.transitionToWaiting(animated: false)
      expectEqual(board.visiblePart, .noData(message: "Waiting for a connection.", showsReload: false))
      board.transitionToError(LoadTimeoutError(), animated: false)
      expectEqual(
        board.visiblePart, .error(message: "This is taking too long. Please try again.", showsReload: true))
    }

    @Test("1.4, 6.5 a reader of the part that shows another when it is notified: that one stays")
    func showBeforeTheChange() {
      let board = StatusBoard(content: content, data: data)
      // The second time it is that which is visible still.
      for transition in [board.transitionToNoData, board.transitionToLoading] {
        whenReported({ _ = board.visiblePart }) { board.transitionToError(Failure(), animated: false) }
        transition(false)
        expectEqual(board.visiblePart, Self.failed)
      }
    }

    @Test("6.5 the content words errors and idle data; a default has nothing of an error, which may be secret")
    func messages() {
      final class Wordy: AsyncContent {
        func apply(_ value: Int, animated: Bool) {}
        // A text that is always there is written as one that may be missing: both are this text.
        let idle: String = "Type something"
        var statusMessages: StatusMessages {
          StatusMessages(idle: idle, error: { $0 is CancellationError ? nil : "Broken: \($0)" })
        }
      }
      let wordy = Wordy()
      let board = StatusBoard(content: wordy, data: data)
      board.transitionToError(Failure(), animated: false)
      expectEqual(board.visiblePart, .error(message: "Broken: failure", showsReload: false))
      board.transitionToIdle(animated: false)
      expectEqual(board.visiblePart, .noData(message: "Type something", showsReload: false))
      board.transitionToNoData(animated: false)
      expectEqual(board.visiblePart, Self.noData)

      struct Refused: Error, CustomStringConvertible {
        let description = "token s3cret refused"
      }
      let modest = PlainContent<Int>()
      let plain = StatusBoard(content: modest, data: data)
      plain.transitionToError(Refused(), animated: false)
      expectEqual(plain.visiblePart, .error(message: StandardTexts.failure, showsReload: false))
    }

    @Test("6.4 a reload control calls the first host alone")
    func reloadControl() {
      var requests = ""
      let hosts = ["a", "b"].map { name in
        AsyncHost(data: data, request: { _, _ in requests += name }, children: { _ in [] })
      }
      let board = StatusBoard(content: content, data: data)
      board.reload()
      for host in hosts { host.start() }
      requests = ""
      board.reload()
      expectEqual(requests, "a")
      withExtendedLifetime(hosts) {}
    }

    @Test("6.5 a value is applied once, when the content is visible; the content is held weakly")
    func weakContent() {
      var gone: Content? = Content()
      let board = StatusBoard(content: gone!, data: data)
      let released = Weak(gone)
      var part: StatusPart?
      gone?.onApply = { part = board.visiblePart }
      board.transitionToData(1, animated: true)
      expectEqual(part, .content)
      expectEqual(gone?.applied, ["1,t"])
      gone = nil
      expectNil(released.object)
      board.transitionToData(1, animated: false)
      board.transitionToError(Failure(), animated: false)
      expectEqual(board.visiblePart, Self.failed)
      board.transitionToNoData(animated: false)
      expectEqual(board.visiblePart, Self.noData)
    }
  }
}
