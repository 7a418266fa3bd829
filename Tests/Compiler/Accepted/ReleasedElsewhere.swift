// SPDX-License-Identifier: MIT
// A main-actor screen is Sendable, so its last reference may be dropped anywhere, with everything that it has; and a token may be
// cancelled anywhere.

import AsyncStateLists
import AsyncState

@MainActor
final class Screen {
  let user = AsyncData<String>()
  let input = Input(0)
  let box = Box(Label())
  let token: ObservedToken
  let container = StateContainer(initialState: 0) { _ in [] }
  let host: AsyncHost<Int>
  let pacer: DisplayPacer
  let animator = ClockAnimator()
  var load: LoadTask<String>?

  final class Label {
    var number = 0
  }

  init() {
    pacer = DisplayPacer()
    host = AsyncHost(AsyncResource { 1 }, pacer: pacer, children: { _ in [] })
    token = input.observe { _ in }
    box.bind(\.number, to: input)
    load = user.start { "me" }
  }

  func stop() {
    let token = token
    Task.detached { token.cancel() }
  }
}

@MainActor
func close() {
  let screen = Screen()
  Task.detached { _ = screen }
}

actor Session {
  private let user = AsyncData<String>()
  private let input = Input(0)
  private var load: LoadTask<String>?

  func observe() -> ObservedToken { input.observe { _ in } }

  func open() {
    load = user.start(isolation: self) { "me" }
  }
}

func close(_ session: consuming Session) {
  Task.detached { [session] in _ = session }
}

func stop(_ session: Session) async {
  let token = await session.observe()
  token.cancel()
}
