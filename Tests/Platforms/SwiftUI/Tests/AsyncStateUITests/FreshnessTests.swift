// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Network
import SwiftUI
import Testing

/// Foreground and network, in SwiftUI.
@MainActor
@Suite(.serialized, .bothOrders, .unpaced)
struct FreshnessTests {
  let clock = ManualClock()
  let gate = ManualServer<String?>()
  let board = AsyncTagBoard()

  func makeFamily() -> AsyncFamily<Int, String> {
    AsyncFamily(options: LoadOptions(staleAfter: .seconds(60), clock: clock), board: board) { [gate] key in
      try await gate.wait(for: key)
    }
  }

  @Test("15.7 a screen that returns from the background requests what is stale, and nothing while it is there")
  func background() async {
    let articles = makeFamily()
    var phase = ScenePhase.active
    let host = ViewHost { [board] in
      AsyncView(articles[1]) { Text($0) }.asyncFreshness(board).environment(\.scenePhase, phase)
    }
    await gate.arrived(for: 1)
    gate.answer(for: 1, with: .success("old"))
    await articles[1].settled()
    host.draw()
    #expect(host.texts == ["old"])
    for next in [ScenePhase.inactive, .background, .background] {
      phase = next
      host.redraw()
      #expect(board.gate.isOpen == (next != .background))
    }
    await clock.advance(by: .seconds(61))
    articles[1].invalidate()
    board.invalidate("everything")
    #expect(!articles[1].isRunning)
    phase = .inactive
    host.redraw()
    #expect(articles[1].isRunning)
    await gate.arrived(2)
    gate.answer(for: 1, with: .success("new"))
    await board.settled()
    host.draw()
    #expect(host.texts == ["new"])
    phase = .active
    host.redraw()
    #expect(gate.arguments(as: Int.self) == [1, 1])
  }

  @Test(
    "15.7 an app that is launched in the background may request; once it was in the foreground, not in the background")
  func launchedInTheBackground() {
    var phase = ScenePhase.background
    let host = ViewHost { [board] in Text("a").asyncFreshness(board).environment(\.scenePhase, phase) }
    #expect(board.gate.isOpen)
    for next in [ScenePhase.active, .background, .active] {
      phase = next
      host.redraw()
      #expect(board.gate.isOpen == (next == .active))
    }
  }

  @Test("15.7 a scene that begins in the background, while the app was in the foreground, is in the background")
  func sceneInTheBackground() {
    var phases = [ScenePhase.active, .background]
    let hosts = (0..<2).map { index in
      ViewHost { [board] in Text("\(index)").asyncFreshness(board).environment(\.scenePhase, phases[index]) }
    }
    #expect(board.gate.isOpen)
    phases[0] = .background
    hosts[0].redraw()
    #expect(!board.gate.isOpen)
    withExtendedLifetime(hosts) {}
  }

  @Test("15.7 two scenes: the board is open while one is in the foreground; one that is closed does not count")
  func scenes() async {
    var phases = [ScenePhase.active, .active]
    let hosts = (0..<2).map { index in
      ViewHost { [board] in Text("\(index)").asyncFreshness(board).environment(\.scenePhase, phases[index]) }
    }
    phases[0] = .background
    hosts[0].redraw()
    #expect(board.gate.isOpen)
    hosts[1].close()
    #expect(!board.gate.isOpen)
    phases[0] = .active
    hosts[0].redraw()
    #expect(board.gate.isOpen)
  }

  @Test("15.7 the system's network: what failed without one is requested again with one")
  func network() async {
    let articles = makeFamily()
    let host = ViewHost { [board] in AsyncView(articles[1]) { Text($0) }.asyncFreshness(board) }
    await gate.arrived(for: 1)
    NWPathMonitor.change(to: .satisfied)
    NWPathMonitor.change(to: .unsatisfied)
    gate.answer(for: 1, with: .failure(Offline()))
    await articles[1].settled()
    host.draw()
    #expect(host.texts.last == "Try Again")
    #expect(!board.gate.isOpen)
    NWPathMonitor.change(to: .requiresConnection)
    await gate.arrived(2)
    gate.answer(for: 1, with: .success("a"))
    await board.settled()
    host.draw()
    #expect(host.texts == ["a"])
    host.close()
  }

  @Test("15.7 a button says that there is a network while the system says that there is none, whatever else is awaited")
  func insisting() async {
    let isLoggedIn = Input(false)
    let gate = LoadGate(isOpen: false)
    let following = gate.follow(LoadGate.isOnline && isLoggedIn)
    let resource = AsyncResource<String>(options: LoadOptions(gate: gate)) { "a" }
    resource.start()
    let host = ViewHost { AsyncView(resource) { Text($0) } }
    NWPathMonitor.change(to: .satisfied)
    host.draw()
    #expect(host.texts == ["Waiting for a connection."])
    NWPathMonitor.change(to: .unsatisfied)
    host.draw()
    #expect(host.texts == ["Waiting for a connection.", "Try Again"])
    #expect(host.press("Try Again"))
    #expect(host.texts == ["Waiting for a connection."] && resource.isWaiting)
    isLoggedIn.write(true)
    NWPathMonitor.change(to: .satisfied)
    await resource.settled()
    host.draw()
    #expect(host.texts == ["a"])
    host.close()
    withExtendedLifetime(following) {}
  }
}
