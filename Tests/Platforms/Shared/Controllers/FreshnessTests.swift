// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Network
import Testing
import Toolkit

extension ToolkitTests {
  @MainActor
  struct FreshnessTests {
    private func setForeground(_ isForeground: Bool) {
      #if canImport(UIKit)
        NotificationCenter.default.post(
          name: isForeground
            ? UIApplication.willEnterForegroundNotification : UIApplication.didEnterBackgroundNotification,
          object: nil)
      #else
        NSApplication.shared.setVisible(isForeground)
      #endif
    }

    // An absence that is long enough makes one request for what is held, and one in the middle of it none.
    @Test("15.7 what has become stale is requested once when the app is in the foreground and online again")
    func returning() async {
      let (clock, gate, board) = (ManualClock(), ManualServer<String?>(), AsyncTagBoard())
      let articles = AsyncFamily<Int, String>(
        options: LoadOptions(staleAfter: .seconds(60), clock: clock), board: board
      ) { key in try await gate.wait(for: key) }
      let token = board.followApp()
      let article = articles[1]
      gate.answer(for: 1, with: .success("old"))
      await article.load()
      setForeground(false)
      #expect(!board.gate.isOpen)
      await clock.advance(by: .seconds(61))
      NWPathMonitor.change(to: .satisfied)
      NWPathMonitor.change(to: .unsatisfied)
      setForeground(true)
      #expect(!board.gate.isOpen && !article.isRunning)
      NWPathMonitor.change(to: .satisfied)
      #expect(board.gate.isOpen && article.isRunning)
      await gate.arrived(2)
      gate.answer(for: 1, with: .success("new"))
      await board.settled()
      #expect(article.value == "new")
      withExtendedLifetime(token) {}
    }
  }
}
