// SPDX-License-Identifier: MIT
// Settings: a switch that changes at once, and returns if the server refuses.

import AsyncState
import AsyncStateUI
import SwiftUI

struct SettingsScreen: View {
  private let model: AppModel

  init(model: AppModel) { self.model = model }

  var body: some View {
    AsyncView(model.ownSettings, policy: DisplayPolicy(errors: .never)) { settings in
      Button(settings.sendsNews ? "News: on" : "News: off") {
        Task { await model.setSendsNews(!settings.sendsNews) }
      }
    }
  }
}
