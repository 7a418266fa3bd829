// SPDX-License-Identifier: MIT
// A form: one request for a double tap, the button is off meanwhile, and an error keeps what was typed.

import AsyncState
import AsyncStateUI
import SwiftUI

struct SignUpScreen: View {
  private let signUp: AsyncMutation<String, String>
  @State private var name = ""

  init(signUp: AsyncMutation<String, String>) { self.signUp = signUp }

  var body: some View {
    VStack {
      TextField("Name", text: $name)
      Button(signUp.isRunning ? "Signing up" : "Sign up") { signUp.perform(name) }
        .disabled(signUp.isRunning || name.isEmpty)
      switch signUp.status {
      case .idle, .delayed, .queued, .waitingForNetwork, .sending, .retrying: Text("")
      case .succeeded(let greeting): Text(greeting)
      case .failed(let error, _): AsyncFailureView(error, AsyncActions(retry: { signUp.retry() }))
      }
    }
  }
}
