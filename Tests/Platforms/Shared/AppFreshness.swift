// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Network
import Testing

/// A board that follows the app, whatever the framework calls the foreground: an absence that is long enough makes one
/// request for what is held, and one in the middle of it none.
@MainActor
func expectOneRequestOnReturn(setForeground: (Bool) -> Void) async {
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
