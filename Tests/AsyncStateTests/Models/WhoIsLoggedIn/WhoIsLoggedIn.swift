// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// Accounts log in and out in any order around everything that the library has. After a log-out nothing of the former
/// account is displayed, stored, sent or requested.
final class WhoIsLoggedIn: Comparison {
  struct Setup: CustomStringConvertible {
    let app: AccountApp.Settings
    var description: String {
      "former \(app.previous), keeps \(app.keepUnused) idle, paced \(app.isPaced), delay \(app.hasDelay), \(app.retries) retries"
    }
  }

  static let name = "who is logged in"

  static func setup(using random: inout SeededGenerator) -> Setup {
    Setup(
      app: AccountApp.Settings(
        previous: .random(using: &random), keepUnused: Bool.random(using: &random) ? 0 : 50,
        isPaced: .random(using: &random), hasDelay: .random(using: &random),
        retries: Bool.random(using: &random) ? 0 : 2))
  }
  static func command(using random: inout SeededGenerator) -> AccountCommand { .random(using: &random) }

  private let server = AccountServer()
  private let clock = ManualClock()
  private let app: AccountApp
  private var logIns = 0
  private var inputs = 0

  init(_ setup: Setup) {
    app = AccountApp(setup.app, server, clock)
  }

  func perform(_ command: AccountCommand) async -> String? {
    switch command {
    case .logIn:
      guard server.account == nil else { break }
      logIns += 1
      app.logIn("user\(logIns)")
    case .logOut: await Task { [app] in await app.logOut() }.value
    case .start, .refresh, .reload, .cancel, .leave, .loadNext, .poll, .mutate, .tap, .send, .retry, .pay, .push,
      .element:
      if let account = server.account { act(command, account) }
    case .end(let place, let isFailure): server.end(place, isFailure: isFailure)
    case .toggleGate: if app.gate.isOpen { app.gate.close() } else { app.gate.open() }
    case .toggleBoard:
      guard server.account != nil else { break }
      if app.board.gate.isOpen { app.board.gate.close() } else { app.board.gate.open() }
    case .toggleReads: app.inputs.readError = app.inputs.readError == nil ? Failure() : nil
    case .leak: app.leakOutbox()
    case .advance: await clock.advance(by: .seconds(1))
    }
    await ModelActor.idle()
    return fault
  }

  /// A person who is logged in does something.
  private func act(_ command: AccountCommand, _ account: String) {
    func screen(_ number: Int) -> AccountScreen { app.screens[number % AccountApp.screenCount] }
    inputs += 1
    let input = "\(account) input \(inputs)"
    switch command {
    case .start(let number): screen(number).start()
    case .refresh(let number): screen(number).refresh()
    case .reload(let number): screen(number).reload()
    case .cancel(let number): screen(number).cancel()
    case .leave(let number): app.openAgain(number % AccountApp.screenCount)
    case .loadNext: ModelActor.task { [feed = app.feed] in _ = await feed.loadNext(isolation: ModelActor.shared) }
    case .poll: app.poll()
    case .mutate(let number): screen(number).change(input)
    case .tap: app.taps.perform(input, isolation: ModelActor.shared)
    case .send: app.outbox.perform(input, isolation: ModelActor.shared)
    case .retry: app.taps.retry(isolation: ModelActor.shared)
    case .pay: app.payments.perform(5, isolation: ModelActor.shared)
    case .push(let number): screen(number).receive("\(account) push \(inputs)")
    case .element: app.connection.element?.yield("\(account) element \(inputs)")
    case .logIn, .logOut, .end, .toggleGate, .toggleBoard, .toggleReads, .leak, .advance: break
    }
  }

  private var fault: String? {
    if let fault = server.faults.first { return fault }
    for (place, text) in app.texts {
      for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) where word.hasPrefix("user") {
        let account = server.account
        if String(word) != account { return "\(place) has \"\(text)\", and \(account ?? "no account") is logged in" }
      }
    }
    return nil
  }

  func finish() async -> String? {
    await Task { [app] in await app.logOut() }.value
    if let fault { return fault }
    app.logIn("userLast")
    app.gate.open()
    server.isPrompt = true
    for screen in app.screens { screen.start() }
    for _ in 0..<3 {
      while !server.requests.isEmpty {
        server.end(0, isFailure: false)
        await ModelActor.idle()
      }
      await clock.advance(by: .seconds(1))
      await app.settle()
    }
    return fault ?? app.missing
  }
}
