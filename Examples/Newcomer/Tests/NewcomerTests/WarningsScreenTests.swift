// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

private struct GatedWarnings: WarningService {
  let gate = ManualServer<[String]>()
  func warnings() async throws -> [String] { try await gate.wait() }
}

@Suite("The warnings", .timeLimit(.minutes(5)))
@MainActor
struct WarningsScreenTests {
  private let clock = ManualClock()
  private let service = GatedWarnings()

  private func makeScreen() async -> WarningsScreen {
    let screen = WarningsScreen(service: service, clock: clock)
    screen.viewWillAppear()
    await service.gate.arrived(1)
    service.gate.answer(call: 1, with: .success(["Storm"]))
    await clock.sleepers(atLeast: 1)
    #expect(screen.lines == ["Storm"])
    return screen
  }

  @Test("they are requested every half minute, and the former ones stay meanwhile", .repeated())
  func halfMinute() async {
    let screen = await makeScreen()
    await clock.advance(by: .seconds(29))
    #expect(!screen.warnings.isRunning)
    await clock.advance(by: .seconds(1))
    #expect(screen.warnings.isRunning)
    #expect(screen.lines == ["Storm"])
    await service.gate.arrived(2)
    service.gate.answer(call: 2, with: .success(["Storm", "Ice"]))
    await clock.sleepers(atLeast: 1)
    #expect(screen.lines == ["Storm", "Ice"])
    screen.viewDidDisappear()
  }

  @Test("nothing is requested when the screen has disappeared", .repeated(noticing: .pollingOutlivesTheScreen))
  func disappears() async {
    let screen = await makeScreen()
    screen.viewDidDisappear()
    await clock.advance(by: .seconds(300))
    #expect(!screen.warnings.isRunning)
    #expect(clock.sleeperCount == 0)
    // Where it has a mistake, it ends with the test.
    screen.warnings.cancel()
  }

  @Test("after a failure they are requested two minutes later", .repeated(noticing: .failureEndsPolling))
  func failure() async {
    let screen = await makeScreen()
    await clock.advance(by: .seconds(30))
    await service.gate.arrived(2)
    service.gate.answer(call: 2, with: .failure(NoConnection()))
    await screen.warnings.settled()
    #expect(screen.lines == ["Storm"])
    await clock.advance(by: .seconds(119))
    #expect(!screen.warnings.isRunning)
    await clock.advance(by: .seconds(1))
    #expect(screen.warnings.isRunning)
    screen.viewDidDisappear()
    screen.warnings.cancel()
  }
}
